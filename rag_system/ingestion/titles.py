"""How a document is called: as its file declares it, else as its first lines do; never a running head."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag_system.ingestion.document import Block, BlockKind
from rag_system.ingestion.headings import is_capitals, match_legal
from rag_system.ingestion.text import clean_line
from rag_system.query.months import MONTH_PATTERN

__all__ = ["HEAD_BLOCKS", "declared_name", "title_of"]

HEAD_BLOCKS = 14  # where a document's own name stands
_TITLE_BLOCKS = 6
_MAX_TITLE_CHARS = 300
_MAX_LINE_CHARS = 200

_DATE = rf"\d{{1,2}}[.°º]?\s+de\s+{MONTH_PATTERN}(?:\s+del?\s+\d{{4}})?"
_USELESS = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel)\b.*|untitled.*|sin t[íi]tulo.*|document(?:o)?\s?\d*|presentaci[óo]n\d*|"
    r"\(anonymous\)|(?:powerpoint )?presentation|presentaci[óo]n de powerpoint|libro\d*|hoja\d*|"
    r"[\w\-. ]+\.(?:docx?|pdf|indd|qxd|tex|dvi|rtf|odt|html?|md|txt|xlsx?|pptx?)|"
    r"[\d\W_]*|.{1,3}|"
    r"(?:[«“\"]|nombre del )?(?:a[ñn]o|decenio) (?:\d{4}|del? ).*|"
    r"t[íi]tulo|title|inicio|home|index|header|footer|encabezado|logo(?:tipo)?|borrador|confidencial|"
    r"(?:poder (?:ejecutivo|legislativo|judicial)|congreso de la rep[úu]blica)\.?)",
    re.IGNORECASE,
)
# What stands at the head of every page: its number, a date, a gazette, an address, the form's own fields.
_RUNNING = re.compile(
    r"(?:.*\b)?p[áa]g(?:ina|\.)?\s*(?:n[.°º]*\s*)?\d+(?:\s*(?:de|/|of)\s*\d+)?\W*|page \d+.*|"
    r"(?:(?:el peruano|diario oficial|separata especial|normas legales|bolet[íi]n oficial|gaceta oficial)\b.{0,80})|"
    rf"(?:[\w. ]{{0,40}},\s*)?(?:(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo),?\s*)?{_DATE}\W*|"
    r"(?:https?://|www\.)\S+|\S+@\S+\.\w+|"
    r"(?:fecha|c[óo]digo|versi[óo]n|revisi[óo]n|expediente|folio|ruc|tel[ée]fono|tel\.|direcci[óo]n|p[áa]gina)\s*"
    r"(?:n[.°º]*\s*)?:.*|versi[óo]n\s+[\d.]+\W*|copia (?:no )?controlada.*|firmado digitalmente.*",
    re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"(?:[íi]ndice(?: general)?|contenidos?|contents|table of contents|tabla de contenidos?|sumario|resumen|abstract)"
    r"[.:]?",
    re.IGNORECASE,
)
_KIND = re.compile(
    r"(?:acta|procedimiento|manual|informe|directiva|resoluci[óo]n|ley|decreto|reglamento|gu[íi]a|plan|pol[íi]tica|"
    r"contrato|convenio|oficio|memor[áa]ndum|memorando|lineamientos|protocolo|instructivo|estatuto|c[óo]digo|ordenanza|"
    r"texto [úu]nico|tuo|t[ée]rminos de referencia|bases|circular|real decreto|norma oficial mexicana)\b",
    re.IGNORECASE,
)
_GLUED_SENTENCE = re.compile(  # what a page of the web glues to the end of a title: the first words of the text
    r"(?<=[a-záéíóúñ)])(?=(?:El|La|Los|Las) (?:presentes?|objeto|ley|norma|finalidad)\b).*", re.DOTALL
)
_SUBJECT = re.compile(r"(?:asunto|tema|t[íi]tulo|nombre del documento)\s*:\s*(?P<subject>\S.{8,})", re.IGNORECASE)


def declared_name(declared: str) -> str:
    """What a file says of itself, without what does not belong to it; empty when that is no name."""
    name = _GLUED_SENTENCE.sub("", clean_line(declared[: 2 * _MAX_TITLE_CHARS]))
    name = re.sub(r"(?<=[a-záéíóúñ]{4})\.$", "", name)
    return "" if not name or _USELESS.fullmatch(name) or _RUNNING.fullmatch(name) else _shortened(name)


def title_of(blocks: Sequence[Block], stem: str) -> str:
    """The name of a document that declares none: from its first lines, else its file's."""
    return _shortened(_written(blocks) or _readable(stem))


def _written(blocks: Sequence[Block]) -> str:
    """The main heading, the line that says what kind of document this is, the subject, the first that stands alone, a
    heading."""
    if blocks and blocks[0].level == 1 and not is_capitals(blocks[0].text) and _is_title(blocks[0].text):
        return blocks[0].text
    return next(_proposed(blocks), "")


def _proposed(blocks: Sequence[Block]) -> Iterator[str]:
    head = [block for block in blocks[:HEAD_BLOCKS] if len(block.text) <= _MAX_LINE_CHARS and _is_title(block.text)]
    alone = [block.text for block in head if block in blocks[:_TITLE_BLOCKS] and len(block.text) >= 12]
    kinds = [text for text in alone if _KIND.match(text)]
    yield from (text for text in kinds if len(text.split()) > 3)
    yield from kinds
    yield from (found["subject"] for block in blocks[:HEAD_BLOCKS] if (found := _SUBJECT.fullmatch(block.text)))
    yield from (text for text in alone if text == blocks[0].text)
    yield from (block.text for block in head if block.kind is BlockKind.HEADING)


def _is_title(text: str) -> bool:
    if text[-1] in ".;:," or any(each.fullmatch(text) for each in (_USELESS, _RUNNING, _CONTENTS)):
        return False
    return match_legal(text) is None and not text[0].isdigit()


def _readable(stem: str) -> str:
    """«mi_informe-final» → «mi informe final»; the hyphens of numbers stay."""
    return " ".join(re.sub(r"_|(?<!\d)-|-(?!\d)", " ", stem).split()) or stem


def _shortened(title: str) -> str:
    return title if len(title) <= _MAX_TITLE_CHARS else title[:_MAX_TITLE_CHARS].rsplit(" ", 1)[0]
