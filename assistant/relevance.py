"""Which passages are relevant to a question with a known answer, and how well a ranking orders them.

The measures are trec_eval's (`pytrec_eval`), from judgements made by rule: a passage of a gold file is relevant (1),
one that holds the answer phrase or stands in the gold article very relevant (2). The ideal order is taken over every
passage of the gold files that the project has. Judgements are incomplete: another file may answer as well and counts 0,
so the figures compare recipes and mean little alone. A recipe that makes room for other documents pays for it here.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from assistant.library import StoredPassage
from assistant.questions import AskedQuestion
from rag_system.query.identifiers import article_references

__all__ = ["Relevance", "as_read", "gold_files", "judge", "ranking_scores"]

Relevance = Mapping[int, int]  # chunk id → 1 or 2; a missing one counts 0

_MEASURES = {"ndcg_cut_10": "ndcg@10", "recip_rank": "mrr"}  # trec_eval's name → ours
_MARKS = str.maketrans("", "", "*_#>|\\`")


def as_read(text: str) -> str:
    """Text as a reader would compare it: entities resolved, Markdown marks gone, white space collapsed, lower case."""
    plain = html.unescape(html.unescape(text)).translate(_MARKS)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", plain)).strip().lower()


def gold_files(question: AskedQuestion) -> list[str]:
    """The paths that answer; none where nothing does."""
    row = question.fields
    return list(row.get("gold_files") or filter(None, [row.get("gold_file")]))


def judge(question: AskedQuestion, passages: Iterable[StoredPassage]) -> Relevance:
    """The grade of each passage of the question's gold files."""
    phrase = as_read(question.fields.get("answer_phrase") or "")
    article = str(question.fields.get("gold_article") or "").upper()
    return {passage.chunk_id: 2 if _answers(passage, phrase, article) else 1 for passage in passages}


def _answers(passage: StoredPassage, phrase: str, article: str) -> bool:
    in_article = bool(article) and article in article_references(passage.section)
    return in_article or bool(phrase and phrase in as_read(passage.text))


def ranking_scores(ranked: Sequence[int], relevance: Relevance) -> dict[str, float]:
    """`mrr` of the first relevant one, and `ndcg@10`, of chunk ids in order, best first."""
    from pytrec_eval import RelevanceEvaluator  # slow to import, and only measuring needs it

    if not ranked or not relevance:
        return dict.fromkeys(_MEASURES.values(), 0.0)
    judged = {str(chunk_id): grade for chunk_id, grade in relevance.items()}
    run = {str(chunk_id): -float(rank) for rank, chunk_id in enumerate(ranked)}
    found = RelevanceEvaluator({"q": judged}, set(_MEASURES)).evaluate({"q": run})["q"]
    return {ours: float(found[theirs]) for theirs, ours in _MEASURES.items()}
