"""The rule that a question takes for granted: «¿por qué la ley prohíbe viajar de noche?», where no passage says so.

Only a sentence that both forbids (or demands) and names the thing bears such a question out, when it speaks of most of
what is asked, with what stands right above it. Silence costs less here than a quote beside the point that seems to
agree; but a question that names its norm, and a follow-up, whose words are in part the conversation's, are let pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_system.generation.passages import Kind, read_chunks
from rag_system.generation.polarity import split_clauses
from rag_system.generation.terms import TermReader, topic_terms
from rag_system.generation.word_patterns import load_data, one_of
from rag_system.query.text import fold, stem, tokens
from rag_system.query.typing_habits import written_out
from rag_system.types import Evidence, QueryPlan

__all__ = ["unsaid_rule"]

_HELD, _FEWEST = 0.5, 2  # least share, 0…1, and number of the question's terms, in a sentence with what stands above it
_ROOT = 5  # letters that two words of a family share
_ASIDE = re.compile(r",(?= (?:aunque|no)\b)")  # «…, no se exige a los niños»
_INFINITIVE = re.compile(r"\w[aei]r$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    asked: re.Pattern[str]  # in a folded question
    verb: re.Pattern[str]
    said: re.Pattern[str]  # in a folded sentence that bears it out …
    denied: re.Pattern[str] | None  # … unless it says this
    told: str  # the end of a Spanish sentence

    def said_in(self, sentence: str) -> str:
        """What of a sentence bears the rule out: all of it, or the clauses that do not say the contrary; or nothing.

        «El casco es obligatorio y no se prohíbe pintarlo» says the rule in its first clause.
        """
        if self._denies(sentence):
            ended = _ASIDE.sub(";", sentence)
            clauses = (ended[start:end] for start, end in split_clauses(ended))
            sentence = "; ".join(clause for clause in clauses if not self._denies(clause))
        return sentence if self.said.search(fold(sentence)) else ""

    def _denies(self, clause: str) -> bool:
        return self.denied is not None and self.denied.search(fold(clause)) is not None


def _rule(told: str, asked: str, said: str, denied: str) -> _Rule:
    return _Rule(
        asked=re.compile(rf"^\W*(?:y )?(?:por que|como es que|a que se debe que) (?:\S+ ){{0,5}}?{one_of(asked)}\b"),
        verb=re.compile(rf"\b{one_of(asked)}"),
        said=re.compile(rf"\b{one_of(said)}\b"),
        denied=re.compile(rf"\b{one_of(denied)}\b") if denied else None,
        told=told,
    )


_RULES = tuple(
    _rule(row["aviso"], row["pregunta"], row["dicho"], row["negado"]) for row in load_data("supuestos.toml").values()
)


def unsaid_rule(plan: QueryPlan, evidence: Sequence[Evidence]) -> str:
    """The rule that a question supposes and no passage says, as the end of a Spanish sentence; empty for none."""
    question = fold(written_out(plan.question))
    rule, asked = next(((each, found) for each in _RULES if (found := each.asked.search(question))), (None, None))
    if rule is None or asked is None or plan.reformulated or plan.identifiers or not evidence:
        return ""
    verbs = {stem(word) for word in tokens(question) if rule.verb.match(word)}
    terms = [term for term in topic_terms(plan.standalone_question) if term not in verbs]
    rest = question[asked.end() :]
    things = [term for term in topic_terms(rest) if term in terms]
    if not things:
        return ""
    if not rest.startswith(" que "):  # «que los colegios obliguen a comprar»: whom it binds comes first
        del things[1:]
    reader = _Reader(plan.standalone_question, terms)
    said = ((rule.said_in(sentence), above) for sentence, above in _sentences(evidence))
    return "" if any(words and reader.bears_out(things, words, above) for words, above in said) else rule.told


class _Reader:
    """Which of the terms that a question is about a text holds, or words that begin as they do."""

    def __init__(self, question: str, terms: Sequence[str]) -> None:
        self._terms = terms
        self._read = TermReader(question, terms)
        self._short_verbs = {term: _forms_of(term) for term in terms if len(term) < _ROOT and _INFINITIVE.search(term)}
        self._least = max(min(_FEWEST, len(terms)), _HELD * len(terms))

    def bears_out(self, things: Sequence[str], sentence: str, above: str) -> bool:
        own = self._held(sentence)
        return not own.isdisjoint(things) and len(own | self._held(above)) >= self._least

    def _held(self, text: str) -> frozenset[str]:
        words = tokens(text)
        begun = {word[:_ROOT] for word in words}  # «despida», for «despedir»; «reelegidos», for «reelección»
        alike = {term for term in self._terms if len(term) >= _ROOT and term[:_ROOT] in begun}
        conjugated = {term for term, form in self._short_verbs.items() if any(map(form.fullmatch, words))}
        return self._read(text) | alike | conjugated


def _forms_of(infinitive: str) -> re.Pattern[str]:
    """«usa», «usen», «úsese», «uso», «usado»: a stem that short is taken for another word's."""
    return re.compile(rf"{re.escape(infinitive[:-2])}(?:[aeo]n?|[ae]n?se|[ai]d[oa]s?)")


def _sentences(evidence: Sequence[Evidence]) -> Iterator[tuple[str, str]]:
    """Each sentence, after the lead-in that it completes, and what stands above it; the titles are said too."""
    for _, titles, sentences in read_chunks(evidence):
        yield titles, ""
        before = ""
        for each in sentences:
            if each.kind is not Kind.NOTE:
                heading = each.heading.text if each.heading else ""
                yield f"{each.lead.text if each.lead else ''} {each.text}", f"{titles} {heading} {before}"
            before = each.text
