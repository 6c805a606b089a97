"""Which line of a Spanish document is a heading: legal structure, numbered sections, capitals.

Pure recognition of one line. `structure.py` decides levels and puts a document together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from rag_system.ingestion.text import in_capitals

__all__ = [
    "MAX_HEADING_CHARS",
    "Heading",
    "Rank",
    "is_apparatus",
    "is_capitals",
    "is_reference",
    "is_unfinished",
    "looks_like_name",
    "match_legal",
    "match_numbered",
    "opens_attached",
    "split_inline",
    "split_name",
]

MAX_HEADING_CHARS = 200  # a longer line is a sentence, whatever it looks like


class Rank(IntEnum):
    """Where a heading stands in the hierarchy of a norm; smaller is higher."""

    DOCUMENT = 1
    BOOK = 2  # also Parte, Anexo, Exposición de motivos
    SECTION_ABOVE = 3  # codes: Libro › Sección › Título
    TITLE = 4  # also the groups of Disposiciones
    CHAPTER = 5
    SUBCHAPTER = 6
    SECTION = 7
    GENERIC = 8  # a heading in capitals or bold between structure and articles
    ARTICLE = 9  # also each Disposición, Considerando, Se resuelve
    QUOTED = 10  # the article of another norm that this one quotes


@dataclass(frozen=True, slots=True)
class Heading:
    """A recognised heading line."""

    rank: Rank
    label: str  # «Artículo 23», «Capítulo II»
    name: str = ""  # «Plazos»
    body: str = ""  # what follows on the same line
    undivided: bool = False  # `body` may still begin with the name: `split_name` tells when the paragraph is known
    opens_provisions: bool = False  # a group whose members are called «Primera», «Segunda»…

    @property
    def text(self) -> str:
        """The heading as shown, «Artículo 23.- Plazos»."""
        joint = ".- " if self.rank in (Rank.ARTICLE, Rank.QUOTED) else ". "
        return f"{self.label}{joint}{self.name}" if self.name else self.label


_ORDINAL_STEMS = (
    "primer|segund|tercer|cuart|quint|sext|s[ée]?p?tim|octav|noven|d[ée]cim|und[ée]cim|duod[ée]cim|"
    "vig[ée]sim|trig[ée]sim|cuadrag[ée]sim|quincuag[ée]sim|sexag[ée]sim"
)
_ORDINAL = (
    rf"(?:(?:{_ORDINAL_STEMS})[oa]?(?:\s+(?:{_ORDINAL_STEMS})[oa])?|[úu]nic[oa]|(?:d[ée]cimo|vig[ée]simo)\w+[oa])"
)
_ROMAN = r"[IVXLCDM]+[l|]*|[l|]{1,3}"  # OCR reads «II» as «Il» or «||»
_DASHES = r"[-–—−]"
_QUOTES = "«“”\"'‘"
_DEGREE = r"[ºª°*%”\"?'’oO0]"

_ARTICLE = re.compile(
    rf"(?P<quote>[{_QUOTES}]?)\s*(?P<word>Art(?:[íi¡]culo|\.)|ART(?:[ÍI¡]CULO|\.))\s*(?:[—–]\s)?"
    rf"(?P<number>\d{{1,4}}(?:\s?{_DASHES}\s?[A-Z](?![\w]))?|(?:{_ROMAN})(?!\w)|(?i:{_ORDINAL})(?!\w))"
    rf"(?P<degree>\s?[ºª°]|{_DEGREE}{{1,3}}(?=\s?\.\s?{_DASHES})|o(?=\.\s))?(?P<letter>\s?{_DASHES}\s?[A-Z](?=\s?[.:]))?\s*"
    rf"(?P<joint>\.\s?[-–—−.]+|\s?{_DASHES}+|[:.](?!\d))?\s*(?P<rest>.*)",
    re.DOTALL,
)
_INLINE = re.compile(
    r"(?<=[.;:”\"»)\]])\s+(?="
    rf"Art[íi]culo \d{{1,3}}(?:-[A-Z])?\s?[°º]?(?:\s?\.\s?{_DASHES}|\.\s+(?=[A-ZÁÉÍÓÚ\[]))"
    rf"|ART[ÍI]CULO (?:\d{{1,3}}|[A-ZÉ]+)\s?[°º]?\s?(?:\.\s?{_DASHES}|\.\s|:)"
    rf"|(?:PRIMERA|SEGUNDA|TERCERA|CUARTA|QUINTA|SEXTA|S[ÉE]PTIMA|OCTAVA|NOVENA|D[ÉE]CIMA|[ÚU]NICA)"
    rf"(?:\.\s?{_DASHES}|\.)\s+(?=[A-ZÁÉÍÓÚ])"
    r"|(?:DISPOSICI[ÓO]N|DISPOSICIONES) (?:COMPLEMENTARIA|TRANSITORIA|FINAL|DEROGATORIA|MODIFICATORIA)"
    r")"
)
_CROSS_REFERENCE = re.compile(r"(?:[,;)]|(?:de|del|y|e|o|u|al|a|inciso|numeral|literal|p[áa]rrafo|in fine)\b)")

_REFERENCE = re.compile(
    rf"(?:art[íi]culo|cap[íi]tulo|t[íi]tulo|secci[óo]n|libro|anexo|numeral|inciso|ley)\s+(?:N[°º]\s*)?"
    rf"(?:\d{{1,4}}(?:-[A-Z])?|{_ROMAN}|{_ORDINAL})\s?[°º]?(?:\s*[,;)]|\s+(?-i:[a-záéíóú]))",
    re.IGNORECASE,
)

_STRUCTURE_RANKS = {
    "libro": Rank.BOOK,
    "parte": Rank.BOOK,
    "anexo": Rank.BOOK,
    "apendice": Rank.BOOK,
    "titulo": Rank.TITLE,
    "capitulo": Rank.CHAPTER,
    "subcapitulo": Rank.SUBCHAPTER,
    "seccion": Rank.SECTION,
    "subseccion": Rank.GENERIC,
    "norma": Rank.ARTICLE,
}
_STRUCTURE = re.compile(
    r"(?P<word>LIBRO|PARTE|SUB\s?-?SECCI[ÓO]N|SECCI[ÓO]N|T[ÍI]TULO|SUB\s?-?CAP[ÍI]TULO|CAP[ÍI]TULO|ANEXO|AP[ÉE]NDICE|"
    rf"NORMA(?=\s+{_ROMAN}\b))"
    rf"\s+(?P<number>(?:N\s?\.?\s?[°ºo]\.?\s*)?(?:{_ROMAN}|\d{{1,3}}|{_ORDINAL}|preliminar|final|[A-Z])(?!\w))[°º]?\s*"
    rf"(?P<joint>[.:]?\s?{_DASHES}+|[.:](?!\d))?\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BARE_ANNEX = re.compile(r"(?:ANEXOS?|AP[ÉE]NDICE|EXPOSICI[ÓO]N DE MOTIVOS)[.:]?")
_PROVISIONS = re.compile(
    r"(?:[IVX]+\.?-?\s+)?(?:disposici[óo]n|disposiciones)"
    r"(?:[\s,]+(?:complementarias?|transitorias?|final|finales|derogatorias?|modificatorias?|especial|especiales|"
    r"adicional|adicionales|[úu]nicas?|y|e|generales))+[\s*.:]*|(?-i:DISPOSICI[ÓO]N|DISPOSICIONES)[:.]?",
    re.IGNORECASE,
)
_PROVISION = re.compile(
    rf"(?P<quote>[{_QUOTES}]?)\s*(?P<number>(?:{_ORDINAL})(?:\s+disposici[óo]n(?:\s+\w+){{0,3}})?)\s*"
    rf"(?P<joint>\.\s?{_DASHES}*|\s?{_DASHES}+|[:)])\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_EDITORIAL = re.compile(r"\(?TEXTO (?:ANTERIOR|VIGENTE|ORIGINAL|MODIFICADO|DEROGADO)(?: A LA .{3,80})?\)?:?")
_FORMULA = re.compile(
    r"(?:VISTOS?|CONSIDERANDO|SE RESUELVE|RESUELVE|DECRETA|ACUERDA|SE ACUERDA)\s*[:;.]?", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){0,4})(?P<dot>\.?-?)\s+(?P<rest>\S.{1,118})", re.DOTALL)

_FINITE_VERB = re.compile(
    r"\b(?:[Ee]s|[Ss]on|[Ss]er[áa]n?|[Ff]ue|fueron|tienen?|deben?|pueden?|[Ee]st[áa]n?|sean?|han?|hayan?|"
    r"establecen?|comprenden?|corresponden?|[Cc]onstituyen?|regulan?|aplican?|rigen?|consisten?|"
    r"\w{2,}rán?|se (?!refiere)\w+(?:a|e|n|á|án))\b"
)
_UNFINISHED = re.compile(r"\b(?:de|del|la|el|los|las|y|e|o|en|que|por|para|con|al|su|sus|un|una)$", re.IGNORECASE)
_IMPERATIVE = re.compile(r"\w*[áéíóú]\w*(?:se|nse|le|les)\b")  # «Apruébase», «Modifícanse», «Declárese»
_INFINITIVE = re.compile(r"(?!Deber|Poder|Lugar|Hogar|Alquiler|Taller)\w{3,}(?:ar|er|ir)\b", re.IGNORECASE)
_OPENS_SENTENCE = re.compile(
    r"(?:El|La|Los|Las|En|Para|Se|Son|Es|Toda?s?|Todos|Cuando|Si|Por|A|No|Un|Una|Con|Sin|Ante|Desde|Dentro|Cada|"
    r"Constituyen?|Corresponde|Créase|Apruébase|\w*[áéíóú]\w*n?se|\w{3,}[ae]n?se)\b"
)
_NAME_END = re.compile(rf"\s*\.\s?{_DASHES}+\s*|\.\s+(?=\S)|\n")
_ABBREVIATED = re.compile(
    r"(?:\b(?:art|arts|inc|num|núm|n|no|nro|lit|sr|sra|dr|dra|d|s|l|u|av|jr)|\d)$|(?<![^\W\d_])(?-i:[A-Z])$",
    re.IGNORECASE,
)
_TRIM = " \t\n.-–—−:;*_"


def match_legal(line: str, *, bold: int = 0, in_provisions: bool = False) -> Heading | None:
    """The legal heading at the start of `line`, or None.

    `bold` counts the leading characters set in bold: it tells an article's name from its body.
    """
    first = line[:1]
    if not (first.isupper() or first in _QUOTES):
        return None
    return (
        _match_article(line, bold)
        or _match_structure(line)
        or _match_group(line)
        or (_match_provision(line, bold) if in_provisions else None)
    )


def split_inline(line: str) -> list[str]:
    """Cut a paragraph that runs several articles together, before each of their labels."""
    return _INLINE.split(line) if "rt" in line or "RT" in line or "IMERA" in line or "GUNDA" in line else [line]


def match_numbered(line: str) -> tuple[int, str] | None:
    """Depth and text of a numbered section heading, «4.2.1 Alcance del sistema»."""
    match = _NUMBERED.fullmatch(line)
    if not match or not re.search(r"[^\W\d]{3}", match["rest"]):
        return None
    rest = match["rest"]
    capitals = in_capitals(rest)
    if line[-1] in (";," if capitals else ".;:,") or not (rest[0].isupper() or rest[0] in "¿¡«“"):
        return None
    return (match["number"].count(".") + 1, line) if capitals or looks_like_name(rest) else None


def is_capitals(line: str) -> bool:
    """A line in capitals that can be a heading: words, not a code, not the start of a list."""
    if not 4 <= len(line) <= MAX_HEADING_CHARS or line[-1] in ":;,|" or line[:6] != line[:6].upper():
        return False
    if not in_capitals(line) or is_apparatus(line):
        return False
    if line[-1] == "." and len(line.split()) < 3:
        return False
    letters = sum(map(str.isalpha, line))
    words = re.findall(r"[^\W\d_]{4,}", line)
    return letters >= 0.6 * len(line) and bool(words) and (len(words) > 1 or len(words[0]) >= 6)


def is_apparatus(line: str) -> bool:
    """Editors' notes, the authority that speaks, the furniture of a web page: they head nothing."""
    return _APPARATUS.match(line) is not None


def is_reference(line: str) -> bool:
    """«Artículo 242 de la Ley…», «Capítulo II y de las»: inside a sentence it names another place, it heads nothing."""
    return _REFERENCE.match(line) is not None


def is_unfinished(name: str) -> bool:
    """«Creación del Consejo Nacional de»: it goes on in the next line."""
    return _UNFINISHED.search(name) is not None


_APPARATUS = re.compile(
    r"\(?\*?\)?\s*(?:CONCORDANCIA|PROCESOS CONSTITUCIONALES|JURISPRUDENCIA|CONFRONTAR|NOTA SPIJ|[\[(]|"
    r"ART[ÍI]CULOS RELACIONADOS|LO [ÚU]LTIMO|M[ÁA]S LE[ÍI]DOS|SEPARATA ESPECIAL|NORMAS LEGALES$|EL PERUANO$|"
    r"(?:LUNES|MARTES|MI[ÉE]RCOLES|JUEVES|VIERNES|S[ÁA]BADO|DOMINGO),? \d|"
    r"AL? (?:SEÑORA?|LA SEÑORA) |(?:EL|LA) (?:PRESIDENT|CONGRESO|(?:PRIMERA?|SEGUND[AO]|TERCERA?) VICE|"
    r"MINISTR|ALCALDE|TITULAR|CONSEJO (?:REGIONAL|MUNICIPAL)|GOBERNADOR|JEFE|"
    r"COMISI[ÓO]N PERMANENTE|JUNTA DE GOBIERNO|INTENDENTE|"
    r"SUPERINTENDENTE|DIRECTOR)|POR (?:CUANTO|TANTO))"
)
_ATTACHED = re.compile(
    r"(?:REGLAMENTO|LEY|TEXTO [ÚU]NICO|T\.?U\.?O|ESTATUTO|C[ÓO]DIGO|NORMAS?|DIRECTIVA|LINEAMIENTOS?|PLAN|MANUAL|"
    r"POL[ÍI]TICA|"
    r"PROTOCOLO|CONVENIO|CONTRATO|TABLA|CUADRO|FORMATO|BASES|PROCEDIMIENTO|GU[ÍI]A|TARIFARIO|REGLAS)\b"
)


def opens_attached(line: str) -> bool:
    """«REGLAMENTO DE LA LEY…» after the signatures: the document that the norm approves begins."""
    return _ATTACHED.match(line) is not None


def looks_like_name(text: str) -> bool:
    """Whether `text` names something («Plazo de apelación») rather than says something."""
    words = text.split()
    if text[:1] == "¿":
        return len(words) <= 22
    if not words or len(words) > 22 or _FINITE_VERB.search(text) or _IMPERATIVE.match(text):
        return False
    return not (len(words) > 6 and _INFINITIVE.match(text))


def split_name(rest: str) -> tuple[str, str]:
    """Tell the name of an article from its body, in the text after «Artículo N.-»."""
    rest = rest.strip()
    for end in _NAME_END.finditer(rest):
        candidate = rest[: end.start()]
        if len(candidate) > 160:
            break
        if _ABBREVIATED.search(candidate) and "-" not in end.group():
            continue
        body = rest[end.end() :].strip()
        if end.group() == "\n" and (not body or not (body[0].isupper() or body[0] in _QUOTES or body[0].isdigit())):
            continue
        if _is_article_name(candidate):
            return candidate.strip(_TRIM), body
        break
    if (run_in := _run_in(rest)) is not None:
        return run_in
    if (
        len(rest) <= 160
        and rest[-1:] != ":"
        and _is_article_name(rest)
        and not (rest.endswith(".") and len(rest.split()) > 9)
    ):
        return rest.replace("\n", " ").strip(_TRIM), ""
    return "", rest


def _is_article_name(text: str) -> bool:
    words = text.split()
    if (_OPENS_SENTENCE.match(text) and len(words) > 8) or (_INFINITIVE.match(text) and words[0].isupper()):
        return False
    return looks_like_name(text) and not is_unfinished(text)


def _run_in(rest: str) -> tuple[str, str] | None:
    """«Plazo Los proyectos se otorgan…»: the name runs into the body without a sign."""
    for match in re.finditer(r"(?<=[a-záéíóúñ)»A-Z])\s+(?=[A-ZÁÉÍÓÚ])", rest[:140]):
        name, body = rest[: match.start()], rest[match.end() :]
        if re.search(r"[.;:\n]", name):
            return None
        if len(body) > 25 and _OPENS_SENTENCE.match(body) and _is_article_name(name):
            return name.strip(_TRIM), body
    return None


def _match_article(line: str, bold: int) -> Heading | None:
    match = _ARTICLE.match(line)
    if not match:
        return None
    rest, joint = match["rest"], match["joint"]
    if rest and _CROSS_REFERENCE.match(rest):
        return None
    if not joint and rest and not _names_without_joint(rest):
        return None
    word = "Artículo" if match["word"][1].islower() else "ARTÍCULO"
    degree = "°" if match["degree"] and match["degree"].strip()[0] in "ºª°" else ""
    label = f"{match['quote']}{word} {match['number']}{degree}{(match['letter'] or '').replace(' ', '')}"
    rank = Rank.QUOTED if match["quote"] else Rank.ARTICLE
    return _divided(Heading(rank, label, body=rest, undivided=True), bold - match.start("rest"), labelled=bold > 0)


def _names_without_joint(rest: str) -> bool:
    if rest[0] in "[(\n":
        return True
    head = rest.split("\n", 1)[0]
    if not rest[0].isupper():
        return False
    return ".-" in head[:130] or (len(head) <= 110 and head[-1] not in ".,;")


def _divided(heading: Heading, bold_rest: int, *, labelled: bool) -> Heading:
    """Use the bold type to tell the name from the body, where the line has any."""
    rest = heading.body
    if not labelled or not rest:
        return heading
    if bold_rest >= len(rest) - 2 and len(rest) <= MAX_HEADING_CHARS and (rest[-1] != ":" or looks_like_name(rest)):
        return Heading(heading.rank, heading.label, " ".join(rest.split()).strip(_TRIM))
    if 3 <= bold_rest <= MAX_HEADING_CHARS and (name := " ".join(rest[:bold_rest].split()).strip(_TRIM)):
        return Heading(heading.rank, heading.label, name, rest[bold_rest:].lstrip(_TRIM))
    return Heading(heading.rank, heading.label, body=rest) if bold_rest < 3 else heading


def _match_structure(line: str) -> Heading | None:
    match = _STRUCTURE.match(line)
    if not match or len(line) > MAX_HEADING_CHARS:
        return None
    rest = match["rest"].strip()
    word = match["word"]
    annex = word[:2].upper() in ("AN", "AP")
    if len(match["number"]) == 1 and match["number"].isalpha() and match["number"] not in "IVXLl" and not annex:
        return None
    if rest and not (match["joint"] or rest[0].isupper() or rest[0] in '«“"('):
        return None
    if rest and (rest[0].islower() or rest[-1] in ".;," or not looks_like_name(rest)):
        return None
    key = word.lower().translate(str.maketrans("íóé", "ioe")).replace(" ", "").replace("-", "")
    label = f"{word} {match['number']}"
    return Heading(_STRUCTURE_RANKS[key], " ".join(label.split()), " ".join(rest.strip(_TRIM).split()))


def _match_group(line: str) -> Heading | None:
    if len(line) > 120:
        return None
    if _PROVISIONS.fullmatch(line):
        members = "generales" not in line.lower() or "complementaria" in line.lower()
        return Heading(Rank.TITLE if members else Rank.GENERIC, line.strip(_TRIM), opens_provisions=members)
    if _BARE_ANNEX.fullmatch(line):
        return Heading(Rank.BOOK, line.strip(_TRIM))
    if _EDITORIAL.fullmatch(line):
        return Heading(Rank.QUOTED, line.strip(_TRIM))
    if _FORMULA.fullmatch(line):
        return Heading(Rank.ARTICLE, line.strip(_TRIM))
    return None


def _match_provision(line: str, bold: int) -> Heading | None:
    match = _PROVISION.match(line)
    if not match:
        return None
    heading = Heading(Rank.ARTICLE, match["quote"] + match["number"], body=match["rest"], undivided=True)
    return _divided(heading, bold - match.start("rest"), labelled=bold > 0)
