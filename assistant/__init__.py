"""The conversation: projects, their documents, what was said and what was cited. Every front end calls `Assistant`."""
