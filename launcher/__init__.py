"""What `scripts/start` runs: the database, the documents of the first time, a worker and the chat, until Ctrl-C."""
