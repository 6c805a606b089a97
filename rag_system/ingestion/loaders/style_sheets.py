"""What the style sheets of a page keep from being displayed.

A sheet hides today what a script or a click may show tomorrow: tabs, menus, answers that unfold. So an element counts
as hidden only where a rule of classes, names and elements hides it, and nothing at hand shows it: no rule as strong
(«.tab.active», «.menu:hover ul», one for wide screens), no animation, no script or button that names it. What cannot
be told is taken for shown. Colours are not looked at: who knows what is painted behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from string import digits
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

from rag_system.ingestion.loaders.inline_style import hides
from rag_system.ingestion.loaders.visibility import letters

__all__ = ["hidden_by_sheets"]

_MAX_SHEET = 500_000  # characters; a framework has 300,000
_MAX_SELECTOR = 200  # characters
_MAX_LOOKS = 300_000  # at an element, for a rule: some seconds; what is not looked at is taken for shown
_HOLDERS = frozenset(("media", "supports", "layer"))  # at-rules with rules in them
_PLACES = frozenset("left right top bottom text-indent margin-left clip".split())
_PROPERTIES = frozenset("display visibility opacity font-size animation".split()) | _PLACES
_INHERITED = frozenset(("visibility", "font-size"))  # what stands inside may be shown all the same
_MOVING = re.compile(r"(?:-\w+-)?(?:animation|transition)")
_ANIMATION = re.compile(r"(?:-\w+-)?animation(?:-name)?")  # of which any rule may have it show what another hides
_EVERYWHERE = frozenset(("", "all", "screen"))  # media whose rules hold for who reads on a screen
_STATE = re.compile(r"::?[\w-]+(?:\([^()]*\))?|\[[^\]]*\]")  # what a click, the pointer or a script changes
_LAST = re.compile(r"[^\s>+~]+$")
_WRITTEN = r"(?:[^\W\d]|-)[\w-]*"
_NAME = re.compile(rf"([.#]?)({_WRITTEN})")
_COMPOUND = rf"[.#]?{_WRITTEN}(?:[.#]{_WRITTEN})*"
_SIMPLE = re.compile(rf"{_COMPOUND}(?:(?:\s*>\s*|\s+){_COMPOUND})*")
_PART = re.compile(r"(>?)\s*([^\s>]+)")
_SHEETS = 'style, link[rel~="stylesheet" i][href]:not([rel~="alternate" i])'
_QUOTED = re.compile(r"""(["'`])(.{1,300}?)\1""")
_WORD = re.compile(r"[\w-]+")
_CONTROLLING = ("aria-controls", "data-target", "data-bs-target", "onclick", "onchange")
_UNFOLDING = re.compile(r"tab|pane|accord|acorde|collaps|toggle|faq|answer|respuesta|slide|carousel|step|more|expand")


class _Rule(NamedTuple):
    """What a rule says of one property."""

    selector: str
    prop: str
    hides: bool
    sure: bool  # holds as it is, on every screen
    weight: tuple[bool, int, int, int]  # important; names, classes and elements of its selector (Selectors 4, 17)


def hidden_by_sheets(soup: BeautifulSoup, sheet_at: Callable[[str], str]) -> frozenset[int]:
    """The `id` of each element that the page's sheets hide.

    sheet_at: gives the text of a sheet that the page links to; nothing where it is not at hand.
    """
    rules = [rule for sheet in _sheets(soup, sheet_at) for rule in _rules(sheet[:_MAX_SHEET])]
    hiding = [(order, rule) for order, rule in enumerate(rules) if rule.hides and rule.sure]
    if not hiding:
        return frozenset()
    page = _Page(soup, [(order, rule) for order, rule in enumerate(rules) if not rule.hides])
    hidden: set[int] = set()
    for order, rule in hiding:
        for tag in page.matches(rule.selector):
            if id(tag) not in hidden and page.is_kept(tag, rule, order):
                hidden.add(id(tag))
    return frozenset(hidden)


def _sheets(soup: BeautifulSoup, sheet_at: Callable[[str], str]) -> Iterator[str]:
    """Those that hold where a page is read on a screen, in order: the last of equal rules holds."""
    for sheet in soup.select(_SHEETS):
        if sheet.find_parent(["noscript", "svg", "template"]) is None:
            text = sheet.get_text() if sheet.name == "style" else sheet_at(str(sheet["href"]))
            media = str(sheet.get("media") or "").strip().lower()
            yield text if media in _EVERYWHERE else f"@media {media} {{{text}}}"


@lru_cache(maxsize=16)  # the chapters of a book share theirs
def _rules(sheet: str) -> Sequence[_Rule]:
    import tinycss2

    try:
        return tuple(_read(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), sure=True))
    except RecursionError:  # brackets in brackets without end
        return ()


def _read(nodes: Iterable[Any], *, sure: bool) -> Iterator[_Rule]:
    import tinycss2

    for node in nodes:
        if node.type == "qualified-rule":
            yield from _declared(node, sure=sure)
        elif node.type == "at-rule" and node.content and node.lower_at_keyword in _HOLDERS:
            inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
            media = tinycss2.serialize(node.prelude).strip().lower()
            held = sure and node.lower_at_keyword == "media" and media in _EVERYWHERE
            yield from _read(inner, sure=held)


def _declared(node: Any, *, sure: bool) -> Iterator[_Rule]:
    import tinycss2

    said = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
    declarations = [each for each in said if each.type == "declaration"]
    nested = [each for each in said if each.type in ("qualified-rule", "at-rule")]
    changing = bool(nested) or any(_MOVING.match(each.lower_name) for each in declarations)
    for selector in map(str.strip, tinycss2.serialize(node.prelude).split(",")):
        for each in declarations if 0 < len(selector) <= _MAX_SELECTOR else ():
            prop = "animation" if _ANIMATION.fullmatch(each.lower_name) else each.lower_name
            if prop in _PROPERTIES:
                hidden = hides(f"{prop}:{tinycss2.serialize(each.value).strip()}")
                held = sure and not changing and _SIMPLE.fullmatch(selector) is not None
                yield _Rule(selector, prop, hidden, held, (each.important, *_specificity(selector)))
    yield from _read(nested, sure=False)


def _specificity(selector: str) -> tuple[int, int, int]:
    classes = len(re.findall(r"[.\[]|(?<!:):(?!:)", selector))
    return selector.count("#"), classes, len(re.findall(r"(?:^|[\s>+~])[A-Za-z]", selector))


class _Page:
    """The elements of a page, and what may show them. shown: rules that show something, with their order."""

    def __init__(self, soup: BeautifulSoup, shown: Iterable[tuple[int, _Rule]]) -> None:
        self._named: dict[str, list[Tag]] = {}
        self._letters = letters(soup.get_text())
        for tag in soup.find_all(True):
            for name in _names(tag):
                self._named.setdefault(name, []).append(tag)
        self._looks = 0
        self._shown: dict[str, list[tuple[int, _Rule]]] = {}  # by a name of the selector's last part, if it has one
        for order, rule in shown:
            for name in _last_names(rule.selector) or [""]:
                self._shown.setdefault(f"{name} {rule.prop}", []).append((order, rule))
        scripts = soup("script")
        self._scripted, self._unknown = bool(scripts), any(script.get("src") for script in scripts)
        said = [words for script in scripts for _, words in _QUOTED.findall(script.get_text())]
        said += [str(tag[key]) for key in _CONTROLLING for tag in soup.select(f"[{key}]")]
        self._operated = frozenset(_WORD.findall(" ".join(said)))

    def matches(self, selector: str) -> Sequence[Tag]:
        """The elements that a simple selector means; none where looking for them would take too long.

        From its first part to the last, so that each element is looked at once for a part, however deep it stands.
        """
        found: list[Tag] = []
        around: frozenset[int] | None = None
        for combinator, compound in _PART.findall(selector):
            names = {mark + (name if mark else name.lower()) for mark, name in _NAME.findall(compound)}
            tags = min((self._named.get(name, []) for name in names), key=len)
            self._looks += 1 + len(tags)
            if self._looks > _MAX_LOOKS:
                return ()
            found = [tag for tag in tags if names.issubset(_names(tag)) and _stands(tag, around, combinator)]
            around = frozenset(map(id, found))
        return found

    def is_kept(self, tag: Tag, rule: _Rule, order: int) -> bool:
        """Whether an element that a rule hides stays hidden, as far as there was time to look."""
        if self._looks > _MAX_LOOKS or self._may_be_shown(tag, rule, order) or self._is_operated(tag, rule):
            return False
        inside = tag.find_all(True) if rule.prop in _INHERITED else ()
        return not any(self._may_be_shown(each, rule, order, inside=True) for each in inside)

    def _may_be_shown(self, tag: Tag, rule: _Rule, order: int, *, inside: bool = False) -> bool:
        """Whether another rule, or its own style, shows an element; what stands inside needs no stronger one."""
        own = re.search(rf"(?<![-\w]){rule.prop}\s*:", str(tag.get("style") or ""), re.IGNORECASE)
        if own and not (rule.weight[0] and not inside):
            return True
        names = _names(tag)
        if any(f"{name} animation" in self._shown for name in names):
            return True
        known = [each for name in ("", *names) for each in self._shown.get(f"{name} {rule.prop}", ())]
        self._looks += 1 + len(known)
        strength = (rule.weight, order)
        return any(inside or (other.weight, place) > strength for place, other in known)

    def _is_operated(self, tag: Tag, rule: _Rule) -> bool:
        """Whether a script of the page or a button in it shows what a rule hides, or one that is not at hand may."""
        own = _marked(_names(tag)) | _marked(mark + name for mark, name in _NAME.findall(rule.selector))
        if not self._operated.isdisjoint(own | {name.rstrip(digits) for name in own}):  # «'tab' + n»
            return True
        around = own.union(*(_marked(_names(each)) for each in tag.parents)) if self._unknown else ()
        if _UNFOLDING.search(" ".join(around).lower()):
            return True
        return self._scripted and 2 * letters(tag.get_text()) > self._letters  # the page itself, until it is loaded


def _marked(names: Iterable[str]) -> frozenset[str]:
    """The classes and identifiers among names, without their marks."""
    return frozenset(name[1:] for name in names if name[0] in ".#")


def _stands(tag: Tag, around: Container[int] | None, combinator: str) -> bool:
    """Whether an element stands in one of those `around`, by their `id`; right in it, where the combinator says so."""
    if around is None:
        return True
    return any(id(each) in around for each in ([tag.parent] if combinator else tag.parents))


def _names(tag: Tag) -> list[str]:
    """Its identifier, classes and element, as selectors write them."""
    classes = [f".{name}" for name in tag.get_attribute_list("class") if name]
    return [*([f"#{tag['id']}"] if tag.get("id") else []), *classes, tag.name.lower()]


def _last_names(selector: str) -> list[str]:
    """The classes and identifier of the last part of a selector without states, or its element."""
    last = _LAST.search(_STATE.sub("", selector).rstrip(" >+~"))
    found = [mark + name for mark, name in _NAME.findall(last[0])] if last else []
    return [name for name in found if name[0] in ".#"] or [name.lower() for name in found]
