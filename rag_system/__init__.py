"""From question to cited answer, and from file to searchable chunk. Knows nothing of people or screens."""

__all__ = ["DEFAULT_PROJECT"]

DEFAULT_PROJECT = "general"  # where nobody names one
