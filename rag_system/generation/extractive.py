"""The answerer without a model: quotes the sentences that answer, word for word.

It cannot invent, and it cannot obey: the text of a document is only ever quoted. When no sentence shares enough with
the question it says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.citation_label import document_label, inert, section_label
from rag_system.generation.cuts import GAP, cut_signs, main_piece
from rag_system.generation.definitions import defined_in, thing_asked
from rag_system.generation.passages import Kind, Sentence, read_passage
from rag_system.generation.remembered import telling
from rag_system.generation.sentence_ranking import (
    Row,
    Similarities,
    rank_sentences,
    read_passages,
    sentence_rows,
)
from rag_system.query.headings import fits_heading, inner_headings, is_said_in, subject_terms
from rag_system.query.text import query_terms
from rag_system.types import AnswerRequest, Evidence, QueryPlan, Usage, mark

__all__ = ["NEAREST", "ExtractiveAnswerer"]

NEAREST = "Esto es lo más cercano que encontré:"
REMEMBERED = "Se pidió recordar: "

_MOST_QUOTES = 3
_QUOTE_CHARS = 600  # the first quote grows to its paragraph or article up to this
_NEXT_QUOTE_CHARS = 350  # the others only back it up
_SECTION_CHARS = 1200  # of a section that is asked for by its name
_SEEN_CHARS = 80  # of a chunk, that tell where it stands in its passage
_LIST_CHARS = 700  # a list with its lead-in may be longer: half a list misleads
_CLOSE = 2.0  # below the best, in log-odds: a second quote that is less likely dilutes the answer
_SENTENCE_ENDS = (".", "!", "?", "…", ".”", ".»", '."', ".)")
_NEVER_ANNOUNCED = frozenset({Kind.HEADING, Kind.NOTE, Kind.ORDER})
_SAME = 0.7  # share of common words above which two quotes say the same


class ExtractiveAnswerer:
    """Answers with literal quotes; a few milliseconds, no key, no network."""

    provider = "extractive"
    model = ""
    usage = Usage()
    notices: tuple[str, ...] = ()
    side_model = None

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        """One piece a quote."""
        quotes = (not tells_what_it_is(request) and quote_sections(request)) or answer_each(request)
        if not quotes:
            yield ABSTENTION
            return
        doubted = next((each for each in quotes if not each.evidence.is_fact), None) if request.is_doubtful else None
        previous: Quote | None = None
        for quote in quotes:
            opening = ("\n\n" if previous else "") + (f"{NEAREST}\n\n" if quote is doubted else "")
            yield opening + quote.source(previous)
            yield f"«{inert(quote.text)}» [{mark(quote.evidence.n)}]"
            previous = quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A stretch of a passage that answers, or several joined with «(…)»."""

    evidence: Evidence
    start: int
    end: int
    text: str

    @property
    def page(self) -> int | None:
        """Where its words stand; of a lead-in and its item, the item's; not where an editor's note stands."""
        return self.evidence.page_of(main_piece(self.text))

    @property
    def is_whole(self) -> bool:
        """Whether it is one stretch of its passage, without gaps."""
        return self.text == self.evidence.text[self.start : self.end]

    def source(self, previous: Quote | None) -> str:
        """«Según Ley 29733, artículo 14 (p. 3): », shorter when the quote before came from the same place.

        What is not in force is called so: «…, texto anterior a la reforma de 2018 (Ley N° 30807): ».
        """
        if self.evidence.is_fact:
            return REMEMBERED
        chunk = self.evidence.chunk
        if previous is not None and previous.evidence == self.evidence:
            return "También: "
        same = previous is not None and previous.evidence.chunk.document_id == chunk.document_id
        place = section_label(chunk)
        page = f" (p. {self.page})" if self.page is not None else ""
        name = "el mismo documento" if same else document_label(chunk)
        state = f", {inert(chunk.state.label)}" if chunk.state else ""
        return f"Según {name}{', ' + place if place else ''}{page}{state}: "


# ---------------------------------------------------------------- choosing


def answer_each(request: AnswerRequest) -> list[Quote]:
    """The quotes that answer a question; of several, the best quote of all, and what it leaves unanswered.

    That is every question but the one whose words it has most of; what leaves out what it is about goes on with the
    document of that quote.
    """
    quotes = _quotes_of(request, request.evidence)
    if not (quotes and request.several):
        return quotes
    chosen = quotes[:1]
    document, said = quotes[0].evidence.chunk.document_id, set(query_terms(quotes[0].text))
    shares = [len(said & (terms := {*query_terms(each.plan.question)})) / (len(terms) or 1) for each in request.several]
    for at, each in enumerate(request.several):
        same = [item for item in each.evidence if item.chunk.document_id == document]
        quote = next(iter(_quotes_of(each, same if each.plan.reformulated else each.evidence)), None)
        if at != shares.index(max(shares)) and quote and not any(_shares_its_words(quote, one) for one in chosen):
            chosen.append(quote)
    return chosen if len(chosen) > 1 else quotes


def _quotes_of(request: AnswerRequest, evidence: Sequence[Evidence]) -> list[Quote]:
    facts = telling(request.plan.standalone_question, request.facts)
    return choose_quotes(request.plan, evidence, request.similarities, facts=facts)


def choose_quotes(
    plan: QueryPlan,
    evidence: Sequence[Evidence],
    similarities: Similarities | None = None,
    *,
    facts: Sequence[Evidence] = (),
) -> list[Quote]:
    """One to three quotes, best first; none when no passage has a sentence that may be quoted.

    facts: those that may answer. The passages are quoted as if there were none; a fact stands before them where it is
    the best answer, and after them where it comes close.
    """
    question, asked = plan.standalone_question, plan.question if plan.reformulated else ""
    passages = read_passages(question, evidence)
    ranked = rank_sentences(question, passages, asked=asked, past=plan.past, similarities=similarities)
    quotes = _distinct(ranked if plan.past else _in_force(ranked), passages)
    finished = [quote for quote in quotes if not quote.text.endswith(":")] or quotes[:1]
    whole = [_with_its_cuts(each, passages[each.evidence]) for each in finished]
    if not facts:
        return whole
    best = max((item.score for item in evidence), default=1.0)  # a fact is weighed as the best passage is
    told = {**passages, **read_passages(question, [replace(fact, score=best) for fact in facts])}
    ranked = rank_sentences(question, told, asked=asked, past=plan.past, similarities=similarities)
    close = [item for item in ranked if item.evidence.is_fact and item.score >= ranked[0].score - _CLOSE]
    remembered = _distinct(close, told)
    return [*remembered, *whole] if remembered and ranked[0].evidence.is_fact else [*whole, *remembered]


def _in_force(ranked: Sequence[Row]) -> list[Row]:
    """Without what is not, where the best is."""
    best_is = bool(ranked) and ranked[0].evidence.chunk.state is None
    return [item for item in ranked if item.evidence.chunk.state is None] if best_is else list(ranked)


def _with_its_cuts(quote: Quote, sentences: Sequence[Sentence]) -> Quote:
    if not quote.is_whole:
        return quote
    before, after = cut_signs(quote.start, quote.end, sentences)
    return replace(quote, text=f"{before}{quote.text}{after}")


def _distinct(ranked: Sequence[Row], passages: Mapping[Evidence, Sequence[Sentence]]) -> list[Quote]:
    """What the best sentences grow into: at most three that are finished, none that says what another does."""
    chosen: list[Quote] = []
    for item in ranked:
        if item.score < ranked[0].score - _CLOSE:
            break
        sentences = passages[item.evidence]
        grown = _grow(item, sentences, _NEXT_QUOTE_CHARS if chosen else _QUOTE_CHARS)
        quote = _clear(_with_what_it_announces(grown, sentences), item.sentence, sentences)
        if new := _unsaid(quote, item.sentence, sentences, chosen):
            chosen.append(new)
        if sum(not each.text.endswith(":") for each in chosen) == _MOST_QUOTES:
            break
    return chosen


def _unsaid(quote: Quote, best: Sentence, sentences: Sequence[Sentence], chosen: Sequence[Quote]) -> Quote | None:
    """The quote without what others say before and after it; None when they say its best sentence, or most words.

    Two chunks of a document share the sentences at their border.
    """
    said = {each.span for each in sentences if any(each.text in other.text for other in chosen)}
    own = [each.span for each in sentences if quote.start <= each.span.start < quote.end]
    kept = [best.span] if best.span in own else own  # a long list is quoted from its beginning
    at = next((own.index(each) for each in kept if each not in said), None)
    if best.span in said or at is None:
        return None
    if quote.is_whole:
        first = max((i + 1 for i in range(at) if own[i] in said), default=0)
        last = min((i for i in range(at, len(own)) if own[i] in said), default=len(own)) - 1
        start, end = own[first].start if first else quote.start, own[last].end if own[last + 1 :] else quote.end
        quote = _span_quote(quote.evidence, start, end)
    return None if any(_shares_its_words(quote, other) for other in chosen) else quote


def _shares_its_words(quote: Quote, other: Quote) -> bool:
    mine, theirs = set(quote.text.casefold().split()), set(other.text.casefold().split())
    return len(mine & theirs) >= _SAME * min(len(mine), len(theirs))


# ---------------------------------------------------------------- whole sections


def tells_what_it_is(request: AnswerRequest) -> bool:
    """Whether a sentence of the sources says what the thing is that is asked for, and no section has its very name."""
    question, headed = request.plan.standalone_question, _headed(request)
    thing = thing_asked(question) if headed else frozenset()
    if not thing or any(is_said_in(question, each.chunk.heading_path[-1:]) for each in headed):
        return False
    rows = sentence_rows(question, request.evidence)
    return any(defined_in(thing, row.sentence.text, row.headword) == thing for row in rows)


def quote_sections(request: AnswerRequest) -> list[Quote]:
    """How the sections begin that the question names; none where it names none."""
    terms = subject_terms(request.plan.standalone_question)
    quotes = [quote for each in _headed(request)[:_MOST_QUOTES] if (quote := _beginning(each, terms))]
    return [quote for at, quote in enumerate(quotes) if not any(quote.text in other.text for other in quotes[:at])]


def _headed(request: AnswerRequest) -> list[Evidence]:
    return [each for each in request.evidence if each.n in request.sections]


def _beginning(evidence: Evidence, terms: Collection[str]) -> Quote | None:
    """As much of the section as fits, whole sentences."""
    start, stop = _section(evidence, terms)
    sentences = read_passage(evidence.text)
    said = [each.span for each in sentences if start <= each.span.start < stop and each.kind is not Kind.ORDER]
    if not said:
        return None
    fitting = [span.end for span in said if span.end - said[0].start <= _SECTION_CHARS]
    return _span_quote(evidence, said[0].start, max([said[0].end, *fitting]))


def _section(evidence: Evidence, terms: Collection[str]) -> tuple[int, int]:
    """Where the section begins and ends in a passage, which may hold others beside it."""
    text, path = evidence.text, evidence.chunk.heading_path
    start = max(text.find(evidence.chunk.text[:_SEEN_CHARS]), 0)
    depth = max((d for d, heading in enumerate(path, 1) if fits_heading(terms, heading)), default=0)
    if depth:
        others = (each.heading_path[-1:] for each in evidence.chunks if each.heading_path[:depth] != path[:depth])
        stops = (text.find(f"\n{heading}\n", start) for other in others for heading in other)
        return start, min((stop for stop in stops if stop > start), default=len(text))
    inner = [(start + at, line) for at, line in inner_headings(text[start:])]
    own = next((n for n, (_, line) in enumerate(inner) if fits_heading(terms, line)), None)
    if own is None:
        return start, len(text)
    at, line = inner[own]
    return at + len(line), next((at for at, _ in inner[own + 1 :]), len(text))


# ---------------------------------------------------------------- growing a sentence into a quote


def _grow(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
    """The sentence with what it needs to be understood: its list's lead-in, its paragraph, its short article."""
    sentence = item.sentence
    if sentence.kind is Kind.ITEM and sentence.lead is not None:
        return _grow_item(item, sentences, longest)
    if sentence.kind is Kind.ITEM and (whole := _bare_list(item, sentences)):
        return whole
    if sentence.text.endswith(":"):
        return _grow_lead(item, sentences)
    return _grow_prose(item, sentences, longest)


def _with_what_it_announces(quote: Quote, sentences: Sequence[Sentence]) -> Quote:
    """A quote that ends in a colon, with what follows as far as it fits, and one sentence at least."""
    end = quote.end
    for follower in sentences:
        if not quote.text.endswith(":") or follower.span.start < quote.end:
            continue
        first = end == quote.end
        if follower.kind in _NEVER_ANNOUNCED or (not first and follower.span.end - quote.start > _LIST_CHARS):
            break
        end = follower.span.end
    return replace(quote, end=end, text=quote.text + quote.evidence.text[quote.end : end])


def _quote(evidence: Evidence, first: Sentence, last: Sentence) -> Quote:
    return _span_quote(evidence, first.span.start, last.span.end)


def _span_quote(evidence: Evidence, start: int, end: int) -> Quote:
    return Quote(evidence=evidence, start=start, end=end, text=evidence.text[start:end])


def _clear(quote: Quote, chosen: Sentence, sentences: Sequence[Sentence]) -> Quote:
    """The quote without the words for a model that stand between its sentences, and what lies beyond them."""
    orders = [s.span for s in sentences if s.kind is Kind.ORDER and quote.start <= s.span.start < quote.end]
    if not orders:
        return quote
    start = max((span.end for span in orders if span.end <= chosen.span.start), default=quote.start)
    end = min((span.start for span in orders if span.start >= chosen.span.end), default=quote.end)
    text = quote.evidence.text[start:end]
    inside = text.strip()
    start += text.index(inside)
    return _span_quote(quote.evidence, start, start + len(inside))


def _grow_prose(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
    """Sentence after sentence, first forward, then backward, inside the paragraph; then into its neighbours."""
    first = last = item.position
    for same_paragraph in (True,) if item.sentence.kind is Kind.ITEM else (True, False):
        near = [i for i, sentence in enumerate(sentences) if _belongs(sentence, item.sentence, same_paragraph)]
        while last + 1 in near and sentences[last + 1].span.end - sentences[first].span.start <= longest:
            last += 1
        while first - 1 in near and sentences[last].span.end - sentences[first - 1].span.start <= longest:
            first -= 1
    return _span_quote(item.evidence, _with_its_question(sentences, first), sentences[last].span.end)


def _with_its_question(sentences: Sequence[Sentence], first: int) -> int:
    """Where the quote starts: «Sí.» says nothing without the question of the FAQ right above it."""
    heading = sentences[first].heading
    right_above = first > 0 and sentences[first - 1].kind is Kind.HEADING
    return heading.start if heading and right_above and heading.text.endswith("?") else sentences[first].span.start


def _belongs(sentence: Sentence, chosen: Sentence, same_paragraph: bool) -> bool:
    """Whether a sentence may be quoted with the chosen one."""
    if sentence.kind is not chosen.kind or sentence.text.endswith(":"):
        return False
    if same_paragraph:
        return sentence.paragraph == chosen.paragraph
    # Lines of a table and headings at the end of a passage are prose by their looks, but end as no sentence does.
    return sentence.heading == chosen.heading and sentence.text.endswith(_SENTENCE_ENDS)


def _grow_lead(item: Row, sentences: Sequence[Sentence]) -> Quote:
    """A lead-in with as many of its items as fit."""
    last = item.position
    for position in range(item.position + 1, len(sentences)):
        follower = sentences[position]
        if follower.lead != item.sentence.span or follower.span.end - item.sentence.span.start > _LIST_CHARS:
            break
        last = position
    return _quote(item.evidence, item.sentence, sentences[last])


def _grow_item(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
    """The whole list when it is short, else the lead-in and the item, with «(…)» for what lies between."""
    lead = item.sentence.lead
    assert lead is not None  # noqa: S101 - the caller asked; for the type checker
    siblings = [sentence for sentence in sentences if sentence.lead == lead]
    if siblings[-1].span.end - lead.start <= _LIST_CHARS and not item.sentence.is_row:
        return _span_quote(item.evidence, lead.start, siblings[-1].span.end)
    same = [sentence for sentence in siblings if sentence.paragraph == item.sentence.paragraph]
    start, end = same[0].span.start, _last_that_fits(same, item.sentence, longest)
    between = item.evidence.text[lead.end : start].strip()
    joint = f"\n{GAP}\n" if between else "\n"
    return Quote(evidence=item.evidence, start=start, end=end, text=lead.text + joint + item.evidence.text[start:end])


def _bare_list(item: Row, sentences: Sequence[Sentence]) -> Quote | None:
    """The items around one that no sentence leads in, where they fit: their heading, which the quote names, does."""
    first = last = item.position
    while first and _is_bare_item(sentences[first - 1], item.sentence):
        first -= 1
    while last + 1 < len(sentences) and _is_bare_item(sentences[last + 1], item.sentence):
        last += 1
    whole = _quote(item.evidence, sentences[first], sentences[last])
    return whole if last > first and not item.sentence.is_row and len(whole.text) <= _LIST_CHARS else None


def _is_bare_item(sentence: Sentence, like: Sentence) -> bool:
    return sentence.kind is Kind.ITEM and sentence.lead is None and sentence.heading == like.heading


def _last_that_fits(same: Sequence[Sentence], least: Sentence, longest: int) -> int:
    fitting = [s.span.end for s in same if s.span.end - same[0].span.start <= longest]
    return max([least.span.end, *fitting])
