"""From question to cited answer, and from file to searchable chunk. Knows nothing of people or screens."""

__all__ = ["DEFAULT_PROJECT", "LOCAL_PERSON"]

DEFAULT_PROJECT = "general"  # where nobody names one
LOCAL_PERSON = "local"  # who sits at the computer, where there are no accounts
