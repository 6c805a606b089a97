"""Spanish sentences, as spans of the text they come from: a quote must occur literally in its source.

Knows what ends with a full stop without ending a sentence: «Art.», «inc.», «N.°», «Sr.», «D.S.», «D.Leg.», «núm.»,
initials, enumerators such as «1.» and «a)», «Capítulo II.» before its name. Line ends count where a list, a heading or
a paragraph ends there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = [
    "CELL",
    "ITEM_MARK",
    "Span",
    "ends_in_abbreviation",
    "sentence_end_before",
    "shortened",
    "split_sentences",
]

CELL = " | "  # between the cells of a row
# How an item of a list begins, or a row of a table.
ITEM_MARK = re.compile(
    r"\s*[*_]*(?:[-–—•·▪]\s|\(?[a-zñ]{1,2}[.)]|\(?\d{1,3}(?:\.\d{1,3})*[.)]|\(?[ivxIVX]{1,5}[.)]|\|)"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch `text[start:end]` without white space at its ends."""

    start: int
    end: int
    text: str


_LAW = """
    art arts inc incs lit num núm núms nro nros no nº nºs n°s n.ºs n.°s n ap apdo párr parr cap caps tít tit secc sec
    disp exp res rd rm rs rj ds dl du dleg d.leg leg d.legis legis d.lgvo d.ley d.sup sup min r.leg r.min r.sup r.dir
    r.adm r.jef of ofic inf mem memo cas const dec ord acdo direct circ ley reg fracc frac cfr vid cf op ob cit ibid
    ibíd ed eds vol vols pág pag págs pags pp p fig figs tab anx ss sgtes aprox máx mín km
"""
_PEOPLE_AND_PLACES = """
    sr sra srta sres dr dra dres lic ing arq prof abog econ mg mgtr phd gral cnel tte mons rvdo fr sto sta san d dña
    av avda jr ca urb psje mz lt dpto dto dist prov tel telf cel ee uu s.a sa srl s.a.c sac eirl cía cia ltda hnos
"""
_READING = """
    ej p.ej etc et al vs v gr a.c d.c ene feb abr may jun jul ago set sep sept oct nov dic
"""
_ABBREVIATIONS = frozenset(f"{_LAW} {_PEOPLE_AND_PLACES} {_READING}".split())
# What often does end a sentence although it is an abbreviation, when a capital follows.
_ENDS_ANYWAY = frozenset(
    """ley leg d.leg legis d.legis d.lgvo d.ley sup d.sup min memo direct
    km uu etc al aprox cía cia srl sac eirl ltda hnos no n p a.c d.c""".split()
)

# Possessive and anchored at the first stop of a run: time grows with the length of the text, whatever the text is.
_STOP = re.compile(
    r"""(?<![.!?…])(?P<stop>[.!?…]++["»”’)\]]*+(?:\s?\[M?\d{1,3}\])*+)  # the stop, closing marks, citation markers
        (?=\s++["«“¿¡(\[—–-]{0,3}\s?[A-ZÁÉÍÓÚÜÑ0-9¿¡«“])""",
    re.VERBOSE,
)
_LIST_MARK = r"(?:[-–—•·▪*]\s|\(?[a-zñ]\)\s|\(?\d{1,3}[.)]-?\s|\d{1,3}(?:\.\d{1,3})+\.?-?\s|\(?[ivx]{1,5}[.)]\s|\|)"
_LINE_END = re.compile(rf"\n(?=[^\S\n]*+(?:\n|{_LIST_MARK}|[#A-ZÁÉÍÓÚÜÑ0-9¿¡«“\"*_]))|(?<=[.:;!?])\n")
_FIGURE_OF_A_WORD = re.compile(r"[^\S\n]*\(\d{1,3}\)\s")  # «… de nueve ⏎ (9) meses»: a list begins after a stop
# What an abbreviation goes on with: «Ley N.° 27444», «art. 5», and the year of a citation, «Flores et al. (2020)».
_NUMBER = re.compile(r"\s*+(?:n(?:ro\.?|úm\.?|\.?\s?[º°]s?\.?|\.)\s*+|\((?=\d{4}))?\d", re.IGNORECASE)
_DOTTED = re.compile(r"(?<!\w)[^\W\d]{1,2}(?:\.\s?[^\W\d]+)+\.$")  # «D.S.», «D. Leg.»
_LAST_WORD = re.compile(r"([\w.ªº°]+)$")
# «párrafo 64.3.» ends a sentence: the point inside a number opens nothing.
_ENUMERATOR = re.compile(
    r"""(?:^|[\n;:]|\.(?!(?<=\d\.)\d))["»”’)]?\s*[*_"«“(\[]*
        (?:[a-zñA-ZÑ]|\d{1,3}(?:-[A-Z])?(?:\.\d{1,3})*|[ivxlIVXL]{1,7}
        |(?i:(?:sub)?cap[ií]tulo|t[ií]tulo|secci[oó]n|libro|anexo|tema)\s(?:[ivxlcIVXLC]{1,7}|\d{1,3}))$""",
    re.VERBOSE,
)


def split_sentences(text: str) -> list[Span]:
    """The sentences of a text, in order; together they hold everything but white space."""
    spans: list[Span] = []
    start = 0
    for end in _boundaries(text):
        _add(spans, text, start, end)
        start = end
    _add(spans, text, start, len(text))
    return spans


def sentence_end_before(text: str, limit: int) -> int:
    """The last end of a sentence at or before `limit`, or 0."""
    return max((span.end for span in split_sentences(text[: limit + 1]) if _is_end(text, span.end, limit)), default=0)


def shortened(text: str, longest: int, *, least: int = 1) -> str:
    """At most `longest` characters of the beginning: whole sentences of `least` characters in all, else whole words."""
    if len(text) <= longest:
        return text
    end = sentence_end_before(text, longest)
    words = text[: max(longest, 0)].rsplit(None, 1)
    return text[:end].rstrip() if end >= least else "".join(words[:1]).rstrip()


def ends_in_abbreviation(text: str) -> bool:
    """Whether the full stop at the end of a text is an abbreviation's: «… del D.Leg.», «… Los Andes S.A.C.»."""
    tail = text[-25:]
    word = _LAST_WORD.search(tail[:-1]) if tail.endswith(".") else None
    sure = word is not None and word[1].casefold() in _ABBREVIATIONS - _ENDS_ANYWAY
    return sure or _DOTTED.search(tail) is not None


def _is_end(text: str, end: int, limit: int) -> bool:
    return end <= limit and (text[end - 1] in ".!?…:;»”)]" or text[end : end + 1] in {"", "\n"})


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        first = start + len(piece) - len(piece.lstrip())
        spans.append(Span(first, first + len(stripped), stripped))


def _boundaries(text: str) -> Iterator[int]:
    stops = (match.end("stop") for match in _STOP.finditer(text) if not _goes_on(text, match))
    lines = (match.end() for match in _LINE_END.finditer(text) if not _goes_on_below(text, match))
    yield from sorted({*stops, *lines})


def _goes_on_below(text: str, line_end: re.Match[str]) -> bool:
    return text[line_end.start() - 1].islower() and _FIGURE_OF_A_WORD.match(text, line_end.end()) is not None


def _goes_on(text: str, match: re.Match[str]) -> bool:
    """Whether the full stop belongs to an abbreviation, an initial or an enumerator."""
    if match["stop"] != ".":
        return False
    before = text[max(0, match.start() - 24) : match.start()]
    if before.endswith("S/") or _ENUMERATOR.search(before):  # «S/. 500»
        return True
    found = _LAST_WORD.search(before)
    if found is None:
        return False
    word = found[1].strip(".").casefold()
    if len(word) == 1 and word.isalpha():  # «J. Pérez», «D.S. N.° 004»
        return True
    return word in _ABBREVIATIONS and (word not in _ENDS_ANYWAY or _NUMBER.match(text, match.end()) is not None)
