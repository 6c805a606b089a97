"""What OpenDocument styles say of a text: whether it is bold, and whether anybody sees it.

OpenDocument 1.3 part 3, 16: a style belongs to a family (of paragraphs, of spans, of cells…) and takes what it does not
say itself from its parent. As in Word files, hidden text, text as fine as dust and white text on white are left out.
White counts where it is of the text itself (a style without a name), as seen where anything behind it has a colour, or
may have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rag_system.ingestion.loaders.odf_names import name
from rag_system.ingestion.loaders.visibility import is_pale

__all__ = ["OdfEye", "OdfStyles", "Sight", "read_styles"]

_MAX_STYLES = 20  # based on each other
_DUST = 2.0  # points
_BOLD = frozenset(("bold", "700", "800", "900"))
_POINTS = re.compile(r"(\d+(?:\.\d*)?|\.\d+)pt")
_COLOUR = re.compile(r"#([0-9a-fA-F]{6})")
_TEXT_STYLE, _TABLE_STYLE = name("text:style-name"), name("table:style-name")
_HOLDERS = {  # what may have a colour behind the text in it: the attribute with its style, and the style's family
    name("text:p"): (_TEXT_STYLE, "paragraph"),
    name("text:h"): (_TEXT_STYLE, "paragraph"),
    name("text:span"): (_TEXT_STYLE, "text"),
    name("text:section"): (_TEXT_STYLE, "section"),
    name("table:table-cell"): (_TABLE_STYLE, "table-cell"),
    name("table:table-row"): (_TABLE_STYLE, "table-row"),
    name("table:table"): (_TABLE_STYLE, "table"),
}
_DRAWN = name("draw:frame").removesuffix("frame")
_AUTOMATIC = name("office:automatic-styles")

Key = tuple[str, str]  # the family and the name of a style


class Sight(NamedTuple):
    """How text looks; None where its styles say nothing."""

    bold: bool | None = None
    hidden: bool | None = None
    dust: bool | None = None
    white: bool | None = None

    def over(self, around: Sight) -> Sight:
        """The same inside text that looks like `around`."""
        return Sight(*(said if said is not None else before for said, before in zip(self, around, strict=True)))


@dataclass(frozen=True, slots=True)
class OdfStyles:
    """The styles of a document. coloured: its page has a colour, so white may be seen."""

    looks: Mapping[Key, Sight] = field(default_factory=dict)
    parents: Mapping[Key, str] = field(default_factory=dict)
    painted: frozenset[Key] = frozenset()
    coloured: bool = False

    def ancestry(self, family: str, style: str) -> list[str]:
        """A style and those it comes from."""
        found = [style]
        while len(found) < _MAX_STYLES and (style := self.parents.get((family, style), "")):
            found.append(style)
        return found

    def sight(self, family: str, style: str, around: Sight) -> Sight:
        """How text of a style looks inside text that looks like `around`."""
        for each in reversed(self.ancestry(family, style)):
            around = self.looks.get((family, each), Sight()).over(around)
        return around

    def may_show_white(self, place: Any) -> bool:
        """Whether something around an element has a colour, or may have: a drawn box is not looked into."""
        for around in (place, *place.iterancestors()):
            if around.tag.startswith(_DRAWN):
                return True
            attribute, family = _HOLDERS.get(around.tag, ("", ""))
            if any((family, each) in self.painted for each in self.ancestry(family, around.get(attribute or "-", ""))):
                return True
        return self.coloured


@dataclass(slots=True)
class OdfEye:
    """Knows which text nobody sees, and whether it met any."""

    styles: OdfStyles = field(default_factory=OdfStyles)
    missed: bool = False

    def misses(self, text: str, sight: Sight, place: Any) -> bool:
        """Whether a text is not seen. place: the element that it stands in."""
        unseen = sight.hidden or sight.dust or (sight.white and not self.styles.may_show_white(place))
        if not text or not unseen:
            return False
        self.missed = self.missed or any(map(str.isalnum, text))
        return True


def read_styles(roots: Iterable[Any]) -> OdfStyles:
    """The styles of a document. roots: of its content, then of its named styles."""
    looks: dict[Key, Sight] = {}
    parents: dict[Key, str] = {}
    painted: set[Key] = set()
    coloured = False
    for root in roots:
        coloured = coloured or any(map(_is_coloured, root.iter(name("style:page-layout-properties"))))
        for style in root.iter(name("style:style")):
            key = style.get(name("style:family"), ""), style.get(name("style:name"), "")
            parents.setdefault(key, style.get(name("style:parent-style-name"), ""))
            looks.setdefault(key, _look(style))
            if any(map(_is_coloured, style)):
                painted.add(key)
    return OdfStyles(looks, parents, frozenset(painted), coloured)


def _look(style: Any) -> Sight:
    if (text := style.find(name("style:text-properties"))) is None:
        return Sight()
    weight, shown, colour = text.get(name("fo:font-weight")), text.get(name("text:display")), text.get(name("fo:color"))
    size = _POINTS.fullmatch(text.get(name("fo:font-size"), ""))
    return Sight(
        bold=weight in _BOLD if weight is not None else None,
        hidden=shown == "none" if shown is not None else None,
        dust=float(size[1]) <= _DUST if size is not None else None,
        white=style.getparent().tag == _AUTOMATIC and _is_paper(colour) if colour is not None else None,
    )


def _is_coloured(properties: Any) -> bool:
    """A colour that is not the paper's, or a pattern or picture."""
    behind, fill = properties.get(name("fo:background-color"), "transparent"), properties.get(name("draw:fill"), "none")
    return fill not in ("none", "solid") or not (behind == "transparent" or _is_paper(behind))


def _is_paper(colour: str) -> bool:
    match = _COLOUR.fullmatch(colour)
    return match is not None and is_pale(bytes.fromhex(match[1]))
