"""The database: the embedded server, connections, migrations, and what is read from and written to the tables."""
