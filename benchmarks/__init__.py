"""`legajo benchmark`, outside the wheel: a synthetic collection, its loading, what is measured on it, the table."""
