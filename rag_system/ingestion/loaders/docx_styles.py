"""What the styles of a Word document say of its paragraphs and letters: headings, lists, what is hidden or painted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rag_system.ingestion.loaders.visibility import is_pale
from rag_system.ingestion.text import whole_number

__all__ = ["Style", "W", "is_white", "list_of", "outline_level", "paints", "read_styles", "switch", "value_of"]

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

_HEADING = re.compile(r"(?:heading|t[íi]tulo|ttulo|encabezado)\s*(\d)", re.IGNORECASE)
_TITLES = frozenset({"title", "título", "titulo", "puesto"})
_LIST = re.compile(r"list|lista|viñeta|prrafodelista", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:toc|tdc) ?\d", re.IGNORECASE)  # a line of the table of contents
_MAX_LEVEL = 6
_MAX_STYLES = 20  # based on each other
_PAPER_THEMES = frozenset(("background1", "light1"))
_OFF = frozenset(("0", "false", "off"))


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says, by itself or through those that it is based on."""

    level: int = 0  # of a heading
    listed: bool = False
    contents: bool = False
    numbered: tuple[str, int] = ("", 0)  # the list that it counts in, and the level
    hides: bool = False
    paints: bool = False


def read_styles(root: Any | None) -> dict[str, Style]:
    """The styles by their identifiers; «» stands for that of a paragraph that names none."""
    elements = {each.get(f"{W}styleId", ""): each for each in (root.iter(f"{W}style") if root is not None else ())}
    styles = {identifier: _style(list(_ancestry(identifier, elements))) for identifier in elements}
    plain = (key for key, each in elements.items() if each.get(f"{W}default") and each.get(f"{W}type") == "paragraph")
    return {"": styles.get(next(plain, ""), Style()), **styles}


def _ancestry(identifier: str, elements: dict[str, Any]) -> Iterator[Any]:
    """A style, the one that it is based on, and so on."""
    for _ in range(_MAX_STYLES):
        if (style := elements.get(identifier)) is None:
            return
        yield style
        identifier = value_of(style, "basedOn")


def _style(ancestry: list[Any]) -> Style:
    name = value_of(ancestry[0], "name")
    found = _HEADING.search(name)
    level = max(1, min(_MAX_LEVEL, int(found[1]))) if found else outline_level(ancestry[0].find(f"{W}pPr"))
    level = 1 if name.lower() in _TITLES else level
    hidden = (switch(each, "vanish") for each in ancestry)
    return Style(
        level=level,
        listed=not level and _LIST.search(name) is not None,
        contents=_CONTENTS.match(name) is not None,
        numbered=_inherited_list(ancestry),
        hides=next((each for each in hidden if each is not None), False),
        paints=any(paints(each.find(f"{W}{part}")) for each in ancestry for part in ("pPr", "rPr")),
    )


def _inherited_list(ancestry: list[Any]) -> tuple[str, int]:
    """The level may be said apart from the list, by a style based on the one that says it."""
    said = [each for style in ancestry if (each := style.find(f"{W}pPr/{W}numPr")) is not None]
    levels = (value_of(each, "ilvl") for each in said)
    lists = (value_of(each, "numId") for each in said)
    return next(filter(None, lists), ""), whole_number(next(filter(None, levels), ""), 0)


def list_of(properties: Any | None) -> tuple[str, int] | None:
    """The list that a paragraph is in by itself, and its level."""
    number = properties.find(f"{W}numPr") if properties is not None else None
    if number is None or number.find(f"{W}numId") is None:
        return None
    return value_of(number, "numId"), whole_number(value_of(number, "ilvl"), 0)


def outline_level(properties: Any | None) -> int:
    """`w:outlineLvl` counts from 0; 9 is body text."""
    level = whole_number(value_of(properties, "outlineLvl"), _MAX_LEVEL)
    return level + 1 if level < _MAX_LEVEL else 0


def value_of(properties: Any | None, child: str) -> str:
    """The `w:val` of a child, empty without one."""
    found = properties.find(f"{W}{child}") if properties is not None else None
    return found.get(f"{W}val", "") if found is not None else ""


def switch(element: Any, child: str) -> bool | None:
    """Whether the letters of a run or a style, or the mark at the end of a paragraph, have a property; None: unsaid."""
    mark = element.find(f"{W}rPr/{W}{child}")
    return None if mark is None else mark.get(f"{W}val") not in _OFF


def paints(properties: Any | None) -> bool:
    """Whether the properties of a run, a paragraph, a row, a cell or a table put a colour or a pattern behind it."""
    if properties is None:
        return False
    if value_of(properties, "highlight") not in ("", "none", "white"):
        return True
    if (shading := properties.find(f"{W}shd")) is None:
        return False
    fill = shading.get(f"{W}fill", "auto")
    patterned = shading.get(f"{W}val", "clear") not in ("clear", "nil")
    return patterned or shading.get(f"{W}themeFill") is not None or not (fill == "auto" or _is_pale(fill))


def is_white(properties: Any | None) -> bool:
    """Whether the letters of a run are white, or nearly. A theme's colour goes before the one written beside it."""
    colour = properties.find(f"{W}color") if properties is not None else None
    if colour is None:
        return False
    theme = colour.get(f"{W}themeColor")
    themed = theme is not None and (theme not in _PAPER_THEMES or colour.get(f"{W}themeShade") is not None)
    return not themed and _is_pale(colour.get(f"{W}val", ""))


def _is_pale(colour: str) -> bool:
    """White, or nearly: «FFFFFF»."""
    try:
        return len(colour) == 6 and is_pale(bytes.fromhex(colour))
    except ValueError:
        return False
