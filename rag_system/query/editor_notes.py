"""What an editor writes between the lines of a norm: that a text was changed, repealed or struck down, and by what.

«(*) Artículo modificado por el Artículo 2 de la Ley N° 30807, publicada el 05 julio 2018, cuyo texto es el siguiente:»,
«(Artículo derogado por art. 3° del Decreto N° 868/99 B.O. 17/08/1999)», «<Artículo INEXEQUIBLE>», «[Derogado]», «TEXTO
ANTERIOR». Notes are told by their manner: a part of a norm, a participle and a norm, after a sign, inside brackets or in
the clipped style that leaves articles and verbs out. Pure: one text at a time; where a note stands, and so what it is
about, is read at ingestion.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import find_identifiers
from rag_system.query.months import MONTH_PATTERN

__all__ = ["Change", "Follows", "Note", "WHOLE_NORM", "is_note", "item_mark", "opens_note", "read_label", "read_note", "split_notes"]


class Change(StrEnum):
    """What a note says was done to the text."""

    REPLACED = "replaced"
    REPEALED = "repealed"
    UNCONSTITUTIONAL = "unconstitutional"
    REVIVED = "revived"  # in force again
    OTHER = "other"  # added, corrected, explained: the text is in force


class Follows(StrEnum):
    """Which text a note announces."""

    NEW = "new"
    OLD = "old"
    NOTHING = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """An editor's note, or a label above a text."""

    change: Change
    text: str
    part: str = ""  # what was changed: "articulo", "parrafo", "numeral", "capitulo", "ley"…; empty where it is not said
    number: str = ""  # of that part: «25.2», «b»
    follows: Follows = Follows.NOTHING
    of_another: bool = False  # names the norm that was changed: «La Ley N° 27050 fue derogada por …»
    opens: bool = False  # stands before the text that it is about: «<Artículo INEXEQUIBLE> …», «[Derogado] …»
    by: str = ""  # the norm that did it, as it is written
    year: int | None = None


WHOLE_NORM = frozenset({"ley", "decreto", "norma", "reglamento", "resolucion", "ordenanza", "directiva"})

_PARTS = (
    r"articulo|art\.|inciso|parrafo|numeral|literal|apartado|disposicion|capitulo|titulo|anexo|fraccion|punto|acapite|item"
    r"|subnumeral|seccion|libro|norma|ley|decreto|reglamento|resolucion|ordenanza|directiva|texto|definicion"
    r"|denominacion|epigrafe|encabezado|rubro|nota|regla|clausula|sumilla"
)
_ORDINAL = (
    r"(?:(?:primer|segund|tercer|cuart|quint|sext|septim|setim|octav|noven|decim|undecim|duodecim|vigesim|trigesim)[oa]?"
    r"|unic[oa]|(?:pen|antepen)?ultim[oa])"
)
_SIGN = r"(?:\(\\?¤{0,4}\)|¤{1,4}(?=\s|\()|\(\d{1,3}(?:-[a-z])?\)|\[\d{1,3}\])"  # «¤»: a star
_OPENER = rf"(?P<sign>(?:\s*{_SIGN})*)\s*(?P<bracket>[(<\[]?)\s*"
_HEAD = r"(?P<head>(?:notas?(?:\s(?:infoleg|spij|del? (?:editor|redactor|vigencia|la redaccion)))?\s*[:.-]+\s*)?)"
_WHO = r"(?:(?:el|la|los|las|este|esta|presente)\s+){0,2}"
_PART = rf"(?:{_ORDINAL}\s+(?:y\s+{_ORDINAL}\s+)?)*(?P<part>{_PARTS})(?:e?s)?(?![a-zñ])"
_NUMBER = r"(?P<number>\d{1,4}(?:[.-]\d{1,3})*(?:-[a-z](?![a-z]))?|[a-zñ]{1,2}(?=\))|[a-z](?=\s)|[ivxlc]+(?![a-z]))?"
# What may stand between the part and its participle in the clipped style: numbers, ordinals, «del artículo 44°».
_CLIPPED = (
    rf"(?:[\s,]+(?:\(?\d[\w.°º-]*\)?[°º]?|[(\"“«]?[a-zñ]{{1,2}}[)\"”»]?|[ivxlc]+|del?|la|las|los|el|{_ORDINAL}|y|original"
    rf"|(?:{_PARTS})(?:e?s)?|presente|tabla|codigo|tributario|preliminar|final(?:es)?|complementarias?|transitorias?)"
    r"(?![a-zñ])){0,14}"
)
_ANY = r"[^;:\n]{0,110}?"
_WAS = r"(?:fue|fueron|ha sido|han sido|queda|quedo|esta|posteriormente|luego|tacitamente|expresamente|y)"
_REPEALED = r"derogad[oa]s?|abrogad[oa]s?|suprimid[oa]s?|eliminad[oa]s?|anulad[oa]s?|dejad[oa]s? sin efecto"
_STRUCK = (
    r"(?:declarad[oa]s?\s+)?(?:inconstitucional(?:es)?|inexequibles?)(?:\s+y\s+nul[oa]s?)?|declarad[oa]s?\s+nul[oa]s?"
)
_REPLACED = r"modificad[oa]s?|sustituid[oa]s?|reemplazad[oa]s?|reformad[oa]s?|subrogad[oa]s?"
_ELSE = r"incorporad[oa]s?|agregad[oa]s?|adicionad[oa]s?|incluid[oa]s?|añadid[oa]s?|rectificad[oa]s?|precisad[oa]s?"
_VERB = rf"(?P<verb>(?P<repealed>{_REPEALED})|(?P<struck>{_STRUCK})|(?P<replaced>{_REPLACED})|(?P<else>{_ELSE}))(?![a-zñ])"
_NORM = (
    r"art(?:iculos?|s?\.)|ley(?:es)?|decretos?|d\.?\s?(?:l|s|u|leg)\b|d-l|resoluci|ordenanza|disposici|sentencia|corte\b"
    r"|tribunal|expediente|exp\.|acto legislativo|acuerdo|circular|reglamento|codigo|constituci|dof\b|b\.?\s?o\b|fe de"
    r"|numeral|literal|inciso|directiva|orden\b|real decreto|norma|r\.?\s?[ms]\.?\b|(?:primera?|segunda|tercera?|unica)\b"
    r"|(?:cuarta|quinta|sexta|septima|setima|octava|novena|(?:un|duo)?decim[oa]|vigesim[oa])\b"
)
_BY = rf"[^;:\n]{{0,60}}?\b(?:por|mediante|segun|conforme|de acuerdo|en virtud|(?=dof\b|b\.?\s?o\b))[^;:\n]{{0,80}}?\b(?:{_NORM})"

_SIGNED = re.compile(rf"{_OPENER}{_HEAD}{_WHO}(?:{_PART}\s*{_NUMBER}{_ANY}\b)??(?:{_WAS}\s+)*{_VERB}(?P<by>{_BY})?")
_PLAIN = re.compile(rf"\s*(?:\d{{1,3}}\.\s+|[a-zñ]\)\s+)?{_PART}\s*{_NUMBER}{_CLIPPED}[\s,]+(?:{_WAS}\s+)*{_VERB}{_BY}")
# «(Nota Infoleg: por art. 17 de la Ley N° 25.780 se restablece la vigencia de la presente norma)»
_ACTIVE = re.compile(
    rf"{_OPENER}{_HEAD}por\s[^()]{{4,160}}?\bse\s+(?P<does>(?P<revives>restablecen? la vigencia|restituyen? la vigencia)"
    rf"|(?P<repeals>derogan?|abrogan?|dejan? sin efecto))\s+(?:del?\s+)?(?:la\s+|el\s+)?(?:presente|este|esta)\s+{_PART}"
)
# «Se deroga el apartado 3 por la disposición derogatoria única de la Ley 3/2012»
_IMPERSONAL = re.compile(
    rf"{_OPENER}{_HEAD}se\s+(?:(?P<repealed>derogan?|suprimen?|dejan? sin efecto)|(?P<struck>declaran?\s+(?:la\s+)?"
    r"inconstitucional\w*(?:\s+y\s+(?:nul[oa]s?|nulidad))?)|(?P<else>modifican?|añaden?|redactan?|incorporan?))"
    rf"(?:\s+(?:el|la|los|las|del|de la)\s+{_PART}\s*{_NUMBER}[^;:,]{{0,40}}?)?,?\s+por\s+(?:el\s+|la\s+|los\s+|las\s+)?"
    rf"(?P<by>{_NORM})"
)
_BARE = re.compile(
    rf"\s*(?:\S{{1,6}}\s+|art(?:iculo|\.)\s*\S{{1,8}}\s*-?\s*)?(?P<bracket>[(\[<]?)\s*(?:{_PART}\s+)?(?P<verb>se derogan?|(?P<repealed>{_REPEALED})"
    rf"|(?P<struck>{_STRUCK}))\s*[.)\]>]*\s*"
)
_BRACKETED = re.compile(rf"\s*(?:{_SIGN}\s*)*[(\[<]\s*(?:se derogan?|{_REPEALED}|(?P<struck>{_STRUCK}))\s*[)\]>][.\s]*")
_AFTERWARDS = re.compile(rf"\b(?:posteriormente|luego|despues|finalmente)\b.{{0,30}}?\b(?:{_REPEALED})")
_PARTLY = re.compile(
    r"\bque se (?:le |les )?opong|\ben (?:lo|cuanto|el extremo|los extremos|tanto)\b|\bcon excepcion\b|\bsalvo\b|\bexcepto\b|\bparcialmente\b"
    r"|\benunciados?\b|\bfrases?\b|\bexpresion(?:es)?\b|\bapartes?\b|\bterminos? [\"“«]|\bpalabras?\b"
)
_SUPPOSED = re.compile(r"\bestaria\b|\bhabria\b")
_GIVES = re.compile(
    r"(?:cuy[oa]s?|con el|nuev[oa]|siendo su|el|su|los|la|quedando)\s+(?:siguiente\s+)?(?:nuevo\s+)?"
    r"(?:texto|tenor|redaccion|terminos?|redactad[oa])\b.{0,60}\bsiguientes?\b|\ben los siguientes terminos\b"
    r"|\bcon (?:el siguiente|la siguiente) (?:texto|tenor|redaccion)\b|\bquedando redactad[oa]\b"
)
_GAVE = re.compile(r"\b(?:antes|anteriormente|hasta entonces)\b.{0,50}\b(?:redactad[oa]|decia|establecia|senalaba|disponia)")
_ENDS_OPEN = re.compile(r"[:.]?[\s¤)\]>]*$")

_APPARATUS = re.compile(
    r"\(?¤|\(\)\s|concordancias?\b|enlace web|jurisprudencia|ver jurisprudencia|nota (?:spij|infoleg)\b"
    r"|antecedentes normativos\b|\(?texto segun\b"
)
_SEE = re.compile(rf"\(?ver\s[^.;:]{{0,60}}?\b(?:{_NORM})", re.IGNORECASE)

# ---------------------------------------------------------------- labels

_LABEL = re.compile(
    r"\W*(?:texto|redaccion|version|legislacion|normativa)\s+(?:"
    r"(?P<old>anterior(?:es)?|derogad[oa]|primitiv[oa]|no vigente|sustituid[oa]|reemplazad[oa]"
    r"|vigente\s+(?:hasta|antes)\b[^:\n]{0,60})(?P<of>\s+(?:a|al|de|del|por|segun|en|\()[^:\n]{0,120})?"
    r"|original\s+(?P<original>(?:de la|del?)\s+(?:\d|articulo|ley|decreto|codigo|inciso|numeral|parrafo)[^:\n]{0,120})"
    r"|(?P<new>vigente|actual|en vigor)(?:\s+(?:desde|a partir)\b[^:\n]{0,60})?"
    r")\s*(?P<end>[:.]?)[\s)\]>¤]*"
)
_SAID_BEFORE = re.compile(r"\W*(?:antes|anteriormente)\s+(?:decia|establecia|senalaba|disponia)\s*:|\W*decia antes\s*:")
_LABEL_INSIDE = re.compile(
    r"(?<=[.;:!?)»”])\s+(?=(?:texto|redaccion|version)\s+(?:anterior|derogad[oa]|primitiv[oa])[^:.\n]{0,60}:\s|antes decia\s*:)"
)


# A text without any of these has neither a note nor a label: most are told apart so, before they are folded.
_NOTE_HINTS = (
    "derog abrog suprimi elimin anulad efecto inconstitucional inexequible nul modific sustitu reemplaz reform subrogad "
    "incorpor agregad adicionad incluid añad rectific precisad vigencia"
).split()
_LABEL_HINTS = "texto redacci versi legislaci normativa antes anterior".split()


@lru_cache(maxsize=4096)
def _hints(text: str) -> tuple[bool, bool]:
    """Whether a note, and whether a label, may stand in a text."""
    low = text.lower()
    return any(map(low.__contains__, _NOTE_HINTS)), any(map(low.__contains__, _LABEL_HINTS))


def read_label(text: str) -> Note | None:
    """The label that a text is, or begins with up to its colon: «TEXTO ANTERIOR», «Redacción anterior: El plazo…».

    One of a text in force («TEXTO VIGENTE») announces a new one. `text` of the note is the label alone.
    """
    if not _hints(text)[1]:
        return None
    plain = _plain(text)
    if said := _SAID_BEFORE.match(plain):
        return Note(change=Change.REPLACED, text=text[: said.end()].strip(), follows=Follows.OLD)
    label = _LABEL.match(plain)
    if label is None or (label.end() < len(plain) and label["end"] != ":"):
        return None
    told = text[: label.end()].strip()
    if label["new"]:
        return Note(change=Change.OTHER, text=told, follows=Follows.NEW)
    change = Change.REPEALED if (label["old"] or "").startswith("derogad") else Change.REPLACED
    by = "" if label["original"] else _norm_of(told)
    return Note(change=change, text=told, follows=Follows.OLD, by=by, year=None if label["original"] else _year_of(told))


# ---------------------------------------------------------------- notes


@lru_cache(maxsize=4096)
def read_note(text: str) -> Note | None:
    """The note that a text is; None where it is none.

    >>> note = read_note("(*) Artículo derogado por el Artículo 3 de la Ley N° 29338, publicada el 31 marzo 2009.")
    >>> note.change.value, note.part, note.by, note.year
    ('repealed', 'articulo', 'Ley N° 29338', 2009)
    """
    if not _hints(text)[0]:
        return None
    plain = _plain(text)
    if bare := _BARE.fullmatch(plain) or _BRACKETED.match(plain):
        return _bare_note(text, plain, bare)
    if active := _ACTIVE.match(plain):
        change = Change.REVIVED if active["revives"] else Change.REPEALED
        return _told(text, plain, change, active)
    if impersonal := _IMPERSONAL.match(plain):
        return _told(text, plain, _change(impersonal, plain, impersonal.end()), impersonal)
    return _passive_note(text, plain)


_OPENS = re.compile(rf"[(<\[]\s*{_HEAD}{_WHO}{_PART}(?:\s*$|{_ANY}\b{_VERB})")


def _passive_note(text: str, plain: str) -> Note | None:
    signed = _SIGNED.match(plain)
    if signed and not (signed["sign"].strip() or signed["bracket"] or signed["head"]):
        signed = None
    if signed and not (signed["by"] or signed["struck"]):
        signed = None
    match = signed or _PLAIN.match(plain)
    if match is None:
        return None
    later = _AFTERWARDS.search(plain)
    told = _told(text, plain, _change(match, plain, match.end("verb"), afterwards=later is not None), match)
    rest = text[later.end() :] if later else ""
    return replace(told, by=_norm_of(rest) or told.by, year=_year_of(rest) or told.year) if later else told


def _change(match: re.Match[str], plain: str, end: int, *, afterwards: bool = False) -> Change:
    if _SUPPOSED.search(plain, 0, end):
        return Change.OTHER
    if match["repealed"] or afterwards:
        return Change.OTHER if _PARTLY.search(plain) else Change.REPEALED
    if match["struck"]:
        return Change.OTHER if _PARTLY.search(plain) else Change.UNCONSTITUTIONAL
    return Change.REPLACED if match.groupdict().get("replaced") else Change.OTHER


def _told(text: str, plain: str, change: Change, match: re.Match[str]) -> Note:
    groups = match.groupdict()
    follows = Follows.NOTHING
    if change is Change.REPLACED and _ENDS_OPEN.search(plain):
        follows = _announced(plain)
    return Note(
        change=change,
        text=text.strip(),
        part=(groups.get("part") or "").replace("art.", "articulo"),
        number=(groups.get("number") or ""),
        follows=follows,
        of_another="verb" in groups and bool(find_identifiers(text[: match.start("verb")])),
        opens=groups.get("bracket") == "<",
        by=_norm_of(text),
        year=_year_of(text),
    )


def _announced(plain: str) -> Follows:
    """The text that a note ends by announcing."""
    tail = plain[-160:]
    if _GAVE.search(tail):
        return Follows.OLD
    return Follows.NEW if _GIVES.search(tail) else Follows.NOTHING


def _bare_note(text: str, plain: str, match: re.Match[str]) -> Note | None:
    groups = match.groupdict()
    change = Change.UNCONSTITUTIONAL if groups.get("struck") else Change.REPEALED
    return Note(
        change=change,
        text=text.strip(),
        part=groups.get("part") or "",
        opens=True,
        by=_norm_of(text),
        year=_year_of(text),
    )


def opens_note(text: str) -> bool:
    """Whether a note may begin so: «(Apartado», «(Artículo sustituido por art. 2° de»; the rest stands in what follows.

    >>> opens_note("(Apartado derogado por art. 7° del Decreto"), opens_note("(ver el plano")
    (True, False)
    """
    return _OPENS.match(_plain(text)) is not None


def is_note(text: str) -> bool:
    """Whether a sentence is an editor's: a note, a label, a reference to what else is to be read."""
    plain = _plain(text)
    return (
        _APPARATUS.match(plain) is not None
        or _SEE.match(plain) is not None
        or read_label(text) is not None
        or read_note(text) is not None
    )


# ---------------------------------------------------------------- where notes stand inside a text

_INLINE = re.compile(
    rf"(?<=[\w.;:\"”»)])\s*(?=(?:{_SIGN}\s*)+(?:{_PARTS}|{_ORDINAL}|derogad|rectificad)|[(<]\s*(?:{_ORDINAL}\s+)*(?:{_PARTS})"
    r"\b[^()<>]{0,120}?(?:ad|id)[oa]s?\b|<\s*(?:articulo|inciso|numeral|literal|paragrafo))"
)
_CLOSED = {"(": ")", "<": ">", "[": "]"}
_LETTERED = re.compile(r"\b(?:inciso|literal|numeral|apartado|acapite|punto|item)s?\s+\w{1,3}\)")
_SIGNS = re.compile(rf"(?:\s*{_SIGN})*\s*")
_COLON = re.compile(r"siguientes?(?: terminos| texto| tenor)?\s?:\s|(?:redactad[oa]|decia) asi\s?:\s")


def split_notes(text: str) -> Iterator[str]:
    """The text cut before and after each note that stands inside it, and before a label that runs on.

    >>> list(split_notes("b) Pagar la mora. (*) Inciso derogado por la Ley N° 29338."))
    ['b) Pagar la mora.', '(*) Inciso derogado por la Ley N° 29338.']
    """
    if not any(_hints(text)):
        yield text
        return
    plain = _plain(text)
    notes = (cut for match in _INLINE.finditer(plain) for cut in _around(text, plain, match.end()))
    cuts = sorted({0, *notes, *_labels_in(plain), *_end_of_opener(text, plain), len(text)})
    said = [start for start, end in pairwise(cuts) if any(map(str.isalnum, text[start:end]))]  # a sign says nothing
    for start, end in pairwise([*said, len(text)]):
        yield text[start:end].strip()


def _labels_in(plain: str) -> Iterator[int]:
    yield from (match.end() for match in _LABEL_INSIDE.finditer(plain))


def _around(text: str, plain: str, start: int) -> Iterator[int]:
    """Where a note that begins at `start` begins and ends; nothing where what stands there is none."""
    end = _end_of(plain, start)
    if read_note(text[start:end]) is not None:
        yield start
        yield end


def _end_of_opener(text: str, plain: str) -> Iterator[int]:
    """The end of a note in brackets that opens a text, or that announces what follows it in the same paragraph."""
    end = _end_of(plain, 0)
    if end < len(text) and plain[:1] in "(<[" and read_note(text[:end]) is not None:
        yield end


def _end_of(plain: str, start: int) -> int:
    """Where a note ends: its bracket closes, or it announces a text with a colon."""
    signs = _SIGNS.match(plain, start)
    at = signs.end() if signs else start
    if at < len(plain) and plain[at] in _CLOSED:
        return _closing(plain, at)
    colon = _COLON.search(plain, at)
    return colon.end() if colon else len(plain)


def _closing(plain: str, at: int) -> int:
    """Behind the bracket that closes the one at `at`; that of «inciso b)» closes none."""
    opening, closing, depth = plain[at], _CLOSED[plain[at]], 0
    items = {match.end() - 1 for match in _LETTERED.finditer(plain, at)}
    for place in range(at, len(plain)):
        depth += plain[place] == opening
        depth -= plain[place] == closing and place not in items
        if not depth:
            return place + 1 + (plain[place + 1 : place + 2] in (".", ";", ","))
    return len(plain)


_MARK = re.compile(
    r"[\s\"“”«»'-]*(?:\(\d{1,3}\)\s?(?=[a-zñ]{1,2}[.)]|\d{1,2}[.)]))?"
    r"(?P<mark>\(?[a-zñ]{1,2}\)|[a-zñ]\.(?=[-\s])|\(\d{1,3}\)|\d{1,3}(?:\.\d{1,3})+\.?(?=[\s-]|$)|\d{1,3}[.)](?=[-\s]|$)"
    r"|[ivxlc]{1,6}[.)](?=[-\s]|$)|-(?=\s))"
)


def item_mark(text: str) -> str:
    """The number or letter of an item without its signs, «b», «25.2»; empty where there is none."""
    match = _MARK.match(_plain(text[:40]))
    return match["mark"].strip("().-") or "-" if match else ""


# ---------------------------------------------------------------- by what, and when

_NUMERIC_DATE = r"\d{1,2}\s?[-./]\s?\d{1,2}\s?[-./]\s?(\d{4}|\d{2})(?!\d)"
_WORDED_DATE = rf"(?:\d{{1,2}}\s+)?(?:de\s+)?{MONTH_PATTERN}\s+(?:del?\s+(?:año\s+)?)?(\d{{4}})"
_WHEN = re.compile(
    rf"(?:publicad[oa]s?|b\.?\s?o\.?|dof|de fecha|vigente hasta|vigencia)\b[^;()]{{0,40}}?(?:{_NUMERIC_DATE}|{_WORDED_DATE})"
)
_ANY_DATE = re.compile(rf"{_NUMERIC_DATE}|{_WORDED_DATE}")
_YEAR_OF_NORM = re.compile(r"\bde(?:l año)? ((?:19|20)\d\d)\b|[/-]((?:19|20)\d\d)\b")


_GLUED = re.compile(r"(?<=\bla)(?=[A-Z])|(?<=\bdel)(?=[A-Z])")  # «por art. 3° delDecreto N° 868/99»: a lost link


def _norm_of(text: str) -> str:
    """The first norm that a note names, as it writes it; an article's own number before it is left out."""
    text = _GLUED.sub(" ", text)
    match = next(iter(find_identifiers(text)), None)
    return " ".join(text[match.start : match.end].split()) if match else ""


def _year_of(text: str) -> int | None:
    plain = _plain(text)
    for pattern in (_WHEN, _ANY_DATE, _YEAR_OF_NORM):
        if found := pattern.search(plain):
            return _full(int(next(filter(None, found.groups()))))
    return None


def _full(year: int) -> int:
    return year if year > 99 else year + (1900 if year > 40 else 2000)


def _plain(text: str) -> str:
    """The aligned fold, but with stars told apart from degrees, which it makes of them."""
    composed = text if text.isascii() else unicodedata.normalize("NFC", text)
    return aligned_fold((composed if len(composed) == len(text) else text).replace("*", "¤"))
