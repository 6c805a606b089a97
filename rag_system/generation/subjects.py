"""Whether a sentence says of somebody what its sources say of another: who pays, who decides, who may."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_system.generation.sources import Sources, Statement
from rag_system.generation.words import clauses, root, roots
from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS

__all__ = ["is_of_another"]

_SAME_CLAUSE = 0.8  # share of a clause's words that the clause of a source holds which says the same of somebody
_FEWEST_WORDS = 2  # that such a clause must have besides
# Words that name somebody by what he does, by their endings: «el empleador», «la solicitante», «los usuarios».
_PERSON = (
    r"\w+(?:[dtsi]or(?:a|as|es)?|istas?|[aei]{1,2}ntes?|er[oa]s?|[tn]ari[oa]s?|usuari[oa]s?|ad[oa]s?|iar(?:es)?|az"
    r"|aces)"
)
_AGENT = re.compile(rf"\b(?:el|la|los|las|al|del|un|una|cada|ningun|todo) ({_PERSON})\b")

_WHO = rf"(?:el|la|los|las) (?P<who>{_PERSON})"
_DEEDS = (
    re.compile(rf"(?:^|^y |^o |^pero |, ){_WHO}(?: \w+al)? (?:(?:se|lo|la|le|les|los|las) )?(?P<deed>\w{{4,}})\b"),
    re.compile(rf"\b(?:lo|la|los|las) (?P<deed>\w{{4,}}) {_WHO}\b"),
)
_ENDING = re.compile(r"(?:[aeo]?s|[aeo])?\b")
_DONE_BY = re.compile(rf"\b(?P<deed>\w{{4,}}) (?:por )?{_WHO}\b")


def is_of_another(text: str, said: Collection[str], sources: Sources, aligned: Sequence[Statement]) -> bool:
    """Whether a clause of the text is another's in the aligned statements. `said`: its words that count."""
    theirs = [clause for each in aligned for clause in _clauses(each.text)]
    mine = [clause for clause in _clauses(text) if clause.agents]
    taken_up = frozenset(said).difference(roots(text))
    if any(_is_another(clause, taken_up | clause.words.intersection(said), theirs, sources) for clause in mine):
        return True
    return any(_does_what_another_does(*pair, theirs, sources) for pair in _deeds(text))


@dataclass(frozen=True, eq=False)
class _Clause:
    """A clause: whom it names by what he does, and its other words."""

    text: str

    @cached_property
    def agents(self) -> frozenset[str]:
        return frozenset(map(root, _AGENT.findall(fold(self.text))))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(roots(self.text)) - self.agents


def _clauses(text: str) -> list[_Clause]:
    """The clauses of a text; «los profesores y los tesistas» are no clause of their own."""
    found: list[_Clause] = []
    for start, end in clauses(text):
        clause = _Clause(text[start:end])
        if found and not (found[-1].words and clause.words):
            clause = _Clause(f"{found.pop().text} {clause.text}")
        found.append(clause)
    return found


def _is_another(clause: _Clause, said: Collection[str], theirs: Sequence[_Clause], sources: Sources) -> bool:
    def share(other: _Clause) -> float:
        return sum(not other.words.isdisjoint(sources.related(each)) for each in said) / (len(said) or 1)

    best = max(map(share, theirs), default=0.0)
    if len(said) < _FEWEST_WORDS or best < _SAME_CLAUSE:
        return False
    heard = frozenset().union(*map(sources.related, clause.agents))
    nearest = [each for each in theirs if share(each) == best]
    return any(map(sources.places, clause.agents)) and all(
        each.agents - heard and heard.isdisjoint(each.agents | each.words) for each in nearest
    )


def _deeds(text: str) -> Iterator[tuple[str, str]]:
    """Who does what in a clause, where it is plain who does it: «el vendedor responde», «la resuelve el director»."""
    for start, end in clauses(text):
        for pattern in _DEEDS:
            for found in pattern.finditer(fold(text[start:end]).strip()):
                if found["deed"] not in STOPWORDS:
                    yield found["who"], root(found["deed"])


def _does_what_another_does(who: str, deed: str, theirs: Sequence[_Clause], sources: Sources) -> bool:
    """Whether those clauses say that only another does it."""
    done = [clause for clause in theirs if sources.related(deed) & clause.words]
    named = re.compile(rf"\b{_ENDING.sub('', who)}{_ENDING.pattern}")  # «arrendador» is no «arrendatario»
    if not any(map(named.search, sources.folded.values())) or any(named.search(fold(each.text)) for each in done):
        return False
    return any(
        root(found["deed"]) in sources.related(deed)
        for clause in done
        for pattern in (*_DEEDS, _DONE_BY)
        for found in pattern.finditer(fold(clause.text).strip())
    )
