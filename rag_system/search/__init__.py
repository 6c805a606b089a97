"""Which chunks answer a question: strategies, fusion, filters and the final pick, joined in `searching`."""
