"""`Assistant`: the one object that every front end calls (chat, command line, HTTP, MCP).

This is the contract; see each method. It opens the database when made and must be closed (it is a context manager).
"""

from __future__ import annotations
