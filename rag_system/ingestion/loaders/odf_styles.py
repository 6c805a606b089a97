"""What OpenDocument styles say of a text: whether it is bold, and whether anybody sees it.

OpenDocument 1.3 part 3, 16: a style belongs to a family (of paragraphs, of spans, of cells…) and takes what it does not
say itself from its parent. As in Word files, hidden text, text as fine as dust and white text on white are left out;
white counts as seen where anything behind it has a colour, or may have.
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
_FAMILY, _NAME, _PARENT = name("style:family"), name("style:name"), name("style:parent-style-name")
_BOLD = frozenset(("bold", "700", "800", "900"))
_POINTS = re.compile(r"(\d+(?:\.\d*)?|\.\d+)pt")
_COLOUR = re.compile(r"#([0-9a-fA-F]{6})")
_HOLDERS = {  # what may have a colour behind the text in it: the attribute with its style, and the style's family
    name("table:table-cell"): (name("table:style-name"), "table-cell"),
    name("table:table-row"): (name("table:style-name"), "table-row"),
    name("table:table"): (name("table:style-name"), "table"),
    name("text:section"): (name("text:style-name"), "section"),
}
_DRAWN = f"{{{name('draw:frame').partition('}')[0][1:]}}}"
_ANCHOR = name("text:anchor-type")


class Sight(NamedTuple):
    """How text looks; None where its styles say nothing."""

    bold: bool | None = None
    hidden: bool | None = None
    dust: bool | None = None
    white: bool | None = None
    painted: bool | None = None

    def over(self, around: Sight) -> Sight:
        """The same inside text that looks like `around`."""
        return Sight(*(said if said is not None else before for said, before in zip(self, around, strict=True)))


@dataclass(frozen=True, slots=True)
class OdfStyles:
    """The styles of a document, by family and name. coloured: its page has a colour, so white may be seen."""

    looks: Mapping[tuple[str, str], Sight] = field(default_factory=dict)
    parents: Mapping[tuple[str, str], str] = field(default_factory=dict)
    coloured: bool = False

    def is_bold(self, family: str, style: str) -> bool:
        """Whether a style, or one that it comes from, is bold."""
        return bool(self.sight(family, style, Sight()).bold)

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

    def is_painted(self, family: str, style: str) -> bool:
        """Whether something of this style has a colour behind its text."""
        return bool(self.sight(family, style, Sight()).painted)


@dataclass(slots=True)
class OdfEye:
    """Knows which text nobody sees, and whether it met any."""

    styles: OdfStyles = field(default_factory=OdfStyles)
    missed: bool = False

    def misses(self, text: str, sight: Sight, place: Any) -> bool:
        """Whether a text is not seen. place: the element that it stands in."""
        if not text or not self._is_unseen(sight, place):
            return False
        self.missed = self.missed or any(map(str.isalnum, text))
        return True

    def _is_unseen(self, sight: Sight, place: Any) -> bool:
        if sight.hidden or sight.dust:
            return True
        return bool(sight.white) and not (sight.painted or self.styles.coloured or self._is_held(place))

    def _is_held(self, place: Any) -> bool:
        """Whether something around it has a colour, or may have: a drawn box is not looked into."""
        for around in place.iterancestors():
            if around.tag.startswith(_DRAWN):
                return True
            attribute, family = _HOLDERS.get(around.tag, ("", ""))
            if attribute and self.styles.is_painted(family, around.get(attribute, "")):
                return True
        return False


def read_styles(roots: Iterable[Any]) -> OdfStyles:
    """The styles of a document. roots: of its content, then of its named styles."""
    roots = list(roots)
    drawn = (element for root in roots for element in root.iter(f"{_DRAWN}*"))
    floating = any(element.get(_ANCHOR, "as-char") != "as-char" for element in drawn)
    looks: dict[tuple[str, str], Sight] = {}
    parents: dict[tuple[str, str], str] = {}
    for style in (style for root in roots for style in root.iter(name("style:style"))):
        look = _look(style)
        if floating and style.getparent().tag == name("office:styles"):
            look = look._replace(white=None if look.white else look.white)
        key = style.get(_FAMILY, ""), style.get(_NAME, "")
        parents.setdefault(key, style.get(_PARENT, ""))
        looks.setdefault(key, look)
    plain = looks.get(("paragraph", "Standard"), Sight())
    return OdfStyles(looks, parents, coloured=bool(plain.white) or any(map(_has_coloured_page, roots)))


def _has_coloured_page(root: Any) -> bool:
    """Whether a page has a colour or a picture, or plain text is white as on such a page."""
    pages = root.iter(name("style:page-layout-properties"))
    plain = (each.find(name("style:text-properties")) for each in root.iter(name("style:default-style")))
    return any(_is_coloured(page) for page in pages) or any(_is_white(each) for each in plain if each is not None)


def _look(style: Any) -> Sight:
    painted = None
    for properties in style:
        if properties.get(name("fo:background-color")) is not None or properties.get(name("draw:fill")) is not None:
            painted = bool(painted) or _is_coloured(properties)
    if (text := style.find(name("style:text-properties"))) is None:
        return Sight(painted=painted)
    weight, shown = text.get(name("fo:font-weight")), text.get(name("text:display"))
    size = _POINTS.fullmatch(text.get(name("fo:font-size"), ""))
    return Sight(
        bold=weight in _BOLD if weight is not None else None,
        hidden=shown == "none" if shown is not None else None,
        dust=float(size[1]) <= _DUST if size is not None else None,
        white=_is_white(text),
        painted=painted,
    )


def _is_white(text: Any) -> bool | None:
    if text.get(name("style:use-window-font-color")) == "true":
        return False
    return _is_paper(text.get(name("fo:color"), "")) if text.get(name("fo:color")) is not None else None


def _is_coloured(properties: Any) -> bool:
    """A colour that is not the paper's, or a pattern or picture."""
    behind, fill = properties.get(name("fo:background-color"), "transparent"), properties.get(name("draw:fill"), "none")
    return fill not in ("none", "solid") or not (behind == "transparent" or _is_paper(behind))


def _is_paper(colour: str) -> bool:
    match = _COLOUR.fullmatch(colour)
    return match is not None and is_pale(bytes.fromhex(match[1]))
