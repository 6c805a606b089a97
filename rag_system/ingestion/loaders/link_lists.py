"""Lists of links around the text of a web page: «más leídos», related news, share buttons, menus without a name.

What tells them is where they stand and how dense their links are, no word: they are outside the element that holds
nearly all the prose, and nearly all that they say are links to other pages. Links into the page itself are its table
of contents. What stands beside the prose, in the same element, is never touched, nor a page that is mainly links.
"""

from __future__ import annotations

from collections.abc import Iterator

from bs4 import Tag

from rag_system.ingestion.loaders.visibility import letters

__all__ = ["drop_link_lists"]

_NEARLY_ALL = 0.9  # of the prose of a page: the element that holds it is the text
_DENSE = 0.8  # share of the letters that are links
_FEWEST = 3  # links: fewer may be the sources of a text
_MOST_LINKED = 0.5  # of the letters of a page: with more of them links, they are what it is about
_DEEPEST = 60  # elements within elements that are looked into: no page is made so, but to take time
_OF_TABLES = frozenset("table tbody thead tfoot tr".split())  # a row is no place of its own


def drop_link_lists(page: Tag) -> None:
    """Take them out of a page."""
    every, linked = letters(page.get_text()), _linked(page)
    if linked > every * _MOST_LINKED:
        return
    for beside in list(_beside_the_text(page, (every - linked) * _NEARLY_ALL)):
        _drop(beside)


def _beside_the_text(page: Tag, most_of_it: float) -> Iterator[Tag]:
    """The elements that stand beside the one that holds the prose, at each level down to it."""
    holder: Tag | None = page
    for _ in range(_DEEPEST):
        if holder is None or holder.name in _OF_TABLES:
            return
        inner = _elements(holder)
        holder = next((each for each in inner if letters(each.get_text()) - _linked(each) >= most_of_it), None)
        if holder is not None:
            yield from (each for each in inner if each is not holder)


def _drop(element: Tag, deep: int = 0) -> None:
    links = _links(element)
    if len(links) < _FEWEST or deep > _DEEPEST:
        return
    if _linked(element) >= letters(element.get_text()) * _DENSE:
        element.decompose()
        return
    for each in _elements(element):
        _drop(each, deep + 1)


def _linked(element: Tag) -> int:
    return sum(letters(link.get_text()) for link in _links(element))


def _links(element: Tag) -> list[Tag]:
    """Those that lead to other pages."""
    own = [element] if element.name == "a" else []
    return [link for link in [*own, *element("a", href=True)] if not str(link.get("href") or "#").startswith("#")]


def _elements(parent: Tag) -> list[Tag]:
    return [child for child in parent.children if isinstance(child, Tag)]
