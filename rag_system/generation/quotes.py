"""A quote, and how a sentence grows into one: with its list's lead-in, its paragraph, its short article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from rag_system.generation.citation_label import document_label, inert, section_label
from rag_system.generation.cuts import GAP, main_piece
from rag_system.generation.passages import Kind, Sentence
from rag_system.generation.sentence_ranking import Row
from rag_system.query.sentences import Span
from rag_system.types import Evidence

__all__ = ["LONGEST_CHARS", "REMEMBERED", "Quote", "grow", "list_that_opens", "quote_list", "span_quote"]

REMEMBERED = "Se pidió recordar: "

LONGEST_CHARS = 1200  # of a section that is asked for by its name, and of a list of which two items come close
_LIST_CHARS = 700  # a list with its lead-in may be longer: half a list misleads
_SENTENCE_ENDS = (".", "!", "?", "…", ".”", ".»", '."', ".)")
# «3.1 Jefa de la oficina», without an end: a title, or what is completed below.
_TITLE = re.compile(r"(?:^|\n)\s*\d{1,3}(?:\.\d{1,3})+\.?\s[A-ZÁÉÍÓÚÑ][^\n|]{0,100}[^\n|.:;!?»”]$")
_LEAST_OF_ITEM = 60  # characters, of an item in a list that is cut short
_STOP = re.compile(r"[.;:,](?=\s)|\n")
_NEVER_ANNOUNCED = frozenset({Kind.HEADING, Kind.NOTE, Kind.ORDER})


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


def grow(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
    """The sentence with what it needs to be understood, in some `longest` characters, and no words for a model."""
    return _clear(_with_what_it_announces(_grown(item, sentences, longest), sentences), item.sentence, sentences)


def _grown(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
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
    """A quote that ends in a colon or a numbered title, with what follows as far as it fits: one sentence at least; one
    that ends in what introduces a command, with that.
    """
    end = quote.end
    last = next((each for each in reversed(sentences) if each.span.end == end), None)
    if last and last.leads:
        items = [each.span.end for each in sentences if each.lead == last.span]
        end = max((at for at in items[1:] if at - quote.start <= _LIST_CHARS), default=items[0])
        return replace(quote, end=end, text=quote.text + quote.evidence.text[quote.end : end])
    if not (quote.text.endswith(":") or _TITLE.search(quote.text)):
        return quote
    for follower in sentences:
        if follower.span.start < quote.end:
            continue
        first = end == quote.end
        is_next = follower.kind in _NEVER_ANNOUNCED or _TITLE.search(follower.text)
        if is_next or (not first and follower.span.end - quote.start > _LIST_CHARS):
            break
        end = follower.span.end
    return replace(quote, end=end, text=quote.text + quote.evidence.text[quote.end : end])


def _quote(evidence: Evidence, first: Sentence, last: Sentence) -> Quote:
    return span_quote(evidence, first.span.start, last.span.end)


def span_quote(evidence: Evidence, start: int, end: int) -> Quote:
    return Quote(evidence=evidence, start=start, end=end, text=evidence.text[start:end])


def _clear(quote: Quote, chosen: Sentence, sentences: Sequence[Sentence]) -> Quote:
    """The quote without the words for a model that stand between its sentences, and what lies beyond them."""
    orders = [s.span for s in sentences if s.kind is Kind.ORDER and quote.start <= s.span.start < quote.end]
    if not any(span.text in quote.text for span in orders):
        return quote
    start = max((span.end for span in orders if span.end <= chosen.span.start), default=quote.start)
    end = min((span.start for span in orders if span.start >= chosen.span.end), default=quote.end)
    text = quote.evidence.text[start:end]
    inside = text.strip()
    start += text.index(inside)
    return span_quote(quote.evidence, start, start + len(inside))


def _grow_prose(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
    """Sentence after sentence, first forward, then backward, inside the paragraph; then into its neighbours."""
    first = last = item.position
    for same_paragraph in (True,) if item.sentence.kind is Kind.ITEM else (True, False):
        near = [i for i, sentence in enumerate(sentences) if _belongs(sentence, item.sentence, same_paragraph)]
        while last + 1 in near and sentences[last + 1].span.end - sentences[first].span.start <= longest:
            last += 1
        while first - 1 in near and sentences[last].span.end - sentences[first - 1].span.start <= longest:
            first -= 1
    return span_quote(item.evidence, _with_its_question(sentences, first), sentences[last].span.end)


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
    """A lead-in with its items: how they begin, where they do not fit."""
    items = _items_of(item.sentence.span, sentences)
    if not items:
        return _quote(item.evidence, item.sentence, item.sentence)
    if items[-1][-1].span.end - item.sentence.span.start > _LIST_CHARS and not items[0][0].is_row:
        return _beginnings(item.evidence, item.sentence.span, items)
    fitting = [each for own in items for each in own if each.span.end - item.sentence.span.start <= _LIST_CHARS]
    return _quote(item.evidence, item.sentence, fitting[-1] if fitting else item.sentence)


def _items_of(lead: Span, sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """The items of a list, in order, each with its sentences, as far as none speaks to a model."""
    own = (each for each in sentences if each.lead == lead)
    items = [list(item) for _, item in groupby(own, key=lambda each: each.paragraph)]
    clear = (list(takewhile(lambda each: each.kind is not Kind.ORDER, item)) for item in items)
    return [item for item in clear if item]


def _beginnings(
    evidence: Evidence,
    lead: Span,
    items: Sequence[Sequence[Sentence]],
    best: Sequence[Sentence] = (),
    *,
    alone: bool = False,
) -> Quote:
    """A list too long to be quoted whole: its lead-in, the items of the `best` sentences as far as they take half of
    the room, and how as many of the others begin as fit; none of the others where the best stand `alone`.
    """
    shown = [item for item in items if any(each in item for each in best)] if alone else items
    texts = [evidence.text[item[0].span.start : item[-1].span.end] for item in shown]
    kept, left = [False] * len(shown), LONGEST_CHARS - len(lead.text)
    for at in dict.fromkeys(at for each in best for at, item in enumerate(shown) if each in item):
        if left - len(texts[at]) >= LONGEST_CHARS // 2 or not any(kept):
            kept[at], left = True, left - len(texts[at])
    room = max(left // max(kept.count(False), 1), _LEAST_OF_ITEM)
    fit = max(left // room, 0)
    lines, end = [lead.text, *[GAP] * items[0][0].goes_on_with_list], lead.end
    for item, text, keeps in zip(shown, texts, kept, strict=True):
        if not (keeps or fit):
            continue
        start = item[0].span.start
        lines += [GAP] if evidence.text[end:start].strip() and lines[-1] != GAP else []
        lines.append(text if keeps else _beginning(text, room))
        end, fit = start + len(text), fit - (not keeps)
    last = items[-1][-1].span.end
    goes_on = evidence.goes_on and not evidence.text[last:].strip()
    lines += [GAP] if end < last or goes_on else []
    return Quote(evidence=evidence, start=lead.start, end=end, text="\n".join(lines))


def _beginning(text: str, room: int) -> str:
    """A text, or its first words, up to a stop where one is near."""
    if len(text) <= room:
        return text
    head = text[: room + 1].rsplit(maxsplit=1)[0]
    stops = [stop.end() for stop in _STOP.finditer(head) if stop.end() >= _LEAST_OF_ITEM]
    return f"{head[: stops[-1]] if stops else head} {GAP}"


def _grow_item(item: Row, sentences: Sequence[Sentence], longest: int) -> Quote:
    """The whole list when it is short, else the lead-in and the item, with «(…)» for what lies between."""
    lead = item.sentence.lead
    assert lead is not None  # noqa: S101 - the caller asked; for the type checker
    siblings = [sentence for sentence in sentences if sentence.lead == lead]
    if siblings[-1].span.end - lead.start <= _LIST_CHARS and not item.sentence.is_row:
        return span_quote(item.evidence, lead.start, siblings[-1].span.end)
    same = [sentence for sentence in siblings if sentence.paragraph == item.sentence.paragraph]
    start, end = same[0].span.start, _last_that_fits(same, item.sentence, longest)
    between = item.evidence.text[lead.end : start].strip()
    joint = f"\n{GAP}\n" if between else "\n"
    return Quote(evidence=item.evidence, start=start, end=end, text=lead.text + joint + item.evidence.text[start:end])


def quote_list(rows: Sequence[Row], sentences: Sequence[Sentence], *, alone: bool = False) -> Quote | None:
    """The list or table that `rows` are of, as far as it answers: all of it; of a list that does not fit how its items
    begin, or only those of the rows, where these stand `alone` or the others are too many; else None.
    """
    evidence, said = rows[0].evidence, [row.sentence for row in rows]
    lead = said[0].lead or said[0].span
    items = _items_of(lead, sentences)
    if not items:
        return None
    whole = span_quote(evidence, lead.start, items[-1][-1].span.end)
    within = (each for each in sentences if whole.start <= each.span.start < whole.end)
    is_row = items[0][0].is_row
    longest = _LIST_CHARS if is_row else LONGEST_CHARS
    if len(whole.text) <= longest and all(each.kind not in _NEVER_ANNOUNCED for each in within):
        return whole
    if is_row:
        return None
    asked = lead in {each.span for each in said}
    many = len(items) * _LEAST_OF_ITEM > LONGEST_CHARS // 2
    return _beginnings(evidence, lead, items, said, alone=not asked and (alone or many))


def list_that_opens(evidence: Evidence, sentences: Sequence[Sentence], start: int) -> Quote | None:
    """How the items begin of the list with which a section opens at `start`; None where it opens otherwise."""
    first = next((each for each in sentences if each.span.start >= start and each.kind not in _NEVER_ANNOUNCED), None)
    items = _items_of(first.span, sentences) if first and first.leads and not first.is_row else []
    return _beginnings(evidence, first.span, items) if first and items[1:] else None


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
