"""The citations that a model forgot: with which source a sentence without a marker is cited, and where the marker goes.

Only where the comparison is sure: one source alone raises no doubt about the sentence and holds most of its words in
one stretch. A marker that might be wrong is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rag_system.generation.claims import Claim
from rag_system.generation.doubts import Doubt
from rag_system.generation.sources import Sources
from rag_system.query.sentences import ends_in_abbreviation
from rag_system.types import mark

__all__ = ["Added", "add_markers", "find_source", "is_table_head", "repair_notices"]

Added = tuple[str, int]  # a sentence as it stands, and the number of the source that it is cited with

# Found on the planted sentences without their markers (`tests/unit/generation/planted.toml`).
_SURE = 0.55  # share of the sentence's words, 0…1, in one statement of the source
_FEWEST_WORDS = 3  # that say something: a shorter sentence may be anybody's, unless its answer cites the source already
_CITED_ALREADY = 0.1  # of share: of two sources alike, the one that the answer cites elsewhere

_TABLE_RULE = re.compile(r"\n[ \t]*\|?[ \t]*:?-{2,}[-:| \t]*(?:\n|$)")
_FENCE = "```"
# «… días.», «**… días.**», «| … días |»: the marker stands before the point or the border, inside the emphasis.
_END = re.compile(r"(?:[ \t]*\|[ \t]*|[.;!…]*[*_]*)$")


def find_source(claim: Claim, sources: Sources, *, cited: Collection[int] = ()) -> int | None:
    """The number of the source that surely says what a claim says; of several, the one that says it best.

    `cited`: the numbers that the answer has elsewhere.
    """
    if claim.says_nothing:
        return None
    short = len(claim.words) + len(claim.figures) < _FEWEST_WORDS
    found = {n: claim.near.best([n]) for n in sources.evidence if n in cited or not short}
    near = (n for n, share in found.items() if share >= _SURE and claim.has_its_figures_in(n))
    sure = [n for n in near if claim.doubt([n]) is Doubt.NONE]
    return max(sure, key=lambda n: (found[n] + _CITED_ALREADY * (n in cited), -abs(n)), default=None)


def add_markers(text: str, added: Sequence[Added]) -> tuple[str, tuple[Added, ...]]:
    """The text with `[n]` at the end of each of the sentences, given in their order; and those that got one.

    What ends in an abbreviation gets none: it may go on with its number, and no marker stands inside «D.Leg.».
    """
    position, done = 0, list[Added]()
    for sentence, n in added:
        start = text.find(sentence, position)
        if start < 0 or ends_in_abbreviation(sentence) or _is_no_prose(text, start, start + len(sentence)):
            continue
        end = _END.search(sentence)
        at = start + (end.start() if end else len(sentence))
        marker = f" [{mark(n)}]"
        done.append((sentence, n))
        text = text[:at] + marker + text[at:]
        position = start + len(sentence) + len(marker)
    return text, tuple(done)


def _is_no_prose(text: str, start: int, end: int) -> bool:
    """Whether a sentence stands in code, or is the first row of a table."""
    return text.count(_FENCE, 0, start) % 2 == 1 or is_table_head(text, end)


def is_table_head(text: str, end: int) -> bool:
    """Whether what ends there is followed by the rule of a table."""
    return _TABLE_RULE.match(text, end) is not None


def repair_notices(added: Sequence[Added]) -> tuple[str, ...]:
    """What a person is told; nothing when no marker was added."""
    if not added:
        return ()
    *first, last = (f"[{mark(n)}]" for n in sorted({n for _, n in added}))
    which = f"{', '.join(first)} y {last}" if first else last
    if len(added) == 1:
        return (f"El modelo dejó sin cita una oración que sus documentos respaldan; Legajo le agregó {which}.",)
    return (f"El modelo dejó sin cita {len(added)} oraciones que sus documentos respaldan; Legajo agregó {which}.",)
