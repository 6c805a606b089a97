"""Which chunks answer a question: strategies, fusion, filters and the final pick. `searching.search` is the whole of it."""
