"""What `assistant.benchmark` is made of: a synthetic collection, its loading, the measurements, the table."""
