"""Which results are relevant to a question with a known answer, and how well a ranking orders them.

nDCG is trec_eval's (`pytrec_eval`), from judgements made by rule. A result of a gold file that holds the answer phrase,
or stands in the gold article, is the answer (2); where no result is, the first of a gold file is half of it (1). Each
answer counts once: a person needs it once, and a recipe that shows more of the same passage, joins neighbours or makes
room for other documents neither gains nor loses. The ideal order has the answer first, or one of each gold file where
all are required. Judgements are incomplete: another file may answer as well and counts 0.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence

from assistant.gold import gold_files
from assistant.questions import AskedQuestion
from rag_system.query.articles import article_references
from rag_system.types import Candidate

__all__ = ["as_read", "ndcg"]

ANSWER, FILE = 2, 1  # grades
_MEASURE = "ndcg_cut_10"
_MARKS = str.maketrans("", "", "*_#>|\\`")


def as_read(text: str) -> str:
    """Text as a reader would compare it: entities resolved, Markdown marks gone, white space collapsed, lower case."""
    plain = html.unescape(html.unescape(text)).translate(_MARKS)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", plain)).strip().lower()


def ndcg(question: AskedQuestion, found: Sequence[Candidate]) -> float:
    """nDCG@10 of the results, best first: 1 when each answer that is asked for comes before everything else."""
    from pytrec_eval import RelevanceEvaluator  # slow to import, and only measuring needs it

    labels = list(_labels(question, found))
    wanted = {_answer(place) for place in range(len(_places(question)))}
    halves = {_file(place) for place in range(len(wanted)) if _answer(place) not in labels} & set(labels)
    judged = {**dict.fromkeys(wanted, ANSWER), **dict.fromkeys(halves, FILE)}
    run = {label: -float(rank) for rank, label in enumerate(labels)}
    return float(RelevanceEvaluator({"q": judged}, {_MEASURE}).evaluate({"q": run})["q"][_MEASURE]) if run else 0.0


def _labels(question: AskedQuestion, found: Sequence[Candidate]) -> Iterator[str]:
    """What each result is: the answer of a place, something else of its file, or of no place at all."""
    places = _places(question)
    seen: set[str] = set()
    for rank, candidate in enumerate(found):
        place = next((place for place, paths in enumerate(places) if candidate.chunk.path in paths), None)
        label = ""
        if place is not None:
            label = _answer(place) if _answers(question, candidate) else _file(place)
        yield label if label and label not in seen else f"other {rank}"
        seen.add(label)


def _places(question: AskedQuestion) -> list[list[str]]:
    """The places that an answer may come from: any gold file, or each of them where all are required."""
    gold = gold_files(question)
    return [[path] for path in gold] if question.fields.get("require_all") else [gold]


def _answers(question: AskedQuestion, candidate: Candidate) -> bool:
    phrase = as_read(question.fields.get("answer_phrase") or "")
    article = str(question.fields.get("gold_article") or "").upper()
    if phrase and phrase in as_read(candidate.text):
        return True
    if article:
        return any(article in article_references(chunk.section) for chunk in candidate.chunks)
    return not phrase  # nothing finer is known than the file


def _answer(place: int) -> str:
    return f"answer {place}"


def _file(place: int) -> str:
    return f"file {place}"
