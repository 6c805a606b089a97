"""Names of norms and standards in a text, in one canonical form: «Ley N.º 29.733» and «ley 29733» are `ley:29733`.

The form is `kind:number[@edition]`, or the kind alone where no number exists (`gdpr`). Norms that are cited by their
name have it in the place of the number (`codigo:civil`). The same extractor reads questions, file names, titles and the
heads of documents. How they are written is in `identifier_grammar` and `named_norms`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_system.query.identifier_grammar import HINT, KNOWN_ISO, LIST_JOINT, NAMES, NUMBERS, NumberForm, aligned_fold
from rag_system.query.named_norms import NamedNorm, named_norms

__all__ = [
    "IdentifierMatch",
    "bases",
    "blotted",
    "by_name",
    "extract_identifiers",
    "family",
    "find_identifiers",
    "identifiers_in_name",
    "kind",
    "own_names",
    "same_identifier",
    "without_identifiers",
]

_NORMS = frozenset(
    """circular codigo constitucion decreto dfl directiva dl dley ds du ley lo orden ordenanza ra rd rdl rdleg
    reglamento resolucion rj rl rm rs rvm""".split()
)
# What is called by its kind alone: «la resolución 004-2016-PCM» is a ministerial one.
_SPECIES: Mapping[str, Sequence[str]] = {
    "decreto": ("ds", "dl", "dley", "dfl", "du", "rd", "rdl", "rdleg"),
    "resolucion": ("rm", "rvm", "rs", "rl", "rj", "rd"),
}
_LEADS_TO = re.compile(
    r"(?:\b(?:seg[úu]n|de|en|con|por|a|ante|bajo)\s+)?(?:\b(?:la|el|los|las|del|al)\s+)?$",
    re.IGNORECASE,
)
_LAST_DECREE_LAW = 10_000  # Peru: a «D.L.» below is a Decreto Legislativo, from here on a Decreto Ley
_YEARS = range(1950, 2036)  # a bare number in here is a year, not a norm


@dataclass(frozen=True, slots=True)
class IdentifierMatch:
    """An identifier where it stands in the text: `text[start:end]` is how it was written."""

    canonical: str
    start: int
    end: int


def extract_identifiers(text: str) -> list[str]:
    """The distinct identifiers of a text, canonical, in order of appearance.

    >>> extract_identifiers("diferencia entre ISO 27001 y 27002, y el D.S. N° 003-2013-JUS")
    ['iso:27001', 'iso:27002', 'ds:003-2013-jus']
    """
    return list(dict.fromkeys(match.canonical for match in find_identifiers(text)))


def find_identifiers(text: str) -> list[IdentifierMatch]:
    """Every identifier with its place in the text, lists included («ISO 9001, 14001 y 45001»)."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    found = _find(aligned_fold(composed))
    if composed is text or len(composed) == len(text):
        return list(found)
    return [_placed(match, text) for match in found]


def without_identifiers(text: str) -> str:
    """The text with a space in the place of each identifier and of the little words that lead to it.

    >>> without_identifiers("¿qué plazo da la ley 27444 para apelar, según el artículo 218 de la ley 27444?")
    '¿qué plazo da   para apelar, según el artículo 218  ?'
    """
    for match in reversed(find_identifiers(text)):
        before = _LEADS_TO.sub("", text[: match.start])
        text = f"{before} {text[match.end :]}"
    return text


def blotted(text: str, found: Iterable[IdentifierMatch], sign: str) -> str:
    """The text with a sign, and spaces, in the place of each identifier that was found in it: positions hold."""
    for match in found:
        text = text[: match.start] + sign.ljust(match.end - match.start) + text[match.end :]
    return text


def _placed(match: IdentifierMatch, text: str) -> IdentifierMatch:
    """Move a match of the composed text to the original, whose accents are characters of their own."""
    start, end = (_original_offset(text, offset) for offset in (match.start, match.end))
    return IdentifierMatch(match.canonical, start, end)


def _original_offset(text: str, offset: int) -> int:
    low, high = 0, len(text)
    while low < high:  # the composed length grows with the prefix
        middle = (low + high) // 2
        if len(unicodedata.normalize("NFC", text[:middle])) < offset:
            low = middle + 1
        else:
            high = middle
    return low


# What stands between a norm's name and its number: «Ley del Procedimiento Administrativo General, Ley 27444».
_BESIDE = re.compile(
    r"""[\s,.;:()"'-]*(?:aprobad[oa]\s+(?:por|mediante)\s+(?:(?:el|la)\s+)?)?
    (?:(?:tuo|texto\s+unico\s+ordenado)\s+del?\s+(?:(?:la|el)\s+)?)?""",
    re.VERBOSE,
)

_LONGEST_GAP = 60  # characters


@lru_cache(maxsize=512)
def _find(plain: str) -> Sequence[IdentifierMatch]:
    """Those with numbers, and the names that stand without one. The same sentence is read for several ends."""
    numbered = list(_scan(plain))
    named = [IdentifierMatch(*norm) for norm in named_norms(plain) if not _has_its_number(norm, numbered, plain)]
    return sorted([*numbered, *named], key=lambda match: match.start) if named else numbered


def _has_its_number(norm: NamedNorm, numbered: Sequence[IdentifierMatch], plain: str) -> bool:
    """Whether the number of a norm stands inside its name or beside it; the Constitution has none."""
    canonical, start, end = norm
    if any(match.start < end and start < match.end for match in numbered):
        return True
    if kind(canonical) == "constitucion":
        return False
    gaps = [sorted((match.end, start) if match.end <= start else (end, match.start)) for match in numbered]
    return any(_BESIDE.fullmatch(plain, *gap) for gap in gaps if gap[1] - gap[0] <= _LONGEST_GAP)


def _scan(plain: str) -> Iterator[IdentifierMatch]:
    position = 0
    while hint := HINT.search(plain, position):
        found = _read_at(plain, hint.start())
        yield from found
        position = found[-1].end if found else hint.start() + 1


def _read_at(plain: str, start: int) -> list[IdentifierMatch]:
    """The identifiers that begin at this place: the first name that fits, its number, and the rest of its list."""
    for name in NAMES:
        announced = name.pattern.match(plain, start)
        if not announced:
            continue
        form = NUMBERS.get(name.form)
        number = form.first.match(plain, announced.end()) if form else None
        canonical = _canonical(name.kind, number) if number else ""
        if number and form and canonical:
            first = IdentifierMatch(canonical, start, number.end())
            return [first, *_read_list(plain, number.end(), name.kind, form)]
        if name.bare:
            return [IdentifierMatch(name.bare, start, announced.end())]
    return []


def _read_list(plain: str, position: int, kind_name: str, form: NumberForm) -> list[IdentifierMatch]:
    found: list[IdentifierMatch] = []
    while form.item and (joint := LIST_JOINT.match(plain, position)):
        number = form.item.match(plain, joint.end())
        canonical = _canonical(kind_name, number) if number else ""
        if not number or not canonical:
            break
        found.append(IdentifierMatch(canonical, joint.end(), number.end()))
        position = number.end()
    return found


# ---------------------------------------------------------------- canonical forms


def _canonical(kind_name: str, match: re.Match[str]) -> str:
    """The canonical identifier of a number, or nothing when it cannot be one."""
    groups = match.groupdict()
    if groups.get("slash"):
        return f"{kind_name}:{_slashed(groups['slash'])}"
    if groups.get("eu"):
        return "gdpr" if groups["eu"] in ("2016/679", "679/2016") else f"ue:{groups['eu']}"
    edition = groups.get("edition") or groups.get("edition_b") or groups.get("edition_c") or ""
    if kind_name in _NAMED_STANDARDS:
        return f"{kind_name}@{_short_version(edition)}"
    number = _number(groups)
    if "year" in groups and not groups.get("plain"):
        return _compound(kind_name, number, groups)
    if kind_name == "iso?":
        return f"iso:{_with_edition(number, edition)}" if number in KNOWN_ISO else ""
    return _plain(kind_name, number, edition, groups)


_NAMED_STANDARDS = frozenset({"cobit", "itil", "togaf", "pmbok", "coso", "pci-dss", "nist:csf"})


def _number(groups: dict[str, str | None]) -> str:
    names = ("number", "thousand", "plain", "dotted", "five")
    written = next((value for name in names if (value := groups.get(name))), "")
    return re.sub(r"[.,'\s]", "", written) if "-" not in written else written


def _plain(kind_name: str, number: str, edition: str, groups: dict[str, str | None]) -> str:
    if kind_name in _LETTERED:
        return f"{kind_name}:{_with_edition(number, edition)}"
    number = number.lstrip("0")
    dated = bool(edition or groups.get("published"))
    if not number or (not dated and (int(number) in _YEARS or (kind_name == "ley" and len(number) == 1))):
        return ""
    if kind_name == "dl?":
        kind_name = "dl" if int(number) < _LAST_DECREE_LAW else "dley"
    if int(number) < _LAST_DECREE_LAW and kind_name in _DATED:
        edition = edition or groups.get("published") or ""
    return f"{kind_name}:{_with_edition(number, edition)}"


_LETTERED = frozenset(
    {"iso", "nmx", "ntp", "ntc", "nch", "iec", "ieee", "iatf", "ohsas", "nist", "orden"}
)  # written as they are
_DATED = frozenset({"ley", "decreto"})  # numbers below 10,000 are used again: the year in a file name tells them apart


def _with_edition(number: str, edition: str) -> str:
    return f"{number}@{edition}" if edition else number


def _short_version(version: str) -> str:
    """«4.0» is «4»; «3.2.1» stays."""
    return re.sub(r"(?:\.0)+$", "", version)


def _slashed(written: str) -> str:
    """«039 / 2015» → «39/2015», «30/92» → «30/1992»."""
    number, year = re.split(r"\s?[/-]\s?", written)
    return f"{int(number)}/{_full_year(year)}"


def _full_year(year: str) -> str:
    if len(year) == 4:
        return year
    return f"19{year}" if int(year) > 40 else f"20{year}"


def _compound(kind_name: str, number: str, groups: dict[str, str | None]) -> str:
    """«4», «2019», «/JUS» → `ds:004-2019-jus`. Years before 2000 are numbered with two digits («003-97-TR»)."""
    year, suffix = groups.get("year") or "", groups.get("suffix") or ""
    if not year and kind_name != "nom":
        return ""
    if kind_name != "nom":
        year = year[2:] if year.startswith("19") else year
        if not suffix and int(number) in _YEARS:  # «resolución … 2019-2020» is a span of years
            return ""
    office = re.sub(r"[\s/.-]+", "-", suffix).strip("-") if kind_name == "nom" else _office(suffix)
    middle = [office, year] if kind_name == "nom" else [year, office]
    return f"{kind_name}:" + "-".join([str(int(number)).zfill(3), *filter(None, middle)])


def _office(suffix: str) -> str:
    """«/MEM/DM» → «mem-dm», «-EF/50.01» → «ef-50.01»."""
    return re.sub(r"[\s/-]+|\.(?=[a-z])", "-", suffix).strip("-")


# ---------------------------------------------------------------- file names

_EXTENSION = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,5}$")


def identifiers_in_name(file_name: str) -> list[str]:
    """The identifiers that a file's name carries.

    >>> identifiers_in_name("DS-004-2019-JUS-TUO-27444-2019.md")
    ['ds:004-2019-jus', 'ley:27444']
    """
    base = re.split(r"[/\\]", file_name)[-1]
    return extract_identifiers(_EXTENSION.sub("", base))


# ---------------------------------------------------------------- titles

# What may stand in a title before the name of the norm that the document is: «Aprueban el TUO del Código Tributario».
_OF_ITSELF = re.compile(
    r"""(?: [\W\d] | \b(?: tuo | texto | unico | ordenado | del? | la | el | nuev[oa] | que | aprueban? | promulgan?
      | ley | decreto | legislativo | supremo | norma | actualizad[oa] | vigente )\b )*""",
    re.VERBOSE,
)


def own_names(title: str) -> list[str]:
    """The norms by name that a title says its document is, beside its number too; not those that it changes.

    >>> own_names("Ley N° 27444, Ley del Procedimiento Administrativo General"), own_names("Modifican el Código Penal")
    (['ley:procedimiento-administrativo-general'], [])
    """
    plain = aligned_fold(unicodedata.normalize("NFC", title))
    rest = blotted(plain, _scan(plain), " ")
    return list(dict.fromkeys(name for name, start, _ in named_norms(plain) if _OF_ITSELF.fullmatch(rest[:start])))


# ---------------------------------------------------------------- reading canonical forms


def kind(canonical: str) -> str:
    """`ley:29733` → `ley`, `cobit@2019` → `cobit`."""
    return canonical.partition(":")[0].partition("@")[0]


def family(identifier: str) -> str:
    """What an identifier competes with: laws, decrees and resolutions are one family, «norm»; others are their kind.

    >>> family("ds:003-2013-jus"), family("iso:27001@2022")
    ('norm', 'iso')
    """
    return "norm" if kind(identifier) in _NORMS else kind(identifier)


def by_name(identifier: str) -> bool:
    """Whether it names a norm by its name alone: a document may be it and not say so.

    >>> by_name("codigo:civil"), by_name("ley:transparencia"), by_name("ley:27806"), by_name("iso:9001")
    (True, True, False, False)
    """
    if kind(identifier) in ("ley", *_NAMED_KINDS):
        return not re.search(r"\d", identifier.partition("@")[0])
    return False


_NAMED_KINDS = ("codigo", "constitucion", "reglamento")


def same_identifier(one: str, other: str) -> bool:
    """Whether two canonical forms can name the same norm: what one leaves out, the other may say.

    >>> same_identifier("iso:27001", "iso:27001@2022"), same_identifier("iso:27001@2013", "iso:27001@2022")
    (True, False)
    >>> same_identifier("resolucion:4-2016-pcm", "rm:4-2016-pcm"), same_identifier("rs:4-2016-pcm", "rm:4-2016-pcm")
    (True, False)
    """
    if one == other:
        return True
    (kind_a, number_a, edition_a), (kind_b, number_b, edition_b) = _split(one), _split(other)
    related = kind_a == kind_b or kind_b in _SPECIES.get(kind_a, ()) or kind_a in _SPECIES.get(kind_b, ())
    if not related or (edition_a and edition_b and edition_a != edition_b):
        return False
    return _extends(number_a, number_b) or _extends(number_b, number_a)


def bases(identifier: str) -> list[str]:
    """What a document may be called that `identifier` names, without its edition.

    >>> bases("iso:27001@2022"), "rm:004-2016-pcm" in bases("resolucion:004-2016-pcm")
    (['iso:27001'], True)
    """
    base = identifier.partition("@")[0]
    number = base.partition(":")[2]
    return [base, *(f"{species}:{number}" for species in _SPECIES.get(kind(identifier), ()))]


def _split(canonical: str) -> tuple[str, str, str]:
    name, _, edition = canonical.partition("@")
    kind_name, _, number = name.partition(":")
    if not edition and kind_name != "ue" and "/" in number:  # `ley:39/2015` may be typed «ley 39 de 2015»
        number, _, edition = number.partition("/")
    return kind_name, number, edition


def _extends(longer: str, shorter: str) -> bool:
    """`037-2011-pcm` extends `037-2011`; anything extends no number at all."""
    return not shorter or longer == shorter or longer.startswith(f"{shorter}-")
