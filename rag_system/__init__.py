"""From question to cited answer, and from file to searchable chunk. Knows nothing of people or screens."""
