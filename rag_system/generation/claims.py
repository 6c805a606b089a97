"""Whether the sources that a sentence cites say what it says.

A sentence is marked for what can be checked and no cited source says, or one says otherwise; never for what it says of
the sources themselves, for a heading, a lead-in or a plain inference. The rules, in order; the first that fails is the
doubt.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from rag_system.generation.arithmetic import is_computed, is_converted
from rag_system.generation.figures import Figure, is_among, read_figures, without_figures
from rag_system.generation.markers import strip_markers
from rag_system.generation.nearness import Nearness
from rag_system.generation.sense import (
    bound_of,
    exclude_each_other,
    is_general,
    is_restricted,
    opposed,
    speaks_of_every,
)
from rag_system.generation.sources import Sources, Statement
from rag_system.generation.words import clauses, root, roots, words
from rag_system.query.common_words import is_common
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS

__all__ = ["Claim", "Doubt"]


class Doubt(StrEnum):
    """Why a sentence is marked, as a person reads it."""

    NONE = ""
    IDENTIFIER = "la fuente citada no nombra esa norma"
    FIGURE = "la cifra o la fecha no está en la fuente citada"
    KIND = "la fuente citada cuenta otra clase de días"
    ANOTHER_FIGURE = "la fuente citada da esa cifra para otra cosa"
    ARTICLE = "la fuente citada lo dice en otro artículo"
    BOUND = "la fuente citada da esa cifra como límite contrario"
    SENSE = "la fuente citada dice lo contrario"
    GENERAL = "la fuente citada no lo dice de todos los casos"
    SUBJECT = "la fuente citada lo dice de otro"
    NAME = "la fuente citada no nombra eso"
    SOURCE = "lo dice otra fuente, no la citada"
    WORDS = "la fuente citada no lo dice"


_SOURCE_WORDS = (
    r"(?:documentos?|fuentes?|textos?|pasajes?|fragmentos?|articulos? (?:consultad|citad|disponibl)\w+|guia|norma|ley|reglamento|"
    r"manual|procedimiento|tesis|acta|estudio)"
)
_SAYS = (
    r"(?:indic|mencion|precis|especific|sen[ñn]al|dic[eh]|contien|incluy|trat[ae]|respond|aparec|detall|abord|fija|establec|regul|prev[eé]?[eií]?|"
    r"recog|explic|aclar|contempl|reconoc|cubr|defin|ofrec|cuent|prohib|limit|describ|inform|refier|habl|nombr)\w*"
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
_BOLD_LINE = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\*\*[^*]+\*\*|__[^_]+__)[\s:]*")
_LABEL = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:\*\*|__)[^*|]{2,80}:(?:\*\*|__)\s+(?=\S)")
_META = frozenset(
    roots(
        """documento documentos fuente fuentes artículo artículos numeral numerales inciso literal norma ley decreto
        reglamento según señala establece indica dispone precisa menciona usted caso casos manera forma cualquier cualquiera mismo misma ejemplo decir"""
    )
)


_SAYS_LITTLE = 1e-4  # share of all words written: «llevar», «mientras», «uno»
_EVENT = re.compile(
    r"[^.;,|]{0,24}?\b(?:siguientes?|posterior(?:es)?|despues|antes|desde|a partir|previ[oa]s?|anterior(?:es)?|contad[oa]s)\b"
    r"(?:\W+(?:a|al|de|del|desde|que|la|el|los|las|su|se|dia|siguiente)\b)*\W+(\w{4,})"
)  # from when a time is counted
_OF_EACH = re.compile(r"\bde cada\b")  # «nueve de cada diez»
_SAME_CLAUSE = 0.8  # share of a clause's words that the clause of a source holds which says the same of somebody
_FEWEST, _FEWEST_UNCITED = 2, 3  # words that a sentence must have to be marked because no source has any of them
_CLEARLY_NEARER = 0.5  # by which another figure of the sources suits the words beside the claim's better
_OTHER_CLAUSE = 0.3  # what a word beside a figure counts that stands in another clause of the statement
# «Cada quince días» is «quincenal».
_EVERY = {
    ("15", "dia"): "quincena",
    ("7", "dia"): "semana",
    ("2", "mes"): "bimestr",
    ("3", "mes"): "trimestr",
    ("6", "mes"): "semestr",
    ("12", "mes"): "a(?:ñ|nu)",
}
_TIMES = ("hora", "dia", "semana", "mes", "año")
_NO_MEASURE = ("", "article", "roman", "code", "ordinal", "date", "weekday")
_PERSON = (
    r"\w+(?:[dts]or(?:a|as|es)?|istas?|[aei]{1,2}ntes?|er[oa]s?|[tn]ari[oa]s?|usuari[oa]s?|ad[oa]s?|iar(?:es)?|az|aces)"
)
_AGENT = re.compile(rf"\b(?:el|la|los|las|al|del|un|una|cada|ningun|todo) ({_PERSON})\b")
_JOINED = re.compile(
    rf"\b(?:el|la|los|las|al|del) ({_PERSON}) (?:o|y|e|u|ni) (?:a|de)? ?(?:el|la|los|las|al|del) ({_PERSON})\b"
)
_NAME = re.compile(r"(?<=[a-záéíóúñ,(] )[A-ZÁÉÍÓÚÑ][\w-]*[a-záéíóúñ](?: [A-ZÁÉÍÓÚÑ][\w-]*[a-záéíóúñ])*")


class Claim:
    """A sentence of an answer, compared with its sources. `before`: the sentences that it follows, in one text."""

    def __init__(self, sentence: str, sources: Sources, before: str = "") -> None:
        self.written = strip_markers(sentence).strip()
        self.text = _without_remarks(_plain(self.written))
        self._sources, self._before = sources, before

    @property
    def says_nothing(self) -> bool:
        """Whether no source could support it: courtesy, a question, a lead-in, a heading, what is missing."""
        text = self.text
        if not text or text.startswith("#") or text.endswith(("?", ":")):
            return True
        if _BOLD_LINE.fullmatch(self.written) and not self.figures and not text.endswith("."):
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
        known, found = self._sources, dict[str, None]()
        for word in words(without_identifiers(without_figures(self.text, self.figures))):
            each = root(word)
            if len(each) > 1 and not word[0].isdigit() and word not in STOPWORDS and each not in _META:
                is_own = each not in known.asked and not is_common(word, least=_SAYS_LITTLE)
                if known.places(each) or is_own:
                    found[each] = None
        return list(found)

    @cached_property
    def near(self) -> Nearness:
        return Nearness(self.text, self.words, self.figures, self._sources)

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
        yield self._figure_doubt(cited)
        yield self._another_figure_doubt(cited)
        yield self._article_doubt(cited)
        yield self._bound_doubt(cited)
        yield self._anchor_doubt(cited)
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

    # ------------------------------------------------------------ figures

    def _stated(self, cited: Collection[int]) -> list[Figure]:
        return [figure for n in cited for figure in self._sources.figures[n]]

    def _figure_doubt(self, cited: Collection[int]) -> Doubt:
        stated = self._stated(cited)
        return next(filter(None, (self._doubt_of(figure, stated, cited) for figure in self.figures)), Doubt.NONE)

    def _doubt_of(self, figure: Figure, stated: Sequence[Figure], cited: Collection[int]) -> Doubt:
        counted = not figure.unit and "." not in figure.value
        aligned = [each for statement in self.near.aligned(cited) for each in statement.figures]
        alike = [each for each in aligned if counted and not each.unit and each.of == figure.of]
        is_other = bool(figure.of and alike) and not any(
            each.value == figure.value and not each.unit and each.of in ("", figure.of) for each in stated
        )
        if not is_other and (
            is_among(figure, stated) or self._is_in_words(figure, cited) or is_converted(figure, stated)
        ):
            return Doubt.NONE
        if figure.of and any(each.value == figure.value and each.unit == "dia" == figure.unit for each in stated):
            return Doubt.KIND
        asked = read_figures(self._sources.question)
        if is_among(figure, asked) or is_converted(figure, asked) or self._is_computed(figure, asked):
            return Doubt.NONE
        if figure.unit == "ordinal" or _OF_EACH.search(self.text, max(0, figure.start - 20), figure.end + 12):
            return Doubt.NONE
        return Doubt.NONE if counted and not alike else Doubt.FIGURE

    def _is_computed(self, figure: Figure, asked: Sequence[Figure]) -> bool:
        statements = self.near.aligned(self._sources.evidence)
        aligned = [each for statement in statements for each in statement.figures if each.value not in statement.part]
        before = read_figures(self._before)
        return is_computed(figure, self.text, self.figures, [*before, *asked, *aligned])

    def _is_in_words(self, figure: Figure, cited: Collection[int]) -> bool:
        """«Un año» where the source says «al año»; a year that only the name of a norm carries; an article by its place."""
        texts = [self._sources.folded[n] for n in cited]
        if figure.unit == "article":
            return any(figure.value in each.part for each in self._sources.statements if each.n in cited)
        if figure.unit == "code":
            return any(figure.value in text.replace("\u2010", "-") for text in texts)
        if figure.value == "1" and figure.unit:
            return any(re.search(rf"\b{figure.unit}\b", text) for text in texts)
        if every := _EVERY.get((figure.value, figure.unit)):
            return any(re.search(rf"\b{every}", text) for text in texts)
        year = figure.value if not figure.unit else figure.value[:4] if figure.unit == "date" else ""
        dated = figure.unit != "date" or figure.value.endswith("-00-00")
        return dated and len(year) == 4 and any(re.search(rf"(?<!\d){year}(?!\d)", text) for text in texts)

    def _article_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether the sentence is another article's than the one that it names."""
        named = {each.value for each in self.figures if each.unit == "article"}
        shared = self.near.of(cited)
        within = [share for share, each in shared if named & (each.part | _articles(each))]
        if not within or len(self.words) < 2 or not any(each.part for _, each in shared):
            return Doubt.NONE
        return Doubt.ARTICLE if self.near.best(cited) - max(within) >= 0.25 else Doubt.NONE

    def _another_figure_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether what stands beside a figure stands, in the sources, beside another of the same unit."""
        for figure in self.figures:
            beside = _beside(self.text, figure, self.words)
            if figure.unit in _NO_MEASURE or len(beside) < 2:
                continue
            same, rival = 0.0, 0.0
            for statement in (each for each in self._sources.statements if each.n in cited):
                for stated in statement.figures:
                    if is_among(figure, [stated]):
                        same = max(same, self._fit(beside, statement, stated))
                    elif stated.unit == figure.unit and not is_among(stated, self.figures):
                        rival = max(rival, self._fit(beside, statement, stated))
            if same and rival - same >= _CLEARLY_NEARER:
                return Doubt.ANOTHER_FIGURE
        return Doubt.NONE

    def _fit(self, beside: Mapping[str, float], statement: Statement, figure: Figure) -> float:
        """How much of the words beside a figure of the claim stands beside one of a source; elsewhere in it counts less."""
        own = frozenset(roots(_clause_of(statement.text, figure)))
        held = [(weight, self._sources.related(word)) for word, weight in beside.items()]
        near = sum(weight for weight, related in held if related & own)
        whole = sum(weight for weight, related in held if related & statement.roots)
        return (near + _OTHER_CLAUSE * (whole - near)) / sum(beside.values()) + 1e-6

    def _article_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether the sentence is another article's than the one that it names."""
        named = {each.value for each in self.figures if each.unit == "article"}
        shared = self.near.of(cited)
        within = [share for share, each in shared if named & (each.part | _articles(each))]
        if not within or len(self.words) < 2 or not any(each.part for _, each in shared):
            return Doubt.NONE
        return Doubt.ARTICLE if self.near.best(cited) - max(within) >= 0.25 else Doubt.NONE

    def _bound_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether it makes a minimum of what its source gives as a maximum, or the reverse."""
        for figure in self.figures:
            mine = bound_of(self.text, figure)
            theirs = {
                bound_of(each.text, stated)
                for each in self.near.aligned(cited)
                for stated in each.figures
                if is_among(figure, [stated])
            }
            if mine and theirs and theirs.isdisjoint({"", mine}):
                return Doubt.BOUND
        return Doubt.NONE

    def _anchor_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether it counts a time from something else than its source does: «desde el embarque», not the unloading."""
        aligned = self.near.aligned(cited)
        for figure in self.figures:
            event = _event_after(self.text, figure)
            theirs = {
                _event_after(each.text, stated)
                for each in aligned
                for stated in each.figures
                if is_among(figure, [stated])
            } - {""}
            if event and theirs and self._sources.places(event):
                if not any(self.near.is_said_in(event, each) for each in aligned):
                    return Doubt.SENSE
        return Doubt.NONE

    # ------------------------------------------------------------ sense

    @cached_property
    def _body(self) -> str:
        """Without the label of its item: «Sin enmendaduras: …»."""
        return _without_remarks(_plain(_LABEL.sub("", self.written, count=1)))

    def _sense_doubt(self, cited: Collection[int]) -> Doubt:
        clashes = [
            opposed(self._body, self.near.as_said_by(each, self._body), each.text, self.near.heard_from(each))
            or exclude_each_other(self._body, each.text)
            for each in self.near.aligned(cited)
        ]
        return Doubt.SENSE if clashes and all(clashes) else Doubt.NONE

    def _general_doubt(self, cited: Collection[int]) -> Doubt:
        aligned = self.near.aligned(cited)
        if not is_general(self.text) or not aligned or any(speaks_of_every(each.text) for each in aligned):
            return Doubt.NONE
        return Doubt.GENERAL

    def _subject_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether a clause says of somebody what its source says, in the clause alike, of another."""
        aligned = self.near.aligned(cited)
        aligned = [each for each in aligned if self._numerals & each.part] or aligned
        mine = _clauses(self.text)
        theirs = [clause for each in aligned for clause in _clauses(each.text)]
        wrong = any(self._is_of_another(clause, theirs) for clause in mine if clause.agents)
        agents = {each for clause in mine for each in clause.agents}
        return Doubt.SUBJECT if wrong or any(self._is_joined(each, aligned) for each in agents) else Doubt.NONE

    def _is_of_another(self, clause: _Clause, theirs: Sequence[_Clause]) -> bool:
        said = clause.words.intersection(self.words)
        shared = [self._share(said, each) for each in theirs]
        best = max(shared, default=0.0)
        if len(said) < 2 or best < _SAME_CLAUSE:
            return False
        nearest = [each for each, share in zip(theirs, shared, strict=True) if share == best]
        heard = frozenset().union(*map(self._sources.related, clause.agents))
        return any(self._sources.places(each) for each in clause.agents) and all(
            each.agents - heard and heard.isdisjoint(each.agents | each.words) for each in nearest
        )

    def _share(self, said: Collection[str], other: _Clause) -> float:
        return sum(not other.words.isdisjoint(self._sources.related(each)) for each in said) / (len(said) or 1)

    def _is_joined(self, agent: str, aligned: Sequence[Statement]) -> bool:
        """Whether the sentence says it of the agent too, beside one of whom the statement speaks."""
        for one, other in _JOINED.findall(fold(self.text)):
            pair = {root(one), root(other)}
            said = any(pair - {agent} <= _agents(each.text) for each in aligned)
            if agent in pair and said and not any(self.near.is_said_in(agent, each) for each in aligned):
                return bool(self._sources.places(agent))
        return False

    @property
    def _numerals(self) -> set[str]:
        return {each.value for each in self.figures if each.unit in ("article", "") and "." in each.value}

    def _name_doubt(self, cited: Collection[int]) -> Doubt:
        """Whether it names somebody or something that none of the sources does."""
        for name in _NAME.findall(without_identifiers(self.text)):
            said = [each for each in roots(name) if each in self.words]
            if said and not any(self.near.is_in(each, n) for each in said for n in cited):
                return Doubt.NAME
        return Doubt.NONE

    # ------------------------------------------------------------ words

    def _source_doubt(self, cited: Collection[int]) -> Doubt:
        others = [n for n in self._sources.evidence if n not in cited]
        mine = self.near.together(cited)
        clearly = len(self.words) >= 4 and mine < 0.5 and self.near.together(others) - mine >= 0.3
        return Doubt.SOURCE if clearly else Doubt.NONE

    def _words_doubt(self, cited: Collection[int], few: int) -> Doubt:
        """Whether next to nothing of it, or of one of its clauses, is in a source; figures and norms were found by now."""
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


def _without_remarks(text: str) -> str:
    """The clauses of a sentence that say something of the subject, not of the sources or of the conversation."""
    parts = re.split(r"(?<=[;,])\s+(?=(?:pero|aunque|y|si bien|sino)\s)|(?<=;)\s+", text)
    return " ".join(part for part in parts if not _NO_CLAIM.search(fold(part)))


def _plain(text: str) -> str:
    return text.replace("*", "").strip()


@dataclass(frozen=True, eq=False)
class _Clause:
    """A clause: whom it names by what he does, and its other words."""

    text: str

    @cached_property
    def agents(self) -> frozenset[str]:
        return frozenset(_agents(self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(roots(self.text)) - self.agents


def _clause_of(text: str, figure: Figure) -> str:
    return next((text[start:end] for start, end in clauses(text) if start <= figure.start < end), text)


def _beside(text: str, figure: Figure, known: Collection[str]) -> dict[str, float]:
    """The words around a figure in its clause, nearer ones weighing more."""
    start, end = next(((a, b) for a, b in clauses(text) if a <= figure.start < b), (0, len(text)))
    weights: dict[str, float] = {}
    for side in (roots(text[start : figure.start])[::-1], roots(text[figure.end : end])):
        for distance, word in enumerate(side, 1):
            if word in known:
                weights[word] = max(weights.get(word, 0.0), 1 / (1 + distance))
    return weights


def _event_after(text: str, figure: Figure) -> str:
    """The root of what a time is counted from; empty where the figure is no time, or nothing is said."""
    found = _EVENT.match(fold(text[figure.end : figure.end + 80])) if figure.unit in _TIMES else None
    return root(found[1]) if found else ""


def _clauses(text: str) -> list[_Clause]:
    """The clauses of a text; «los profesores y los tesistas» are no clause of their own."""
    found: list[_Clause] = []
    for start, end in clauses(text):
        clause = _Clause(text[start:end])
        if found and (len(found[-1].words) < 2 or len(clause.words) < 2):
            clause = _Clause(f"{found.pop().text} {clause.text}")
        found.append(clause)
    return found


def _agents(text: str) -> set[str]:
    """The roots of words that name somebody by what he does: «el empleador», «la arrendataria»."""
    return {root(each) for each in _AGENT.findall(fold(text))}


def _articles(statement: Statement) -> set[str]:
    return {each.value for each in statement.figures if each.unit == "article"}
