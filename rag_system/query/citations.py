"""Author and year in a question: «Arias(2020)», «García et al. (2019)», «(Arias, 2020, p. 45)».

Months, places, laws, standards, codes and events are followed by years too, and are not authors. What tells them apart
is in `data/citas.toml`, which a person can edit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rag_system.query.identifiers import blotted, find_identifiers
from rag_system.query.text import fold
from rag_system.query.word_lists import load_data, words

__all__ = ["CitationCue", "find_citations", "name_in_print"]


@dataclass(frozen=True, slots=True)
class CitationCue:
    """The authors (lower case, accents as written) and years that a question cites; empty when it cites none."""

    authors: tuple[str, ...] = ()
    years: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.authors)


_LISTS = {name: frozenset(listed.split()) for name, listed in load_data("citas.toml").items()}
_SURNAMES, _FIRST_NAMES = _LISTS["apellidos"], _LISTS["nombres"]
_NEVER, _BODIES, _EVERYDAY = _LISTS["no_autores"], _LISTS["organismos"], _LISTS["apellidos_corrientes"]
_PLACES = _LISTS["lugares_con_nombre"]

_L = r"[^\W\d_]"
_PARTICLE = r"(?:(?:de\s+la|de\s+los|de\s+las|del|de|van\s+der|van\s+den|van|von|da|dos|di|la|le|san|santa)\s+)"
_INITIALS = rf"(?:{_L}\.\s?(?:-?{_L}\.\s?)*)"
_NO_NAME = r"(?!(?:et|y|e|and|cols?|en|colaboradores|otros|año|como)\b|del?\s+\d)"
_NAME = rf"{_NO_NAME}{_L}['’]?{_L}+(?:[-‐–]{_L}{_L}+)*"
_PERSON = rf"(?:{_INITIALS}\s?)?{_PARTICLE}?{_NAME}(?:\s+{_PARTICLE}?{_NAME}){{0,3}}(?:,\s?{_INITIALS})?"
_JOINT = r"(?:\s*,\s*(?:y\s+|e\s+|&\s*)?|\s+(?:y|e|and)\s+|\s*&\s*)"
_AND_OTHERS = r"(?:,?\s*(?:et\.?\s*al\b\.?|y\s+cols?\b\.?|y\s+colaboradores|y\s+otros|&\s+cols?\.?|and\s+others))"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_PAGES = r"(?:\s*[,:;]\s*(?:pp?\.|pags?\.|págs?\.|p[aá]ginas?|cap\.)?\s*\d+(?:\s*[-–]\s*\d+)?)?"

_CITATION = re.compile(
    rf"""
    (?P<people>{_PERSON}(?:{_JOINT}{_PERSON}){{0,5}})
    (?P<others>{_AND_OTHERS})?
    (?: \s*,?\s*[(\[]\s*(?P<in_parens>{_YEAR}(?:\s*[,;y]\s*{_YEAR})*){_PAGES}\s*[)\]]
      | \s*,\s*(?P<after_comma>{_YEAR}(?:\s*[,y]\s*{_YEAR})*)(?![\w-]|/\d)
      | \s+(?P<bare>{_YEAR})(?![\w/-]|[.,]\d)
      | \s+(?:del?|en)\s+(?:el\s+)?(?:año\s+)?(?P<told>{_YEAR})(?![\w/-]|[.,]\d) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_YEAR_NEAR = re.compile(_YEAR)
_SPACE = re.compile(r"\s")
_REACH = 120  # characters that the names of a citation may take
_CUE = re.compile(
    r"""(?:segun|cita(?:do|da|n|r)?(?:\s+(?:a|de|por))?|autor(?:es|a)?|de\s+acuerdo\s+(?:con|a)|para|conforme\s+a|propuest[oa]\s+por|siguiendo\s+a|como\s+(?:dice|señala|afirma)
    |(?:dice|dijo|dicen|sostiene|sostienen|afirma|afirman|plantea|plantean|propone|proponen|define|definen|señala|señalan|menciona|mencionan|concluye|concluyen
    |explica|explican|indica|indican|argumenta|argumentan|encontro|encontraron|hallo|hallaron|describe|describen|considera|consideran|escribio|publico|publicaron)
    |(?:teoria|modelo|estudio|trabajo|tesis|libro|articulo|investigacion|metodologia|definicion|aporte|obra|cita|conclusiones?|resultados|hallazgos|texto|paper|planteamiento|enfoque|concepto)\s+de)\s*$""",
    re.VERBOSE,
)
_COMMON_ENDINGS = """
    cion sion ciones siones miento mientos dad dades ismo ismos aje ajes ancia encia ancias encias tud eria ario
    arios ador adores idor able ible mente ando iendo ivo iva ivos ivas logia grafia ales icos icas ico ica
""".split()
_COMMON_ENDING = re.compile(rf"(?:{'|'.join(_COMMON_ENDINGS)})$")
_OPENERS = frozenset(words("aperturas_de_cita"))


def find_citations(text: str) -> CitationCue:
    """The authors and years that a text cites.

    >>> find_citations("¿Qué dicen Hernández y Mendoza (2018)?")
    CitationCue(authors=('hernández', 'mendoza'), years=(2018,))
    """
    if not _YEAR_NEAR.search(text):
        return CitationCue()
    text = unicodedata.normalize("NFC", text)
    text = blotted(text, find_identifiers(text), "#")  # a sign that belongs to no name: «COBIT 2019» cites nobody
    authors: dict[str, None] = {}
    years: dict[int, None] = {}
    for match in _cited(text):
        if people := _Reading(match).authors():
            authors |= dict.fromkeys(people)
            written = next(filter(None, (match[name] for name in ("in_parens", "after_comma", "bare", "told"))))
            years |= dict.fromkeys(int(year[:4]) for year in _YEAR_NEAR.findall(written))
    return CitationCue(tuple(authors), tuple(years))


def name_in_print(author: str) -> str:
    """A lower-case surname as it is printed: «de la cruz» → «De la Cruz», «ramón y cajal» → «Ramón y Cajal»."""
    first, *others = author.split()
    return " ".join([first.title(), *(word if word in _PARTICLES else word.title() for word in others)])


def _cited(text: str) -> Iterator[re.Match[str]]:
    """Names followed by a year. Only what stands near a year is looked at, so that no text is slow to read."""
    position = 0
    while year := _YEAR_NEAR.search(text, position):
        start = max(position, year.start() - _REACH)
        start = next((space.end() for space in _SPACE.finditer(text, start, year.start())), start) if start else 0
        match = _CITATION.search(text, start, min(len(text), year.end() + _REACH))
        if match and match.start() < year.end():
            yield match
        position = max(year.end(), match.end() if match and match.start() < year.end() else 0)


class _Reading:
    """One place where names are followed by a year."""

    def __init__(self, match: re.Match[str]) -> None:
        text = match.string
        self._match = match
        self._shouted = text.isupper()
        self._lowered = text.islower()
        self._at_start = not re.search(r"\w", text[: match.start()])

    def authors(self) -> list[str]:
        """The surnames, when every one of them can be an author; nothing otherwise."""
        pieces = re.split(_JOINT, self._match["people"], flags=re.IGNORECASE)
        people = [piece for piece in pieces if not re.fullmatch(rf"{_INITIALS}?", piece.strip())]
        surnames: list[str] = []
        for index, person in enumerate(people):
            surname, cued = self._surname(person, first=index == 0)
            if surname and self._is_author(surname, cued=cued, joined=len(people) > 1 or bool(self._match["others"])):
                surnames.append(surname.lower())
            elif index == len(people) - 1:
                return []  # the name beside the year is no author
            else:
                surnames.clear()  # «en Lima, Arias y Gómez (2019)»: what stands before was no part of the list
        return surnames

    def _surname(self, person: str, *, first: bool) -> tuple[str, bool]:
        """The words that are the surname, and whether a cue («según») introduces them."""
        person = re.sub(rf"(?<!\w){_INITIALS}\s?|,\s*$", "", f"{person} ").strip(" ,")
        said = person.split()
        start = _name_start(said, keep_case=not (self._shouted or self._lowered))
        before = self._match.string[: self._match.start()] if first else ""
        cue = bool(_CUE.search(fold(f"{before}{' '.join(said[:start])} ")))
        return " ".join(said[start:]), cue

    def _word_before(self, surname: str) -> str:
        """The word before the name: «Código Civil (1984)», «Tribunal Constitucional (2006)» name things."""
        before = re.findall(r"\w+", fold(self._match.string[: self._match.start()] + self._match["people"]))
        place = len(before) - len(re.findall(r"\w+", surname)) - 1
        return before[place] if place >= 0 else ""

    def _is_author(self, surname: str, *, cued: bool, joined: bool) -> bool:
        head = [word for word in re.split(r"[\s-]+", fold(surname)) if word not in _PARTICLES]
        if not head or (_is_never(head) and not self._others_say_so(head)):
            return False
        known = any(word in _SURNAMES for word in head)
        if self._match["told"]:
            return known and cued
        if head[-1] in _BODIES:
            return bool(self._match["in_parens"])
        if self._match["others"]:
            return True
        sure = cued or joined
        return (
            self._known_is_author(surname, head[-1], sure=sure)
            if known
            else self._unknown_is_author(surname, head[-1], sure=sure)
        )

    def _known_is_author(self, surname: str, last: str, *, sure: bool) -> bool:
        """Surnames are also everyday words («flores 2019») and names of places («Jr. Arias 2020»)."""
        if sure or self._set_apart():
            return True
        return not (self._lowered and last in _EVERYDAY) and self._word_before(surname) not in _PLACES

    def _unknown_is_author(self, surname: str, last: str, *, sure: bool) -> bool:
        """A capital at the start of the question says nothing, and neither does an ending of common nouns."""
        if not self._capitalised(surname):
            return sure and self._set_apart()
        if sure:
            return True
        if self._word_before(surname) in _NEVER - _OPENERS:
            return False
        return not _COMMON_ENDING.search(last) and (self._set_apart() or not self._at_start)

    def _set_apart(self) -> bool:
        """Whether the year stands as citations put it: in parentheses or after a comma."""
        return bool(self._match["in_parens"] or self._match["after_comma"])

    def _others_say_so(self, head: list[str]) -> bool:
        """«Santiago et al. (2018)»: a place that is a surname here."""
        return bool(self._match["others"]) and len(head) == 1 and head[0] in _SURNAMES | _FIRST_NAMES

    def _capitalised(self, surname: str) -> bool:
        return (
            not self._shouted
            and not self._lowered
            and surname.rsplit(maxsplit=1)[-1][:1].isupper()
            and not surname.isupper()
        )


_PARTICLES = frozenset("de la los las del van der den von da dos di le san santa y".split())


_BARE_ARTICLES = frozenset({"la", "los", "las", "le"})  # of a name only after «de»


def _name_start(said: list[str], *, keep_case: bool) -> int:
    """Where the surname starts: after the sentence's own words and the first names, keeping the particles."""
    start = len(said) - 1
    while start > 0 and _belongs(said[start - 1], said[start], keep_case=keep_case):
        start -= 1
    while start < len(said) - 1 and (fold(said[start]) in _FIRST_NAMES or said[start] in _BARE_ARTICLES):
        start += 1
    return start


def _belongs(word: str, following: str, *, keep_case: bool) -> bool:
    """Whether a word is part of the name that follows it."""
    plain = fold(word)
    if word == "de" and (following[:1].isupper() or fold(following) not in _PARTICLES):
        return False  # «el modelo de Porter», against «de la Cruz» and «De Bono»
    if plain in _PARTICLES:
        return keep_case is False or following[:1].isupper() or fold(following) in _PARTICLES
    if plain in _OPENERS or plain in _NEVER:
        return False
    if keep_case:
        return word[:1].isupper()
    return plain in _SURNAMES or plain in _FIRST_NAMES


def _is_never(head: list[str]) -> bool:
    return any(word in _NEVER for word in (head[0], head[-1])) and not (len(head) > 1 and head[0] in _SURNAMES)
