"""What the product makes of questions with known answers, over collections that nobody tuned on.

    python -m evaluation.measure [--set manuales tesis statutes] [--statutes DIR]

A set is `NAME.jsonl` beside its documents in `NAME/`; `statutes.jsonl` needs the texts of its laws, which are not ours
to ship (see README.md). A line is `{"id", "kind", "question", "path", "answer"}`: kind `plain`, `everyday` or `absent`
(on the topic, and no document answers it); `follow-up` or `new` (another topic) where it has a `history`: what the same
person asked before, which is answered first. No model is asked: what is measured is the search, which sentence is
quoted first, and whether silence and «lo más cercano» come where they should.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import tempfile
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.generation.extractive import NEAREST
from rag_system.scope import Scope
from rag_system.settings import load_settings
from rag_system.types import Answer, Finished, Message, Retrieved, SearchResult

__all__ = ["FIGURES", "HERE", "SETS", "figures", "flat", "folders_of", "held", "opened", "quotes", "read_set"]

HERE = Path(__file__).parent
SETS = ("manuales", "preguntas", "tesis", "reglamento", "ingles", "cuantos", "definiciones")
_ALL = "manuales tesis preguntas reglamento ../data/documents"
OVER = {  # sets without documents of their own, and the folders whose documents are asked
    "cuantos": "manuales tesis",
    "definiciones": "manuales tesis reglamento ../data/documents",
    "definiciones-2": "manuales tesis reglamento ../data/documents",
    "montos": _ALL,
    "dobles": _ALL,
    "diferencias": _ALL,
    "diferencias-2": _ALL,
    "diferencias-3": _ALL,
    "seguimiento": _ALL,
    "seguimiento-2": _ALL,
    "seguimiento-3": _ALL,
}
FIGURES = ("phrase@1", "phrase@5", "phrase@10", "source", "first", "any", "silent", "nearest")

Row = Mapping[str, Any]
Shares = dict[str, dict[str, float]]

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_#>|\\`\[\]]")
_QUOTE = re.compile(r"«(.*?)» \[(\d+)", re.DOTALL)


def read_set(name: str) -> list[Row]:
    """The questions of a set."""
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def folders_of(name: str) -> list[Path]:
    """The documents of a set."""
    return [HERE / folder for folder in OVER.get(name, name).split()]


@contextmanager
def opened(documents: Mapping[str, Sequence[Path]]) -> Iterator[Mapping[str, ProjectAssistant]]:
    """A project for each set, in a scratch home, that has read its documents."""
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings().model_copy(update={"home": Path(home), "database_url": None})
        with Assistant.open(settings) as assistant:
            person = assistant.as_person(LOCAL_PERSON)
            for name, folders in documents.items():
                person.create_project(name)
                deque(person.project(name).library.add(folders), maxlen=0)
            yield {name: person.project(name) for name in documents}


def figures(project: ProjectAssistant, rows: Sequence[Row]) -> Shares:
    """By kind: how many, and the share of each of `FIGURES`.

    phrase@k: the words of the answer stand in the first k passages; source: in the one that is quoted first; first,
    any: in the first, in some quote; silent: nothing was quoted; nearest: what was quoted was called the nearest that
    was found. Where an answer is several phrases, all of them must.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["kind"]].update(["n", *held(project, row)[0]])
    return {
        kind: {"n": seen["n"], **{name: round(seen[name] / seen["n"], 3) for name in FIGURES}}
        for kind, seen in sorted(counts.items())
    }


def held(project: ProjectAssistant, row: Row) -> tuple[frozenset[str], str]:
    """Which of `FIGURES` hold of the answer to a question, and its text."""
    found, answer = _asked(project, row["question"], row.get("history", ()))
    phrases = [row["answer"]] if isinstance(row["answer"], str) else row["answer"]
    return frozenset(_seen([flat(phrase) for phrase in phrases if phrase], found, answer)), answer.text


def flat(text: str) -> str:
    """Text as answers are compared: without Markdown, white space and case."""
    text = _MARKS.sub("", _LINK.sub(r"\1", html.unescape(html.unescape(text))))
    return re.sub(r"\s+", " ", text).strip().lower()


def quotes(answer: Answer) -> list[str]:
    """What an answer without a model quotes, in its order."""
    return [quote for quote, _ in _QUOTE.findall(answer.text)]


def _asked(project: ProjectAssistant, question: str, before: Sequence[str] = ()) -> tuple[Retrieved, Answer]:
    """What is found and answered, in a conversation in which the questions `before` were answered."""
    history: list[Message] = []
    for earlier in before:
        _, answer = _told(project, earlier, history)
        history += [Message("user", earlier), Message("assistant", answer.text, _sources(answer))]
    return _told(project, question, history)


def _sources(answer: Answer) -> tuple[tuple[int, int], ...]:
    return tuple((each.n, each.chunk_id) for each in answer.citations)


def _told(project: ProjectAssistant, question: str, history: Sequence[Message]) -> tuple[Retrieved, Answer]:
    found, answer = Retrieved(SearchResult(), ()), Answer(text="")
    for event in project.pipeline.stream(question, history, scope=Scope(provider="extractive")):
        if isinstance(event, Retrieved):
            found = event
        elif isinstance(event, Finished):
            answer = event.answer
    return found, answer


def _seen(phrases: Sequence[str], found: Retrieved, answer: Answer) -> Iterator[str]:
    if answer.abstained:
        yield "silent"
    elif answer.text.startswith(NEAREST):
        yield "nearest"
    if not phrases:
        return
    passages = [flat(each.text) for each in found.search.candidates]
    rank = max(next((n for n, text in enumerate(passages, 1) if phrase in text), 99) for phrase in phrases)
    yield from (f"phrase@{k}" for k in (1, 5, 10) if rank <= k)
    sources = {str(each.n) for each in found.evidence if _has_all(phrases, [each.text])}
    yield from ["source"] * any(n in sources for _, n in _QUOTE.findall(answer.text)[:1])
    quoted = quotes(answer)
    yield from ["first"] * _has_all(phrases, quoted[:1]) + ["any"] * _has_all(phrases, quoted)


def _has_all(phrases: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether each stands in one of the texts."""
    read = [flat(text) for text in texts]
    return all(any(phrase in text for text in read) for phrase in phrases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="sets", nargs="+", default=list(SETS))
    parser.add_argument("--statutes", type=Path, help="folder with the texts of the laws, for the set «statutes»")
    options = parser.parse_args()
    folders = {name: [options.statutes] if name == "statutes" else folders_of(name) for name in options.sets}
    with opened(folders) as projects:
        for name in folders:
            print(json.dumps({name: figures(projects[name], read_set(name))}, ensure_ascii=False))


if __name__ == "__main__":
    main()
