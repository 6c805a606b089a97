"""Whether the sources that a sentence cites say what it says.

A sentence is marked for what can be checked and no cited source says, or one says otherwise; never for what it says of
the sources themselves, for a heading, a lead-in or a plain inference. The rules, in order; the first that fails is the
doubt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from rag_system.generation.amounts import Amounts
from rag_system.generation.doubts import Doubt
from rag_system.generation.figures import Figure, is_among, read_figures, without_figures
from rag_system.generation.markers import strip_markers
from rag_system.generation.nearness import Nearness
from rag_system.generation.sense import exclude_each_other, is_general, opposed, speaks_of_every
from rag_system.generation.sources import Sources
from rag_system.generation.subjects import is_of_another
from rag_system.generation.words import clauses, root, roots, words
from rag_system.query.common_words import is_common
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS

__all__ = ["Claim"]


_SOURCE_WORDS = (
    r"(?:documentos?|fuentes?|textos?|pasajes?|fragmentos?|articulos? (?:consultad|citad|disponibl)\w+|"
    r"guia|norma|ley|reglamento|manual|procedimiento|tesis|acta|estudio)"
)
_SAYS = (
    r"(?:indic|mencion|precis|especific|se[nñ]al|dic[eh]|contien|incluy|trat[ae]|respond|aparec|detall|abord|fij|"
    r"establec|regul|prev|recog|explic|aclar|contempl|reconoc|cubr|defin|ofrec|cuent|prohib|limit|describ|inform|"
    r"refier|habl|nombr)\w*"
)
# What says nothing that a source could say: offers, thanks, what the documents lack.
_NO_CLAIM = re.compile(
    r"^(?:con (?:mucho )?gusto|espero|gracias|claro|por supuesto|hola|buen[oa]s|le recomiendo|se recomienda revisar|"
    r"si (?:desea|necesita|requiere|tiene)\b.{0,80}\b(?:puedo|avise\w*|digame|consulte\w*|pregunte\w*|aqui estoy)|"
    r"quedo|estoy (?:aqui|a su)|en resumen|en sintesis|a continuacion|lamentablemente)\b"
    rf"|\b{_SOURCE_WORDS}\b[^.;]{{0,60}}\b(?:no|ni|tampoco|sin)\b[^.;]{{0,12}}\b{_SAYS}"
    r"|\bno (?:se )?(?:encontre|encuentr\w+|hall\w+|aparec\w+|hay|consta|figura|tengo)\b[^.;]{0,60}"
    r"\b(?:documentos|fuentes?|informacion|pasajes?)\b"
    rf"|\bno se (?:menciona|indica|especifica|precisa|detalla|señala|aclara|preve|prevei|contempla)\w*\b"
)
_META = frozenset(
    roots(
        """documento documentos fuente fuentes artículo artículos numeral numerales inciso literal norma ley decreto
        reglamento según señala establece indica dispone precisa menciona usted caso casos manera forma cualquier
        cualquiera mismo misma ejemplo decir"""
    )
)


_SAYS_LITTLE = 1e-4  # share of all words written: «llevar», «mientras», «uno»
_FEWEST, _FEWEST_UNCITED = 2, 3  # words that a sentence must have to be marked because no source has any of them
_NAME = re.compile(r"(?<=[a-záéíóúñ,(] )[A-ZÁÉÍÓÚÑ][\w-]*[a-záéíóúñ](?: [A-ZÁÉÍÓÚÑ][\w-]*[a-záéíóúñ])*")
_WORK = re.compile(r"((?:[A-ZÁÉÍÓÚÑ][\w-]+(?:,? (?:y |e |& |et al\.? ?|de |del )?)?)+)\((?:1[89]|20)\d\d[a-z]?\)")
# «Lo dispone el artículo 5»: a sentence that begins with a pronoun speaks of what was said.
_TAKES_UP = re.compile(r"(?:asi |esto |eso |ello )?(?:lo|la|los|las) \w+ (?:\w+r )?(?:el|la|los|las|un|una|quien)\b")


class Claim:
    """A sentence of an answer, compared with its sources. `before`: the sentences that it follows, in one text."""

    def __init__(self, sentence: str, sources: Sources, before: str = "") -> None:
        self.text = _without_remarks(_plain(strip_markers(sentence)))
        self._sources, self._before = sources, before

    @property
    def says_nothing(self) -> bool:
        """Whether no source could support it: courtesy, a question, a lead-in, a heading, what is missing."""
        text = self.text
        if not text or text.startswith("#") or text.endswith(("?", ":")):
            return True
        return not (self.words or self.figures or self.identifiers)

    @cached_property
    def identifiers(self) -> list[str]:
        return extract_identifiers(self.text)

    @cached_property
    def figures(self) -> list[Figure]:
        return read_figures(self.text)

    @cached_property
    def words(self) -> list[str]:
        """The distinct roots that say something; what the question says and no source does is not the answer's."""
        return self._telling(self.text, self.figures)

    def _telling(self, text: str, figures: Sequence[Figure]) -> list[str]:
        known, found = self._sources, dict[str, None]()
        for word in words(without_identifiers(without_figures(text, figures))):
            each = root(word)
            if len(each) > 1 and not word[0].isdigit() and word not in STOPWORDS and each not in _META:
                is_own = each not in known.asked and not is_common(word, least=_SAYS_LITTLE)
                if known.places(each) or is_own:
                    found[each] = None
        return list(found)

    @cached_property
    def _subject_matter(self) -> list[str]:
        """Its words, and those of what a pronoun at its start takes up."""
        if not _TAKES_UP.match(fold(self.text)):
            return self.words
        said = self._before.strip().rpartition("\n")[2] or self._sources.question
        return list(dict.fromkeys([*self.words, *self._telling(said, read_figures(said))]))

    @cached_property
    def near(self) -> Nearness:
        return Nearness(self.text, self._subject_matter, self.figures, self._sources)

    @cached_property
    def _amounts(self) -> Amounts:
        return Amounts(
            text=self.text,
            before=self._before,
            figures=self.figures,
            words=self._subject_matter,
            near=self.near,
            sources=self._sources,
        )

    def has_its_figures_in(self, n: int) -> bool:
        """Whether the statements of a source that speak of the same have all the figures of the sentence."""
        stated = [figure for each in self.near.aligned([n]) for figure in each.figures]
        return all(is_among(figure, stated) or figure.unit == "article" for figure in self.figures)

    # ------------------------------------------------------------ the rules

    def doubt(self, cited: Collection[int]) -> Doubt:
        """Why these sources, or all where it cites none, do not support the sentence; `Doubt.NONE` when they do."""
        if self.says_nothing:
            return Doubt.NONE
        few = _FEWEST if cited else _FEWEST_UNCITED
        return next(filter(None, self._doubts(cited or self._sources.evidence.keys(), few)), Doubt.NONE)

    def _doubts(self, cited: Collection[int], few: int) -> Iterator[Doubt]:
        yield self._identifier_doubt(cited)
        yield from self._amounts.doubts(cited)
        yield self._sense_doubt(cited)
        yield self._general_doubt(cited)
        yield self._subject_doubt(cited)
        yield self._name_doubt(cited)
        yield self._source_doubt(cited)
        yield self._words_doubt(cited, few)

    def _identifier_doubt(self, cited: Collection[int]) -> Doubt:
        known = [identifier for n in cited for identifier in self._sources.identifiers[n]]
        named = [each for each in self.identifiers if ":" not in each or each.partition(":")[2][:1].isdigit()]
        found = all(any(same_identifier(asked, own) for own in known) for asked in named)
        return Doubt.NONE if found else Doubt.IDENTIFIER

    # ------------------------------------------------------------ sense

    def _sense_doubt(self, cited: Collection[int]) -> Doubt:
        clashes = [
            opposed(self.text, self.near.as_said_by(each), each.text, self.near.heard_from(each))
            or exclude_each_other(self.text, each.text)
            for each in self.near.aligned(cited)
        ]
        return Doubt.SENSE if clashes and all(clashes) else Doubt.NONE

    def _general_doubt(self, cited: Collection[int]) -> Doubt:
        aligned = self.near.aligned(cited)
        if not is_general(self.text) or not aligned or any(speaks_of_every(each.text) for each in aligned):
            return Doubt.NONE
        return Doubt.GENERAL

    def _subject_doubt(self, cited: Collection[int]) -> Doubt:
        aligned = self.near.aligned(cited)
        numerals = {each.value for each in self.figures if each.unit in ("article", "") and "." in each.value}
        aligned = [each for each in aligned if numerals & each.part] or aligned
        another = is_of_another(self.text, self._subject_matter, self._sources, aligned)
        return Doubt.SUBJECT if another else Doubt.NONE

    def _name_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether it names somebody or something that none of the sources does, or one work for another."""
        if self._is_work_of_another(cited):
            return Doubt.NAME
        for name in _NAME.findall(without_identifiers(self.text)):
            said = [each for each in roots(name) if each in self.words]
            if said and not any(self.near.is_in(each, n) for each in said for n in cited):
                return Doubt.NAME
        return Doubt.NONE

    def _is_work_of_another(self, cited: Collection[int]) -> bool:
        """Whether what it says of the one work that it names stands, nearest, with others only."""
        work, *more = _works(self.text) or [frozenset()]
        told = set(self.words) - work
        if more or not work or not told:
            return False
        held = [(len(told & each.roots), each) for each in self._sources.statements if each.n in cited]
        most = max((count for count, _ in held), default=0)
        named = [_works(each.text) for count, each in held if count == most and most]
        return bool(named) and all(works and work.isdisjoint(*works) for works in named)

    # ------------------------------------------------------------ words

    def _source_doubt(self, cited: Collection[int]) -> Doubt:
        others = [n for n in self._sources.evidence if n not in cited]
        mine = self.near.together(cited)
        clearly = len(self.words) >= 4 and mine < 0.5 and self.near.together(others) - mine >= 0.3
        return Doubt.SOURCE if clearly else Doubt.NONE

    def _words_doubt(self, cited: Collection[int], few: int) -> Doubt:
        """Whether next to nothing of it, or of one of its clauses, is in a source; its figures were found by now."""
        new = {word for word in self.words if not any(self.near.is_in(word, n) for n in cited)}
        found = min(len(self.figures) + len(self.identifiers), 2)
        said = len(self.words)
        if not self.figures and len(new) == said >= few:
            return Doubt.WORDS
        if said >= 4 and len(new) / (said + found) >= 0.7:
            return Doubt.WORDS
        for start, end in clauses(self.text):
            own = set(roots(self.text[start:end])).intersection(self.words)
            if len(own) >= 5 and len(own & new) / len(own) >= 0.7:
                return Doubt.WORDS
        return Doubt.NONE


def _works(text: str) -> list[frozenset[str]]:
    """The authors of each work that a text names with its year: «Rojas y Paz (2019)»."""
    return [frozenset(roots(each)) for each in _WORK.findall(text)]


def _without_remarks(text: str) -> str:
    """The clauses of a sentence that say something of the subject, not of the sources or of the conversation."""
    parts = re.split(r"(?<=[;,])\s+(?=(?:pero|aunque|y|si bien|sino)\s)|(?<=;)\s+", text)
    return " ".join(part for part in parts if not _NO_CLAIM.search(fold(part)))


def _plain(text: str) -> str:
    return text.replace("*", "").strip()
