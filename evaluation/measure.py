"""What the product makes of questions with known answers, over collections that nobody tuned on.

    python -m evaluation.measure [--set manuales tesis statutes] [--statutes DIR]

A set is `NAME.jsonl` beside its documents in `NAME/`; `statutes.jsonl` needs the texts of its laws, which are not ours
to ship (see README.md). A line is `{"id", "kind", "question", "path", "answer"}`: kind `plain`, `everyday` or `absent`
(on the topic, and no document answers it); `follow-up` or `new` (another topic) where it has a `history`: what the same
person asked before, which is answered first, or what was said. No model is asked: what is measured is the search, which
sentence is quoted first, and whether silence and «lo más cercano» come where they should.

Where a line has a `document`, what is asked is done with documents (`tareas`, `portada`, `enteras`, `partes`): its
answer must be of them, with the words of `answer`. Of `clases`, `cortesia` and `tareas` how the message is read counts.
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
from typing import Any, get_args

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.generation.extractive import NEAREST
from rag_system.query.plan import analyze
from rag_system.query.text import query_terms
from rag_system.scope import Scope
from rag_system.settings import load_settings
from rag_system.types import Answer, Finished, Message, QueryPlan, Retrieved, Route, SearchResult, TaskKind

__all__ = [
    "CONVERSATION",
    "FIGURES",
    "HERE",
    "OF_MESSAGES",
    "OVER",
    "SETS",
    "figures",
    "flat",
    "folders_of",
    "held",
    "kind_of",
    "opened",
    "quotes",
    "read_options",
    "read_set",
]

HERE = Path(__file__).parent
SETS = ("manuales", "preguntas", "tesis", "reglamento", "ingles", "cuantos", "definiciones")
_SAMPLES = "../data/documents"
_ALL = f"manuales tesis preguntas reglamento {_SAMPLES}"
_WHOLE = f"manuales tesis reglamento portada {_SAMPLES}"
OVER = {  # sets without documents of their own, and the folders whose documents are asked
    "cuantos": "manuales tesis",
    "definiciones": "manuales tesis reglamento ../data/documents",
    "definiciones-2": "manuales tesis reglamento ../data/documents",
    "definiciones-3": "manuales tesis reglamento ../data/documents",
    "montos": _ALL,
    "dobles": _ALL,
    "diferencias": _ALL,
    "diferencias-2": _ALL,
    "diferencias-3": _ALL,
    "seguimiento": _ALL,
    "seguimiento-2": _ALL,
    "seguimiento-3": _ALL,
    "tareas": _WHOLE,
    "portada": _WHOLE,
    "enteras": f"{_WHOLE} vigencia",
    "clases": "",
    "cortesia": "",
    **dict.fromkeys(("muestras-citas", "muestras-silencio", "cotidianas"), _SAMPLES),
    **{f"cotidianas-{n}": _SAMPLES for n in range(2, 10)},
}
FIGURES = ("phrase@1", "phrase@5", "phrase@10", "source", "first", "any", "silent", "nearest")
OF_MESSAGES = ("read", "leans", "done")

Row = Mapping[str, Any]
Shares = dict[str, dict[str, float]]

CONVERSATION = [
    Message("user", "¿Qué plazo hay para apelar una multa de tránsito?"),
    Message("assistant", "El plazo es de 15 días hábiles [1]."),
]

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_#>|\\`\[\]]")
_QUOTE = re.compile(r"«(.*?)» \[(\d+)", re.DOTALL)


def read_set(name: str) -> list[Row]:
    """The questions of a set."""
    return [_row(json.loads(line)) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def _row(line: dict[str, Any]) -> Row:
    """A line with what some leave out."""
    return {"kind": "plain" if line.get("answerable", True) else "absent", "answer": "", "history": (), **line}


def folders_of(name: str) -> list[Path]:
    """The documents of a set."""
    return [HERE / folder for folder in OVER.get(name, name).split()]


@contextmanager
def opened(documents: Mapping[str, Sequence[Path]]) -> Iterator[Mapping[str, ProjectAssistant]]:
    """A project for each set, in a scratch home, that has read its documents: sets of the same ones share it."""
    with tempfile.TemporaryDirectory() as home:
        settings = load_settings().model_copy(update={"home": Path(home), "database_url": None})
        with Assistant.open(settings) as assistant:
            person = assistant.as_person(LOCAL_PERSON)
            first = {name: next(n for n, same in documents.items() if same == each) for name, each in documents.items()}
            for name in dict.fromkeys(first.values()):
                person.create_project(name)
                deque(person.project(name).library.add(documents[name]), maxlen=0)
            yield {name: person.project(first[name]) for name in documents}


def figures(project: ProjectAssistant, rows: Sequence[Row]) -> Shares:
    """By kind: how many, and the share of each of `FIGURES`.

    phrase@k: the words of the answer stand in the first k passages; source: in the one that is quoted first; first,
    any: in the first, in some quote; silent: nothing was quoted; nearest: what was quoted was called the nearest that
    was found. Where an answer is several phrases, all of them must. Of `OF_MESSAGES` those that a set asks for: read:
    the message is read as its kind, and its question without its courtesy; leans: whether it leans on a conversation;
    done: the answer is of the documents, with its words.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["kind"]].update(["n", *held(project, row)[0]])
    return {
        kind: {"n": seen["n"], **{each: round(seen[each] / seen["n"], 3) for each in (*FIGURES, *OF_MESSAGES)}}
        for kind, seen in sorted(counts.items())
    }


def held(project: ProjectAssistant, row: Row) -> tuple[frozenset[str], str]:
    """Which figures hold of the answer to a question, and its text; of a bare message, of how it is read."""
    if "message" in row:
        return frozenset(_read(row, row["message"])), repr(analyze(row["message"]))
    found, answer = _asked(project, row["question"], row["history"])
    seen = {*_seen(_phrases(row), found, answer), *(_done(row, answer) if "document" in row else ())}
    return frozenset(seen), answer.text


def _phrases(row: Row) -> list[list[str]]:
    """All of which must stand in an answer, each in one of its wordings."""
    wordings = [row["quoted"]] if "quoted" in row else [[each] for each in _list(row["answer"]) if each]
    return [[flat(each) for each in phrase] for phrase in wordings if phrase]


def _list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _read(row: Row, message: str) -> Iterator[str]:
    plan = analyze(message)
    if row["kind"] == "courtesy":
        yield from ["read"] * (query_terms(plan.standalone_question) == query_terms(row["question"]))
    else:
        yield from ["read"] * (kind_of(plan) == row["kind"])
    if "follows" in row:
        yield from ["leans"] * (analyze(message, CONVERSATION).reformulated == row["follows"])


def kind_of(plan: QueryPlan) -> str:
    """The kind of a message that the product acts upon."""
    if plan.route is Route.TRIVIAL:
        return "noise" if plan.courtesy == "nothing" else plan.courtesy
    return plan.task.kind if plan.task else "question" if plan.route is Route.RETRIEVE else plan.route.value


def _done(row: Row, answer: Answer) -> Iterator[str]:
    """`opens` stands in the first quote, of `never` nothing anywhere; where nothing is cited, the words alone count."""
    task, text, first = analyze(row["question"]).task, flat(answer.text), "".join(quotes(answer)[:1])
    if row["kind"] in ("passages", *get_args(TaskKind)):
        yield from ["read"] * ((task.kind if task else "passages") == row["kind"])
    cited = {Path(each.path).name for each in answer.citations}
    of_them = cited.issuperset(_list(row["document"])) or not (cited or not row["answer"])
    words = all(flat(each) in text for each in _list(row["answer"]))
    never = any(flat(each) in text for each in row.get("never", ()))
    yield from ["done"] * (of_them and words and not never and flat(row.get("opens", "")) in flat(first))


def flat(text: str) -> str:
    """Text as answers are compared: without Markdown, white space and case."""
    text = _MARKS.sub("", _LINK.sub(r"\1", html.unescape(html.unescape(text))))
    return re.sub(r"\s+", " ", text).strip().lower()


def quotes(answer: Answer) -> list[str]:
    """What an answer without a model quotes, in its order."""
    return [quote for quote, _ in _QUOTE.findall(answer.text)]


def _asked(
    project: ProjectAssistant, question: str, before: Sequence[str | Mapping[str, Any]]
) -> tuple[Retrieved, Answer]:
    """What is found and answered after questions that are answered first, or after messages."""
    history: list[Message] = []
    for earlier in before:
        if not isinstance(earlier, str):
            history.append(Message(earlier["role"], earlier["content"]))
            continue
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


def _seen(phrases: Sequence[Sequence[str]], found: Retrieved, answer: Answer) -> Iterator[str]:
    if answer.abstained:
        yield "silent"
    elif answer.text.startswith(NEAREST):
        yield "nearest"
    if not phrases:
        return
    passages = [flat(each.text) for each in found.search.candidates]
    rank = max(next((n for n, text in enumerate(passages, 1) if _has([phrase], [text])), 99) for phrase in phrases)
    yield from (f"phrase@{k}" for k in (1, 5, 10) if rank <= k)
    sources = {str(each.n) for each in found.evidence if _has(phrases, [flat(each.text)])}
    yield from ["source"] * any(n in sources for _, n in _QUOTE.findall(answer.text)[:1])
    quoted = [flat(each) for each in quotes(answer)]
    yield from ["first"] * _has(phrases, quoted[:1]) + ["any"] * _has(phrases, quoted)


def _has(phrases: Sequence[Sequence[str]], texts: Sequence[str]) -> bool:
    """Whether each stands in one of the texts."""
    return all(any(wording in text for wording in phrase for text in texts) for phrase in phrases)


def read_options(parser: argparse.ArgumentParser) -> tuple[argparse.Namespace, dict[str, list[Path]]]:
    """What a tool that asks sets is told, and the documents of each set."""
    known = sorted(each.stem for each in HERE.glob("*.jsonl"))
    parser.add_argument("--set", dest="sets", nargs="+", default=list(SETS), choices=known, metavar="NAME")
    parser.add_argument("--statutes", type=Path, help="folder with the texts of the laws, for the set «statutes»")
    options = parser.parse_args()
    if "statutes" in options.sets and options.statutes is None:
        parser.error("the set «statutes» needs --statutes, the folder with the texts of the laws")
    return options, {name: [options.statutes] if name == "statutes" else folders_of(name) for name in options.sets}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    _, folders = read_options(parser)
    with opened(folders) as projects:
        for name in folders:
            print(json.dumps({name: figures(projects[name], read_set(name))}, ensure_ascii=False))


if __name__ == "__main__":
    main()
