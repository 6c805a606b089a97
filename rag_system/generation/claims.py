"""Whether the sources that a sentence cites say what it says: its norms, figures and dates, its sense, its words.

The rules, in order; the first that fails is the doubt:

1. a norm that the sentence names is named by a source;
2. a figure, date, article or code of the sentence stands in a source, with the same unit, on the same side («hasta»
   is not «al menos»), and beside the words that the sentence puts it beside;
3. the sentence does not deny what the source affirms, or affirm what it denies;
4. the sentence shares enough of its words with a stretch of a source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property

from rag_system.generation.figures import Figure, is_among, read_figures
from rag_system.generation.markers import strip_markers
from rag_system.generation.nearness import Nearness
from rag_system.generation.polarity import exclude_each_other, opposed, roots
from rag_system.generation.statements import SourceText
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import fold

__all__ = ["Claim", "Doubt"]

# Found on planted sentences (`tests/unit/generation/planted.toml`).
_LEAST_SHARED = 0.34  # share of a sentence's words, 0…1, that a stretch of its sources must hold
_MOST_FIGURES = 2  # that count among them


class Doubt(StrEnum):
    """Why a sentence is marked, as a person reads it."""

    NONE = ""
    IDENTIFIER = "la fuente citada no nombra esa norma"
    FIGURE = "la cifra o la fecha no está en la fuente citada"
    ANOTHER_FIGURE = "la fuente citada da esa cifra para otra cosa"
    BOUND = "la fuente citada da esa cifra como límite contrario"
    SENSE = "la fuente citada dice lo contrario"
    WORDS = "la fuente citada no lo dice"


# What says nothing that a source could say: offers, thanks, what the documents lack.
_NO_CLAIM = re.compile(
    r"^(?:con (?:mucho )?gusto|espero|gracias|claro|por supuesto|hola|buen[oa]s|le recomiendo|se recomienda revisar|"
    r"si (?:desea|necesita|requiere|tiene)\b.{0,80}\b(?:puedo|avise\w*|digame|consulte\w*|pregunte\w*|aqui estoy)|"
    r"quedo|estoy (?:aqui|a su)|en resumen|en sintesis|a continuacion|lamentablemente)\b"
    r"|\b(?:documentos|fuentes?|textos?|pasajes?|fragmentos?)\b[^.]{0,30}\bno\b[^.]{0,12}"
    r"\b(?:indica|menciona|precisa|especifica|senala|dice|contiene|incluye|trata|responde|aparece|detalla|aborda)\w*"
    r"|\bno (?:se )?(?:encontre|encuentr\w+|hall\w+|aparec\w+|hay|consta|figura|tengo)\b[^.]{0,60}"
    r"\b(?:documentos|fuentes?|informacion|pasajes?)\b"
    r"|\bno se (?:menciona|indica|especifica|precisa|detalla)\w*\b"
)
_META = frozenset(
    roots(
        """documento documentos fuente fuentes artículo artículos numeral numerales inciso literal norma ley decreto
        reglamento según señala establece indica dispone precisa menciona usted caso casos manera forma"""
    )
)


class Claim:
    """A sentence of an answer, without its markers."""

    def __init__(self, sentence: str) -> None:
        self.text = strip_markers(sentence).replace("*", "").strip()
        self._near: dict[tuple[int, ...], Nearness] = {}

    @property
    def says_nothing(self) -> bool:
        """Whether no source could support it: courtesy, a question, a lead-in, a heading, what is missing."""
        text = self.text
        if not text or text.startswith("#") or text.endswith(("?", ":")):
            return True
        return _NO_CLAIM.search(fold(text)) is not None or not (self.words or self.figures or self.identifiers)

    @cached_property
    def _bare(self) -> str:
        return without_identifiers(self.text)

    @cached_property
    def identifiers(self) -> list[str]:
        return extract_identifiers(self.text)

    @cached_property
    def figures(self) -> list[Figure]:
        return read_figures(self.text)

    @cached_property
    def words(self) -> list[str]:
        """The distinct roots that say something."""
        return [root for root in dict.fromkeys(roots(self._bare)) if root not in _META]

    def doubt(self, sources: Sequence[SourceText]) -> Doubt:
        """Why the sources do not support the sentence; `Doubt.NONE` when they do."""
        if self.says_nothing:
            return Doubt.NONE
        known = [identifier for source in sources for identifier in source.identifiers]
        if not all(any(same_identifier(asked, own) for own in known) for asked in self.identifiers):
            return Doubt.IDENTIFIER
        near = self.nearness(sources)
        return self._figures_doubt(sources, near) or self._sense_doubt(near) or self._words_doubt(near)

    def nearness(self, sources: Sequence[SourceText]) -> Nearness:
        """How near the sources come; looked at once for the same ones."""
        key = tuple(source.evidence.n for source in sources)
        if key not in self._near:
            self._near[key] = Nearness(self.text, self.words, self.figures, sources)
        return self._near[key]

    # ------------------------------------------------------------ figures

    def _figures_doubt(self, sources: Sequence[SourceText], near: Nearness) -> Doubt:
        stated = [figure for source in sources for figure in source.figures]
        if not all(is_among(figure, stated) or _is_in_words(figure, sources) for figure in self.figures):
            return Doubt.FIGURE
        for figure in self.figures:
            if near.suits_another(figure):
                return Doubt.ANOTHER_FIGURE
            if near.bounds_clash(figure):
                return Doubt.BOUND
        return Doubt.NONE

    # ------------------------------------------------------------ sense and words

    def _sense_doubt(self, near: Nearness) -> Doubt:
        clashes = [
            opposed(self.text, near.as_said_by(each), each.text, near.heard_from(each))
            or exclude_each_other(self.text, each.text)
            for each in near.aligned
        ]
        return Doubt.SENSE if clashes and all(clashes) else Doubt.NONE

    def _words_doubt(self, near: Nearness) -> Doubt:
        """Figures were found by now: each counts as a word that is held."""
        figures = min(len(self.figures), _MOST_FIGURES)
        share = (near.share * len(self.words) + figures) / (len(self.words) + figures or 1)
        return Doubt.WORDS if self.words and share < _LEAST_SHARED else Doubt.NONE


def _is_in_words(figure: Figure, sources: Iterable[SourceText]) -> bool:
    """«Un año» where the source says «al año»; a year that only the name of a norm carries."""
    if figure.value == "1" and figure.unit:
        return any(re.search(rf"\b{figure.unit}\b", source.folded) for source in sources)
    year = figure.value if not figure.unit else figure.value[:4] if figure.unit == "date" else ""
    dated = figure.unit != "date" or figure.value.endswith("-00-00")
    return dated and len(year) == 4 and any(re.search(rf"(?<!\d){year}(?!\d)", s.folded) for s in sources)
