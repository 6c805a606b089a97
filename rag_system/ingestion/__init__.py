"""From a file to searchable chunks: loaders, structure, chunking and facts.

Kept free of imports: the extraction process starts with this package and must start fast.
"""

from __future__ import annotations

__all__: list[str] = []
