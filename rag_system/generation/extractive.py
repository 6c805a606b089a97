"""The answerer without a model: quotes the sentences that answer, word for word.

It cannot invent, and it cannot obey: the text of a document is only ever quoted. When no sentence shares enough with
the question it says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.citation_label import inert
from rag_system.generation.cuts import GAP, cut_signs, lead_alone
from rag_system.generation.passages import Kind, Sentence, heading_above, read_passage
from rag_system.generation.quotes import LONGEST_CHARS, Quote, grow, list_that_opens, quote_list, span_quote
from rag_system.generation.remembered import telling
from rag_system.generation.sentence_ranking import (
    Row,
    Similarities,
    rank_sentences,
    read_passages,
    sentence_rows,
)
from rag_system.query.definitions import defined_in_each, things_asked
from rag_system.query.headings import fits_heading, inner_headings, subject_terms
from rag_system.query.sentences import Span
from rag_system.query.several import Comparison, comparison
from rag_system.query.text import query_terms
from rag_system.types import AnswerRequest, Evidence, QueryPlan, Usage, mark

__all__ = ["NEAREST", "NEAREST_OF", "ExtractiveAnswerer"]

NEAREST = "Esto es lo más cercano que encontré:"
NEAREST_OF = "De la pregunta {number}, esto es lo más cercano que encontré:"

_MOST_QUOTES = 3
_QUOTE_CHARS = 600  # the first quote grows to its paragraph or article up to this
_NEXT_QUOTE_CHARS = 350  # the others only back it up
_SEEN_CHARS = 80  # of a chunk, that tell where it stands in its passage
_CLOSE = 2.0  # below the best, in log-odds: a second quote that is less likely dilutes the answer
_EQUAL = 0.5  # below the best, in log-odds: as good as that
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
        sections = [] if tells_what_it_is(request) else quote_sections(request)
        parts = [Part(quotes=sections, is_doubtful=request.is_doubtful)] if sections else answer_each(request)
        if not any(each.quotes for each in parts):
            yield ABSTENTION
            return
        previous: Quote | None = None
        gap = ""
        for number, part in enumerate(parts, 1):
            opening = _opening(part, parts, number)
            for quote in part.quotes:
                told = "" if quote.evidence.is_fact else opening
                opening = opening.removeprefix(told)
                same = None if told and number > 1 else previous  # «También» would go on with the question before
                yield gap + told + quote.source(same)
                yield f"«{inert(quote.text)}» [{mark(quote.evidence.n)}]"
                previous, gap = quote, "\n\n"
            if not part.quotes and part.is_doubtful:
                yield f"{gap}De la pregunta {number} no encontré más información."
                gap = "\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What answers one of the questions of a message."""

    quotes: Sequence[Quote]
    is_doubtful: bool


def _opening(part: Part, parts: Sequence[Part], number: int) -> str:
    """What stands before the quotes of a part: where some are the nearest alone and others answer, which is which. One
    that another's quote answers too tells nothing of its own.
    """
    told = [each for each in parts if each.quotes or each.is_doubtful]
    if all(each.is_doubtful for each in told):
        first = next((each for each in told if any(not quote.evidence.is_fact for quote in each.quotes)), None)
        return f"{NEAREST}\n\n" if part is first else ""
    if part.is_doubtful:
        return f"{NEAREST_OF.format(number=number)}\n\n"
    return f"De la pregunta {number}:\n\n" if number > 1 and parts[number - 2].is_doubtful else ""


# ---------------------------------------------------------------- choosing


def answer_each(request: AnswerRequest) -> list[Part]:
    """The quotes that answer a question; of several, the best quote of each, in their order.

    What leaves out what it is about goes on with the document of the best quote of all, and is no surer than the
    one before it. Of things that are compared each is quoted.
    """
    quotes = _quotes_of(request, request.evidence)
    whole = [Part(quotes=quotes, is_doubtful=request.is_doubtful)]
    if not (quotes and request.several):
        return whole
    compared = comparison(request.plan.standalone_question)
    if compared and not any(each.evidence.is_fact for each in quotes):
        things = _of_each_thing(request, compared)
        return [replace(whole[0], quotes=things)] if things else whole
    parts: list[Part] = []
    chosen: list[Quote] = []
    document = next((each.evidence.chunk.document_id for each in quotes if not each.evidence.is_fact), "")
    for each in request.several:
        same = [item for item in each.evidence if item.chunk.document_id == document]
        passages = same if each.plan.reformulated else each.evidence
        quote = next(iter(_quotes_of(each, passages, nearer=document, alone=True)), None)
        new = [quote] if quote and not any(_shares_its_words(quote, one) for one in chosen) else []
        before = parts[-1].is_doubtful if parts else any(one.is_doubtful for one in request.several)
        leans_on_doubt = bool(new) and each.plan.reformulated and before
        parts.append(Part(quotes=new, is_doubtful=each.is_doubtful or leans_on_doubt))
        chosen += new
    return parts if chosen else whole


def _quotes_of(
    request: AnswerRequest, evidence: Sequence[Evidence], *, nearer: str = "", alone: bool = False
) -> list[Quote]:
    """alone: what the question says itself tells which facts answer it, and not what another of its message lends."""
    plan = request.plan
    facts = telling(plan.question if alone else plan.standalone_question, request.facts)
    return choose_quotes(request.plan, evidence, request.similarities, facts=facts, nearer=nearer)


def choose_quotes(
    plan: QueryPlan,
    evidence: Sequence[Evidence],
    similarities: Similarities | None = None,
    *,
    facts: Sequence[Evidence] = (),
    nearer: str = "",
) -> list[Quote]:
    """One to three quotes, best first; none when no passage has a sentence that may be quoted.

    nearer: a document; what is as good in it stands before what others say.
    facts: those that may answer. The passages are quoted as if there were none; a fact stands before them where it is
    the best answer, and after them where it comes close.
    """
    question, asked = plan.standalone_question, plan.question if plan.reformulated else ""
    passages = read_passages(question, evidence)
    ranked = rank_sentences(question, passages, asked=asked, past=plan.past, similarities=similarities)
    ranked = ranked if plan.past else _in_force(ranked)
    near = (row for row in ranked if row.evidence.chunk.document_id == nearer)
    whole = _finished([row for row in near if row.score >= ranked[0].score - _EQUAL] or ranked, passages)
    if not facts:
        return whole
    best = max((item.score for item in evidence), default=1.0)  # a fact is weighed as the best passage is
    told = {**passages, **read_passages(question, [replace(fact, score=best) for fact in facts])}
    ranked = rank_sentences(question, told, asked=asked, past=plan.past, similarities=similarities)
    close = [item for item in ranked if item.evidence.is_fact and item.score >= ranked[0].score - _CLOSE]
    remembered = _distinct(close, told)
    return [*remembered, *whole] if remembered and ranked[0].evidence.is_fact else [*whole, *remembered]


def _of_each_thing(request: AnswerRequest, compared: Comparison) -> list[Quote]:
    """The best quote of each thing that is compared, which names it: one, where they are rows of a table or items of a
    list; none where one of them is not spoken of.
    """
    passages = read_passages(request.plan.standalone_question, request.evidence)
    close = []
    for each, named in zip(request.several, compared.things, strict=True):
        rows = rank_sentences(each.plan.question, passages, past=request.plan.past, similarities=each.similarities)
        rows = rows if request.plan.past else _in_force(rows)
        thing = set(query_terms(named))
        near = (row for row in rows if row.score >= rows[0].score - _CLOSE)
        close.append([row for row in near if thing <= set(query_terms(_told_with(row, passages[row.evidence])))])
    if not all(close):
        return []
    best = [replace(rows[0], score=0.0) for rows in _of_one_list(close) or close]
    return _finished(best, passages, compared=True)


def _told_with(row: Row, sentences: Sequence[Sentence]) -> str:
    """A sentence with what stands right above it; of an item all of it: «15. Disociación. Tratamiento de datos …»."""
    if row.sentence.kind is not Kind.ITEM:
        return row.compared
    item = (each.text for each in sentences if each.paragraph == row.sentence.paragraph)
    return " ".join((row.above, *item))


def _of_one_list(each: Sequence[Sequence[Row]]) -> list[list[Row]]:
    """Of the rows that come close for each thing those of a list that has another one for every thing; else none."""
    by_list = [{(row.evidence, row.sentence.lead): row for row in reversed(rows) if row.sentence.lead} for rows in each]
    for place in by_list[0]:
        found = [rows[place] for rows in by_list if place in rows]
        if len({row.position for row in found}) == len(each):
            return [[row] for row in found]
    return []


def _finished(
    ranked: Sequence[Row], passages: Mapping[Evidence, Sequence[Sentence]], *, compared: bool = False
) -> list[Quote]:
    """What the best sentences grow into, with a sign where words are left out."""
    quotes = _distinct(ranked, passages, compared=compared)
    finished = [quote for quote in quotes if not quote.text.endswith(":")] or quotes[:1]
    return [_with_its_cuts(each, passages[each.evidence]) for each in finished]


def _in_force(ranked: Sequence[Row]) -> list[Row]:
    """Without what is not, where the best is."""
    best_is = bool(ranked) and ranked[0].evidence.chunk.state is None
    return [item for item in ranked if item.evidence.chunk.state is None] if best_is else list(ranked)


def _with_its_cuts(quote: Quote, sentences: Sequence[Sentence]) -> Quote:
    if not quote.is_whole:
        return quote
    before, after = cut_signs(quote.start, quote.end, sentences, goes_on=quote.evidence.goes_on)
    text = quote.text
    if cut := lead_alone(quote.start, sentences):
        lead, item = (at - quote.start for at in cut)
        text = f"{text[:lead]}\n{GAP}\n{text[item:]}" if item < len(text) else text
    return replace(quote, text=f"{before}{text}{after}")


def _distinct(
    ranked: Sequence[Row], passages: Mapping[Evidence, Sequence[Sentence]], *, compared: bool = False
) -> list[Quote]:
    """What the best sentences grow into: at most three that are finished, none that says what another does.

    Where two items of a list, or two rows of a table, come close, the whole of it is what answers: no list is quoted
    twice.

    compared: each tells of one of the things that are compared; what resembles another quote is not left out.
    """
    chosen: list[Quote] = []
    listed: dict[tuple[Evidence, Span], list[Row]] = {}  # the sentences of each list that came close, and …
    places: dict[tuple[Evidence, Span], int] = {}  # … which quote that is
    for item in ranked:
        if item.score < ranked[0].score - _CLOSE:
            break
        sentences, of_list = passages[item.evidence], (item.evidence, item.sentence.lead or item.sentence.span)
        listed.setdefault(of_list, []).append(item)
        if of_list in places and (whole := quote_list(listed[of_list], sentences, alone=compared)):
            chosen[places[of_list]] = whole
            continue
        quote = grow(item, sentences, _NEXT_QUOTE_CHARS if chosen else _QUOTE_CHARS)
        if new := _unsaid(quote, item.sentence, sentences, chosen, alike=compared):
            places.setdefault(of_list, len(chosen))
            chosen.append(new)
        if sum(not each.text.endswith(":") for each in chosen) == _MOST_QUOTES:
            break
    return chosen


def _unsaid(
    quote: Quote, best: Sentence, sentences: Sequence[Sentence], chosen: Sequence[Quote], *, alike: bool = False
) -> Quote | None:
    """The quote without what others say before and after it; None when they say its best sentence, or most words where
    none may be `alike`.

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
        quote = span_quote(quote.evidence, start, end)
    return None if not alike and any(_shares_its_words(quote, other) for other in chosen) else quote


def _shares_its_words(quote: Quote, other: Quote) -> bool:
    mine, theirs = set(quote.text.casefold().split()), set(other.text.casefold().split())
    return len(mine & theirs) >= _SAME * min(len(mine), len(theirs))


# ---------------------------------------------------------------- whole sections


def tells_what_it_is(request: AnswerRequest) -> bool:
    """Whether a sentence of the sources says what the thing is that is asked for."""
    question = request.plan.standalone_question
    if not (_headed(request) and things_asked(question)):
        return False
    rows = sentence_rows(question, request.evidence)
    thing, defined = defined_in_each(question, [(row.sentence.text, row.headword) for row in rows])
    return thing in defined


def quote_sections(request: AnswerRequest) -> list[Quote]:
    """How the sections begin that the question names; none where it names none."""
    terms = subject_terms(request.plan.standalone_question)
    quotes = [quote for each in _headed(request)[:_MOST_QUOTES] if (quote := _beginning(each, terms))]
    return [quote for at, quote in enumerate(quotes) if not any(quote.text in other.text for other in quotes[:at])]


_NOT_ITS_TEXT = frozenset({Kind.HEADING, Kind.NOTE, Kind.ORDER})


def _headed(request: AnswerRequest) -> list[Evidence]:
    return [each for each in request.evidence if each.n in request.sections]


def _beginning(evidence: Evidence, terms: Collection[str]) -> Quote | None:
    """As much of the section as fits, whole sentences."""
    start, stop = _section(evidence, terms)
    sentences = read_passage(evidence.text, heading_above(evidence.chunks[0]))
    said = [each.span for each in sentences if start <= each.span.start < stop and each.kind is not Kind.ORDER]
    own = any(start <= each.span.start < stop and each.kind not in _NOT_ITS_TEXT for each in sentences)
    if not own:  # a chapter's heading with an editor's reference below it: what it says stands in its articles
        return None
    ends = [span.end for span in said if span.end - said[0].start <= LONGEST_CHARS]
    if len(ends) < len(said) and (listed := list_that_opens(evidence, sentences, start)):
        return listed
    return _with_its_cuts(span_quote(evidence, said[0].start, max([said[0].end, *ends])), sentences)


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
