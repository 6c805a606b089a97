"""Legajo for programs over HTTP: what the chat does, as JSON, and the wire format of OpenAI's chat completions."""
