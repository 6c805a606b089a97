"""The figures of a Spanish text in one form: «quince (15) días», «15 días» and «15 dias» claim the same.

Read are numbers in digits and in words with the unit beside them, percentages, amounts, dates, hours, articles
and codes («F-OAC-009»). Names of norms are no figures: `query.identifiers` reads those.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rag_system.generation.words import root
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import find_identifiers
from rag_system.query.months import MONTHS
from rag_system.query.spelled_numbers import ONES, SPELLED, read_spelled
from rag_system.query.text import fold

__all__ = ["Figure", "is_among", "read_figures", "says", "with_unit", "without_figures"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure where it stands: `text[start:end]`, of the text in NFC."""

    value: str  # canonical: "15", "0.5", "1500", "2021-03-15" with zeros for what a date leaves out, "f-oac-009"
    unit: str  # "" without one; "date", "weekday", "hour", "article", "code", or a measure: "dia"
    start: int
    end: int
    of: str = ""  # of days "habil" or "calendario", where told; of numbers without a unit, the root of the next word


def read_figures(text: str) -> list[Figure]:
    """The figures of a text, in order.

    >>> [(figure.value, figure.unit) for figure in read_figures("quince (15) días, S/ 1,500.00 o el 40 %")]
    [('15', 'dia'), ('15', 'dia'), ('1500', 'soles'), ('40', '%')]
    """
    text = unicodedata.normalize("NFC", text)
    return _Parser(text).read()


def without_figures(text: str, figures: Sequence[Figure]) -> str:
    """The text without its figures and their units."""
    for figure in reversed(figures):
        after = _AFTER.match(fold(text[figure.end : figure.end + _LONGEST_AFTER])) if figure.unit else None
        text = f"{text[: figure.start]} {text[figure.end + (after.end() if after else 0) :]}"
    return text


def with_unit(text: str, figure: Figure) -> tuple[int, int]:
    """Where a figure of the text begins and ends as it is read: «S/ 1,500.00», «15 (quince) días hábiles»."""
    start, end, plain = figure.start, figure.end, aligned_fold(text)
    before = (sign.search(plain[max(0, start - _LONGEST_BEFORE) : start]) for _, sign in _BEFORE)
    start -= next((len(found[0]) for found in before if found), 0)
    if figure.unit and (unit := _AFTER.match(plain, end)):
        end = unit.end()
    if figure.of and (of := (_KIND_OF_DAY if figure.unit else _NEXT_WORD).match(plain, end)):
        end = of.end()
    return start, end


def is_among(claimed: Figure, stated: Iterable[Figure]) -> bool:
    """Whether one of the figures stated says what is claimed: as much of a date, the same unit where both have one."""
    return any(says(each, claimed) for each in stated)


def says(stated: Figure, claimed: Figure) -> bool:
    """Whether one figure says what is claimed."""
    if claimed.unit == "date":
        return stated.unit == "date" and _fits(claimed.value, stated.value)
    if claimed.of and stated.of and claimed.unit == stated.unit == "dia" and claimed.of != stated.of:
        return False
    if claimed.unit == "article":  # «artículo 218» where «218.2» opens a paragraph
        same = stated.unit in {"article", ""}
        return same and (stated.value == claimed.value or stated.value.startswith(f"{claimed.value}."))
    if stated.unit == "date" and not claimed.unit:
        return claimed.value == stated.value[:4]  # a year
    if stated.value != claimed.value:
        return False
    return stated.unit == claimed.unit or not claimed.unit or not (stated.unit or stated.of)


def _fits(claimed: str, stated: str) -> bool:
    pairs = zip(claimed.split("-"), stated.split("-"), strict=True)
    return all(mine in {theirs, "00", "0000"} for mine, theirs in pairs)


# ---------------------------------------------------------------- how figures are written, in an aligned fold

_MONTH_NUMBERS = {month: number for number, month in enumerate(MONTHS, 1)} | {"setiembre": 9}
_MONTH = "|".join(_MONTH_NUMBERS)
_OF_YEAR = r"(?:\s*,?\s+(?:de\s+|del\s+(?:año\s+|ano\s+)?)?(?P<y>(?:19|20)\d\d))"
_DAY_WORD = rf"(?:{SPELLED.pattern})|primero"

_ISO_DATE = re.compile(r"(?<!\d)(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?!\d)")
_SHORT_DATE = re.compile(r"(?<![\d/-])(?P<d>\d{1,2})\s?(?P<s>[/-])\s?(?P<m>\d{1,2})\s?(?P=s)\s?(?P<y>\d{4}|\d\d)(?!\d)")
_LONG_DATE = re.compile(
    rf"(?:(?<!\d)(?P<d>\d{{1,2}})\.?°?|(?P<w>{_DAY_WORD}))(?:\s*\(\d{{1,2}}\))?\s+(?:de\s+)?(?P<m>{_MONTH})(?![a-zñ]){_OF_YEAR}?"
)
_MONTH_OF_YEAR = re.compile(rf"(?<![a-zñ])(?P<m>{_MONTH}){_OF_YEAR}")
_MONTH_ALONE = re.compile(rf"(?<![a-zñ])(?P<m>{_MONTH})(?![a-zñ])(?P<y>)")
_WEEKDAY = re.compile(r"(?<![a-zñ])(lunes|martes|miercoles|jueves|viernes|sabado|domingo)s?(?![a-zñ])")
_HOUR = re.compile(
    r"(?<![\d:.,])(?P<h>\d{1,2})[:.](?P<m>[0-5]\d)(?=\s*(?:h|hrs?|horas?|[ap]\.?\s?m)\b)|(?<![\d:])(?P<h2>\d{1,2}):(?P<m2>[0-5]\d)(?![\d:])"
)
_AFTER_NOON = re.compile(r"\s*p\.?\s?m\b")
_ONE_ARTICLE = r"\d+(?:\.\d+)*°?(?:-[a-z](?![a-zñ]))?"
_ARTICLES = re.compile(
    r"(?<![a-zñ])(?:articulos?|arts?\.?|numeral(?:es)?|incisos?)\s*(?:n\.?°\s*)?"
    rf"{_ONE_ARTICLE}(?:\s*(?:,|y|e|o|al?|-)\s*{_ONE_ARTICLE}(?!\s*(?:dias|meses|años|anos|horas|%|uit)))*"
)
_CODE = re.compile(
    r"(?<![\w/-])(?!s/\.?\s?\d)(?=[a-z0-9/-]*\d)(?=[a-z0-9/-]*[a-z])[a-z0-9]+(?:[-/][a-z0-9]+(?:\.\d+)*)+(?![\w])"
)
_PARTS = {"medi": 2, "terc": 3, "cuart": 4, "quint": 5, "sext": 6, "octav": 8, "decim": 10}
_FRACTION = re.compile(
    rf"(?<![a-zñ])(?P<n>un|una|la|{'|'.join(ONES)})\s+(?P<d>medi|terc|cuart|quint|sext|octav|decim)(?:io|era?|o|a)s?(?P<p>\s+partes?)?(?![a-zñ])"
)
_DIGITS = re.compile(
    r"(?<![\d.,])\d{1,3}(?:[.,']\d{3})+(?:[.,]\d{1,2})?(?!\d)|(?<![\w.,])\d{1,3}(?:\s\d{3})+(?!\d|[.,]\d)|(?<![a-zñ])\d+(?:[.,]\d+)*"
)
_THOUSANDS = re.compile(r"(?P<whole>\d{1,3}(?:[.,'\s]\d{3})+)(?P<cents>[.,]\d{1,2})?")
_LIST_MARK = re.compile(r"(?:^|\n)\s*(?:[-•*]\s*)?\(?\d{1,3}[.)]-?(?=\s)")

# What is counted → how it is written. Only units of which another would be another claim.
_COUNTED = (
    ("%", r"%|por\s?ciento(?![a-zñ])"),
    ("uit", r"uits?(?![a-zñ])|unidad(?:es)?\s+impositivas?"),
    # What several countries count fees and fines in, so that they keep their worth.
    ("cuenta", r"unidad(?:es)?\s+(?:(?:reajustable|indexada|tributaria)s?|de\s+(?:fomento|valor|cuenta))(?![a-zñ])"),
    ("pesos", r"pesos(?![a-zñ])"),
    ("soles", r"(?:nuevos\s+)?sol(?:es)?(?![a-zñ])"),
    ("dolares", r"dolar(?:es)?(?![a-zñ])|usd(?![a-zñ])"),
    ("euros", r"euros?(?![a-zñ])"),
    ("dia", r"dias?(?![a-zñ])"),
    ("semana", r"semanas?(?![a-zñ])"),
    ("mes", r"mes(?:es)?(?![a-zñ])"),
    ("año", r"a[ñn]os?(?![a-zñ])"),
    ("hora", r"h(?:oras?|rs?\.?)(?![a-zñ])"),
    ("minuto", r"min(?:utos?)?(?![a-zñ])"),
    ("segundo", r"seg(?:undos?)?(?![a-zñ])"),
    ("metro2", r"m(?:etros?\s+cuadrados?|2|²)(?!\w)"),
    ("metro3", r"m(?:etros?\s+cubicos?|3|³)(?!\w)"),
    ("km/h", r"km/h|kilometros?\s+por\s+hora"),
    ("metro", r"m(?:etros?|ts?)?(?![a-zñ/])"),
    ("kilometro", r"kilometros?(?![a-zñ])|km(?![a-zñ/])"),
    ("centimetro", r"centimetros?(?![a-zñ])|cm(?![a-zñ])"),
    ("milimetro", r"milimetros?(?![a-zñ])|mm(?![a-zñ])"),
    ("hectarea", r"hectareas?(?![a-zñ])|ha(?![a-zñ])"),
    ("litro", r"litros?(?![a-zñ])"),
    ("mililitro", r"mililitros?(?![a-zñ])|ml(?![a-zñ])"),
    ("gramo", r"gramos?(?![a-zñ])|gr?(?![a-zñ])"),
    ("kilo", r"kilo(?:gramo)?s?(?![a-zñ])|kg(?![a-zñ])"),
    ("tonelada", r"toneladas?(?![a-zñ])|tn?(?![a-zñ])"),
    ("grado", r"°\s?c(?![a-zñ])|grados?(?![a-zñ])"),
    ("mb", r"mega(?:byte)?s?(?![a-zñ])|mb(?![a-zñ])"),
    ("gb", r"giga(?:byte)?s?(?![a-zñ])|gb(?![a-zñ])"),
)
_AFTER = re.compile(
    r"[\s°)]*(?:\([^)]{1,24}\)\s*)?(?:de\s+)?(?:(?:primer|ultim|proxim|siguient)[oae]s\s+)?(?:"
    + "|".join(f"(?P<u{i}>{p})" for i, (_, p) in enumerate(_COUNTED))
    + ")"
)
_BEFORE = (("soles", re.compile(r"s/\.?\s*$")), ("dolares", re.compile(r"(?:us)?\$\s*$")))
_LONGEST_AFTER = 40  # characters of a unit
_LONGEST_BEFORE = 6  # characters of «US$ »


_KIND_OF_DAY = re.compile(
    r"\s*(?:\w+\s+)?(?:(?P<working>habil|laborable|util)(?:es)?|(?:calendario|natural|corrido))(?![a-zñ]*\d)"
)
_ALONE = re.compile(r"\s+(?:sol[oa]|unic[oa])\s")
_NEXT_WORD = re.compile(rf"(?:{_ALONE.pattern})?[\s°)]*(?:\([^)]{{1,24}}\)\s*)?(?:de\s+(?:los|las)?\s*)?([a-zñ]{{3,}})")


def _of(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    if "working" in found.re.groupindex:
        return "habil" if found["working"] else "calendario"
    return "" if SPELLED.fullmatch(found[1]) else root(found[1])


class _Parser:
    """Reads the kinds of figures in turn; what one kind has read is blotted out for the next."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = aligned_fold(text)
        self._found: list[Figure] = []

    def read(self) -> list[Figure]:
        for identifier in find_identifiers(self._text):
            self._blot(identifier.start, identifier.end)
        for mark in _LIST_MARK.finditer(self._text):
            self._blot(*mark.span())
        for pattern in (_ISO_DATE, _SHORT_DATE, _LONG_DATE, _MONTH_OF_YEAR, _MONTH_ALONE):
            self._each(pattern, _dates)
        self._each(_WEEKDAY, lambda match: [Figure(match[1], "weekday", *match.span())])
        self._each(_HOUR, _hours)
        self._each(_ARTICLES, _articles)
        self._each(_CODE, lambda match: [Figure(match[0], "code", *match.span())])
        self._each(_FRACTION, _fractions)
        for pattern, read in ((_DIGITS, _digits), (SPELLED, _spelled)):
            counted = [self._with_unit(figure) for match in pattern.finditer(self._left) for figure in read(match)]
            self._found += [each for each in counted if each.unit or not self._is_article(each)]
        return sorted(self._found, key=lambda figure: figure.start)

    def _each(self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], Iterable[Figure]]) -> None:
        for match in list(pattern.finditer(self._left)):
            if figures := list(read(match)):
                self._found += figures
                self._blot(*match.span())

    def _is_article(self, figure: Figure) -> bool:
        """«Una noche» counts nothing, «una sola noche» does."""
        return self._left[figure.start : figure.end] in _ONE and not _ALONE.match(self._left, figure.end)

    def _blot(self, start: int, end: int) -> None:
        self._left = f"{self._left[:start]}{'#' * (end - start)}{self._left[end:]}"

    def _with_unit(self, figure: Figure) -> Figure:
        before = self._left[max(0, figure.start - _LONGEST_BEFORE) : figure.start]
        unit, end = next((unit for unit, sign in _BEFORE if sign.search(before)), ""), figure.end
        if not unit and (after := _AFTER.match(self._left, figure.end)):
            unit = _COUNTED[int((after.lastgroup or "u0")[1:])][0]
            end = after.end()
        of = (
            _KIND_OF_DAY.match(self._left, end)
            if unit == "dia"
            else None
            if unit
            else _NEXT_WORD.match(self._left, end)
        )
        return Figure(figure.value, unit, figure.start, figure.end, _of(of))


_ONE = frozenset({"un", "una", "uno"})  # an article or a pronoun, where no unit follows


def _dates(match: re.Match[str]) -> Iterator[Figure]:
    groups = match.groupdict()
    month = groups["m"]
    day = groups.get("d") or groups.get("w") or "0"
    if not day.isdigit():
        day = "1" if day == "primero" else str(next(read_spelled(day))[0])
    year = groups["y"] or "0"
    number = _MONTH_NUMBERS[month] if month in _MONTH_NUMBERS else int(month)
    if number <= 12 and int(day) <= 31:
        full = f"20{year}" if len(year) == 2 else year
        yield Figure(f"{int(full):04}-{number:02}-{int(day):02}", "date", *match.span())


def _hours(match: re.Match[str]) -> Iterator[Figure]:
    hour, minute = int(match["h"] or match["h2"]), match["m"] or match["m2"]
    after_noon = hour < 12 and _AFTER_NOON.match(match.string, match.end()) is not None
    yield Figure(f"{hour + 12 * after_noon}:{minute}", "hour", *match.span())


def _articles(match: re.Match[str]) -> Iterator[Figure]:
    for number in re.finditer(_ONE_ARTICLE, match[0]):
        start = match.start() + number.start()
        yield Figure(number[0].replace("°", ""), "article", start, start + len(number[0]))


def _fractions(match: re.Match[str]) -> Iterator[Figure]:
    """«dos tercios», «la cuarta parte»; «la tercera vez» is none."""
    if match["p"] or match[0].endswith(("tercio", "tercios")):
        many = ONES.get(match["n"], 1)
        yield Figure(f"{many / _PARTS[match['d']]:.2g}", "fraction", *match.span())


def _digits(match: re.Match[str]) -> Iterator[Figure]:
    yield Figure(_plain(match[0]), "", *match.span())


def _plain(written: str) -> str:
    """«1.500», «1,500.00» and «1 500» are 1500; «0,50» is 0.5; «218.2» and «8.1.2» stay as they are."""
    if grouped := _THOUSANDS.fullmatch(written):
        whole, cents = re.sub(r"\D", "", grouped["whole"]), re.sub(r"\D", "", grouped["cents"] or "").rstrip("0")
        return f"{whole}.{cents}" if cents else whole
    whole, comma, rest = written.replace(",", ".").partition(".")
    if "." not in rest:
        rest = rest.rstrip("0") if len(rest) > 1 or comma else rest
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{rest}" if rest else whole


def _spelled(match: re.Match[str]) -> Iterator[Figure]:
    for value, start, end in read_spelled(match[0]):
        if match[0][start:end] == "ciento" and match.string[: match.start() + start].rstrip().endswith("por"):
            continue
        yield Figure(str(value), "", match.start() + start, match.start() + end)
