"""Looking at a document as its author made it: a page drawn, with what is quoted from it marked."""

from __future__ import annotations

from rag_system.viewing.pages import DRAWN_FORMATS, Mark, PagePicture, draw_page

__all__ = ["DRAWN_FORMATS", "Mark", "PagePicture", "draw_page"]
