"""What the style sheets of a page keep from being displayed.

A sheet hides today what a script or a click may show tomorrow: tabs, menus, answers that unfold. So an element counts
as hidden only where a rule of classes, names and elements hides it, and nothing at hand shows it: no rule as strong
(«.tab.active», «.menu:hover ul», one for wide screens), no script or button that names it. What cannot be told is
taken for shown. Colours are not looked at: who knows what is painted behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, islice
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

from rag_system.ingestion.loaders.inline_style import hides
from rag_system.ingestion.loaders.visibility import letters

__all__ = ["hidden_by_sheets"]

_MAX_SHEET = 500_000  # characters; a framework has 300,000
_MAX_SELECTOR = 200  # characters
_MAX_TRIES = 100_000  # of a selector on an element: some seconds; what is not tried is taken for shown
_MAX_DEPTH = 30  # of brackets in brackets; a sheet with more is not read
_COMMENT, _BRACKET = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL), re.compile(r"[(\[{]|[)\]}]")
_HOLDERS = frozenset(("media", "supports", "layer"))  # at-rules with rules in them
_PLACES = frozenset("left right top bottom text-indent margin-left clip".split())
_PROPERTIES = frozenset("display visibility opacity font-size".split()) | _PLACES
_INHERITED = frozenset(("visibility", "font-size"))  # what stands inside may be shown all the same
_MOVING = re.compile(r"^(?:-\w+-)?(?:animation|transition)")
_EVERYWHERE = frozenset(("", "all", "screen"))  # media whose rules hold for who reads on a screen
_SIMPLE = re.compile(r"[\w\s.#>+~-]+")
_STATE = re.compile(r"::?[\w-]+(?:\([^()]*\))?|\[[^\]]*\]")  # what a click, the pointer or a script changes
_COMPOUND = re.compile(r"[^\s>+~]+$")
_NAME = re.compile(r"([.#]?)((?:[^\W\d]|-)[\w-]*)")
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


def hidden_by_sheets(soup: BeautifulSoup, linked: Iterable[str] = ()) -> frozenset[int]:
    """The `id` of each element that the page's sheets, and the text of those `linked`, hide."""
    rules = [rule for sheet in (*linked, *_sheets(soup)) for rule in _rules(sheet[:_MAX_SHEET])]
    hiding = [(order, rule) for order, rule in enumerate(rules) if rule.hides and rule.sure]
    if not hiding:
        return frozenset()
    page = _Page(soup, [(order, rule) for order, rule in enumerate(rules) if not rule.hides])
    tries = ((order, rule, test, tag) for order, rule in hiding for test, tag in page.candidates(rule.selector))
    hidden: set[int] = set()
    for order, rule, test, tag in islice(tries, _MAX_TRIES):
        if id(tag) not in hidden and test(tag) and page.is_kept(tag, rule, order):
            hidden.add(id(tag))
    return frozenset(hidden)


def _sheets(soup: BeautifulSoup) -> Iterator[str]:
    """Those that hold where a page is read on a screen."""
    for sheet in soup("style"):
        media = str(sheet.get("media") or "").strip().lower()
        if sheet.find_parent(["noscript", "svg", "template"]) is None:
            yield sheet.get_text() if media in _EVERYWHERE else f"@media {media} {{{sheet.get_text()}}}"


@lru_cache(maxsize=16)  # the chapters of a book share theirs
def _rules(sheet: str) -> Sequence[_Rule]:
    import tinycss2

    if _depth(sheet) > _MAX_DEPTH:
        return []
    return list(_read(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True), sure=True))


def _depth(sheet: str) -> int:
    """How deep its brackets stand in each other."""
    steps = (1 if bracket in "([{" else -1 for bracket in _BRACKET.findall(_COMMENT.sub("", sheet)))
    return max(accumulate(steps), default=0)


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
    moving = any(_MOVING.match(each.lower_name) for each in declarations)
    for selector in map(str.strip, tinycss2.serialize(node.prelude).split(",")):
        for each in declarations if 0 < len(selector) <= _MAX_SELECTOR else ():
            if each.lower_name in _PROPERTIES:
                hidden = hides(f"{each.lower_name}:{tinycss2.serialize(each.value).strip()}")
                held = sure and not moving and _SIMPLE.fullmatch(selector) is not None
                weight = (each.important, *_specificity(selector))
                yield _Rule(selector, each.lower_name, hidden, held, weight)


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
        self._shown: dict[str, list[tuple[int, _Rule]]] = {}  # by a name of the last part of the selector
        for order, rule in shown:
            for name in _last_names(rule.selector):
                self._shown.setdefault(f"{name} {rule.prop}", []).append((order, rule))
        scripts = soup("script")
        self._scripted, self._unknown = bool(scripts), any(script.get("src") for script in scripts)
        said = [words for script in scripts for _, words in _QUOTED.findall(script.get_text())]
        said += [str(tag[key]) for key in _CONTROLLING for tag in soup.select(f"[{key}]")]
        self._operated = frozenset(_WORD.findall(" ".join(said)))

    def candidates(self, selector: str) -> Iterator[tuple[Callable[[Tag], bool], Tag]]:
        """The elements that a selector may mean, and what tells whether it does."""
        import soupsieve

        tags = self._named.get(next(iter(_last_names(selector)), ""), ())
        try:
            test = soupsieve.compile(selector).match if tags else bool
        except (soupsieve.SelectorSyntaxError, NotImplementedError):
            return
        yield from ((test, tag) for tag in tags)

    def is_kept(self, tag: Tag, rule: _Rule, order: int) -> bool:
        """Whether an element that a rule hides stays hidden."""
        if self._may_be_shown(tag, rule, order) or self._is_operated(tag):
            return False
        inside = tag.find_all(True) if rule.prop in _INHERITED else ()
        return not any(self._may_be_shown(each, rule, order, inside=True) for each in inside)

    def _may_be_shown(self, tag: Tag, rule: _Rule, order: int, *, inside: bool = False) -> bool:
        """Whether another rule, or its own style, shows an element; what stands inside needs no stronger one."""
        own = re.search(rf"(?<![-\w]){rule.prop}\s*:", str(tag.get("style") or ""), re.IGNORECASE)
        if own and not (rule.weight[0] and not inside):
            return True
        known = (each for name in _names(tag) for each in self._shown.get(f"{name} {rule.prop}", ()))
        strength = (rule.weight, order)
        return any(inside or (other.weight, place) > strength for place, other in known)

    def _is_operated(self, tag: Tag) -> bool:
        """Whether a script of the page or a button in it shows an element, or one that is not at hand may."""
        own = {name[1:] for name in _names(tag) if name[0] in ".#"}
        if own & self._operated:
            return True
        if self._unknown and _UNFOLDING.search(" ".join(own).lower()):
            return True
        return self._scripted and 2 * letters(tag.get_text()) > self._letters  # the page itself, until it is loaded


def _names(tag: Tag) -> list[str]:
    """Its identifier, classes and element, as selectors write them."""
    classes = [f".{name}" for name in tag.get_attribute_list("class") if name]
    return [*([f"#{tag['id']}"] if tag.get("id") else []), *classes, tag.name.lower()]


def _last_names(selector: str) -> list[str]:
    """The classes and identifier of the last part of a selector without states, or its element."""
    last = _COMPOUND.search(_STATE.sub("", selector).rstrip(" >+~"))
    found = [mark + name for mark, name in _NAME.findall(last[0])] if last else []
    return [name for name in found if name[0] in ".#"] or [name.lower() for name in found]
