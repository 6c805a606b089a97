"""From a request to the messages for a model. The words are in `prompts/*.md`; here is only what fills them.

Everything that comes from people and documents is data: it stands inside delimiters that it cannot write itself. Every
character that could open a tag or a chat template's control word is replaced on the way in, and the tags carry a code
that is drawn anew for each question, so that a look-alike is none. The rules stand after what the project asks for.

What is too long gives way in this order: old turns of the conversation, then remembered facts, then the last sources.
Whole pieces leave, never a part of a delimiter.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Literal

from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.markers import defuse_markers
from rag_system.generation.prompt_budget import estimate_tokens, shorten_to
from rag_system.generation.remembered import nearest_first
from rag_system.query.markup import strip_invisible
from rag_system.types import AnswerRequest, Assignment, Evidence, Message, QueryPlan, mark

__all__ = [
    "SOURCES_SHARE",
    "PromptMessage",
    "build_messages",
    "fill",
    "load_prompt",
    "neutralise",
    "prompt_version",
    "recent_history",
]

PromptMessage = tuple[Literal["system", "user", "assistant"], str]
Parts = dict[str, str]  # the sections of the file, with the code of their tags filled in

SOURCES_SHARE = 2 / 3  # of the prompt, for the text of the passages: the rest suffices for rules, tags and question
HISTORY_TOKENS = 1_000  # the whole conversation, at most
_TURN_TOKENS = 300  # no single turn takes it all
_PROJECT_SHARE = 5  # instructions, and facts, take a fifth of the prompt each at most
# In the languages that a project may ask for: `rag_system.settings.AnswerLanguage`.
_LANGUAGES = {
    "es": "español",
    "ca": "catalán",
    "de": "alemán",
    "en": "inglés",
    "eu": "euskera",
    "fr": "francés",
    "gl": "gallego",
    "it": "italiano",
    "pt": "portugués",
    "qu": "quechua",
}
_CODE_BYTES = 3
_SPOKEN = frozenset({"user", "assistant"})


def build_messages(
    request: AnswerRequest, *, max_tokens: int = 6_000, writer: str = "", code: str = ""
) -> list[PromptMessage]:
    """System rules, the last turns, and the question with its numbered sources: `max_tokens` by `estimate_tokens`.

    `writer` is the model for people, told only where the request allows it; `code` marks the tags, at random when it
    is empty. Rules and question are sent whole, though they alone were longer.
    """
    code = code or secrets.token_hex(_CODE_BYTES)
    files = load_prompt("answer.es") | load_prompt("tasks.es")
    parts = {title: text.replace("{{código}}", code) for title, text in files.items()}
    most = max_tokens // _PROJECT_SHARE
    frame = estimate_tokens(_system(parts, request, "", most, writer))
    question, room = _fitting_question(parts, request, max_tokens - frame)
    facts = _facts(request, min(room - estimate_tokens(parts["hechos"]), most))
    system = _system(parts, request, facts, most, writer)
    room -= estimate_tokens(system) - frame
    history = recent_history(request.history, max_tokens=min(room, HISTORY_TOKENS))
    return [("system", system), *history, ("user", question)]


def _system(parts: Parts, request: AnswerRequest, facts: str, most: int, writer: str) -> str:
    extra = ""
    if wanted := shorten_to(neutralise(request.instructions).strip(), most):
        extra += "\n\n" + fill(parts["instrucciones"], instrucciones=wanted)
    if facts:
        extra += "\n\n" + fill(parts["hechos"], hechos=facts)
    open_model = writer and not request.hides_model
    identity = fill(parts["modelo a la vista"], modelo=_attribute(writer)) if open_model else parts["modelo reservado"]
    return fill(
        parts["sistema"],
        nombre=_attribute(request.assistant_name),
        proyecto=extra,
        abstención=ABSTENTION,
        identidad=identity,
        idioma=_LANGUAGES.get(request.language, parts["idioma de la pregunta"]),
        recordado=_remembered(parts, request),
        marca=parts["marca"] if request.facts else "",
    )


def _remembered(parts: Parts, request: AnswerRequest) -> str:
    return parts["recordado"] if request.facts else ""


def _facts(request: AnswerRequest, most: int) -> str:
    """A line a fact, by number; where there is no room for all, those with most of the question's words."""
    lines: dict[int, str] = {}
    for fact in nearest_first(request.plan.standalone_question, request.facts):
        line = f"[{mark(fact.n)}] {defuse_markers(neutralise(fact.text))}"
        most -= estimate_tokens(line) + 1
        if most >= 0:
            lines[fact.n] = line
    return "\n".join(lines[n] for n in sorted(lines, reverse=True))


def _fitting_question(parts: Parts, request: AnswerRequest, room: int) -> tuple[str, int]:
    """The question with as many of its sources as fit, and the tokens that are left: none when a source had to go."""
    for kept in range(len(request.evidence), -1, -1):
        question = _question(parts, request, request.evidence[:kept])
        left = room - estimate_tokens(question)
        if left >= 0:
            return question, left if kept == len(request.evidence) else 0
    return question, 0


def _question(parts: Parts, request: AnswerRequest, evidence: Sequence[Evidence]) -> str:
    plan = request.plan
    if request.assignment is not None:
        return _assignment(parts, plan, request.assignment, evidence)
    reworded = "\n\n" + fill(parts["reformulada"], independiente=neutralise(plan.standalone_question))
    return fill(
        parts["pregunta"],
        fuentes=_sources(parts, evidence) or parts["sin fuentes"],
        pregunta=neutralise(plan.question),
        reformulada=reworded if plan.reformulated else "",
        duda="\n\n" + parts["duda"] if request.is_doubtful and evidence else "",
        recordado=_remembered(parts, request),
    )


_SAID = {"notes": "apuntes", "answer": "respuesta", "conversation": "conversación"}
_STEPS = {"take_notes": "tomar apuntes", "join_notes": "juntar apuntes"}


def _assignment(parts: Parts, plan: QueryPlan, assignment: Assignment, evidence: Sequence[Evidence]) -> str:
    """A task with what it is done from."""
    about, task = neutralise(assignment.documents), assignment.task
    material = [fill(parts["fuentes"], fuentes=_sources(parts, evidence))] if assignment.shows_evidence else []
    if assignment.said:
        material.append(fill(parts[_SAID[assignment.said_is]], documentos=about, texto=neutralise(assignment.said)))
    order = fill(
        parts[_STEPS.get(assignment.step, task.kind)],
        documentos=about,
        parte=str(assignment.part),
        partes=str(assignment.parts),
        lengua=neutralise(task.what or "inglés"),
        pieza=neutralise(task.what),
    )
    return fill(parts["encargo"], materia="\n\n".join(material), encargo=neutralise(plan.question), tarea=order)


def _sources(parts: Parts, evidence: Sequence[Evidence]) -> str:
    groups = groupby(evidence, key=lambda item: item.chunk.document_id)
    return "\n".join(_document(parts, list(items)) for _, items in groups)


def _document(parts: Parts, items: Sequence[Evidence]) -> str:
    chunk = items[0].chunk
    passages = "\n".join(_source(parts, item) for item in items)
    return fill(
        parts["documento"], título=_attribute(chunk.title), archivo=_attribute(chunk.file_name), pasajes=passages
    )


def _source(parts: Parts, item: Evidence) -> str:
    first, last = item.chunks[0], item.chunks[-1]
    section = f' sección="{_attribute(first.section)}"' if first.section else ""  # later headings stand in the text
    pages = dict.fromkeys(page for page in (first.page_first, last.page_last) if page is not None)
    page = f' página="{"–".join(map(str, pages))}"' if pages else ""
    state = f' estado="{_attribute(item.chunk.state.label)}; no vigente"' if item.chunk.state else ""
    more = ' incompleta="su última lista o tabla sigue en el documento"' if item.goes_on else ""
    text = defuse_markers(neutralise(item.text))
    return fill(parts["fuente"], número=str(item.n), atributos=section + page + state + more, texto=text)


def recent_history(history: Sequence[Message], *, max_tokens: int = HISTORY_TOKENS) -> list[PromptMessage]:
    """The last turns that fit the budget. Answers keep their markers: a model that sees none stops writing them.

    Only what people and the assistant said: a turn with another role would speak with the authority of our rules.
    """
    room = max_tokens
    kept: list[PromptMessage] = []
    for message in reversed([turn for turn in history if turn.role in _SPOKEN]):
        text = _turn_text(message)
        room -= estimate_tokens(text)
        if room < 0:
            break
        if text:
            kept.append((message.role, text))
    return kept[::-1]


def _turn_text(message: Message) -> str:
    text = neutralise(message.content).strip()
    short = shorten_to(text, _TURN_TOKENS)
    return text if short == text else f"{short} …"


# ---------------------------------------------------------------- data stays data

# «<» before anything that could be a tag or a control word («</fuente>», «<|im_start|>», «<start_of_turn>», «<<SYS>>»).
_TAG_OPENER = re.compile(r"[<＜﹤](?=\s*(?:[/|!?<＜﹤｜]|[^\W\d]))")
_LINE_BREAK = re.compile(r"\r\n?|[\u0085\u2028\u2029]")
_CONTROL_BRACKET = re.compile(r"\[(?=\s*/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_\w+)\s*\])", re.IGNORECASE)


def neutralise(text: str) -> str:
    """The text without what could pass for a delimiter: tag openers become «‹», invisible characters go."""
    visible = strip_invisible(_LINE_BREAK.sub("\n", text))
    return _CONTROL_BRACKET.sub("(", _TAG_OPENER.sub("‹", visible))


def _attribute(text: str) -> str:
    return neutralise(" ".join(text.split())).replace('"', "”").replace(">", "›")


# ---------------------------------------------------------------- the files

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_VERSION = re.compile(r"<!-- version: (\d+) -->")
_SECTION = re.compile(r"^# (.+)$", re.MULTILINE)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@cache
def load_prompt(name: str) -> dict[str, str]:
    """The sections of `prompts/<name>.md` by their titles."""
    pieces = _SECTION.split(_COMMENT.sub("", _read(name)))[1:]
    return {title: body.strip("\n") for title, body in _pairs(pieces)}


@cache
def prompt_version(name: str = "answer.es") -> int:
    """The version that a prompt's file states."""
    return int(_VERSION.findall(_read(name))[0])


def _read(name: str) -> str:
    return resources.files("rag_system.generation").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")


def _pairs(pieces: Sequence[str]) -> Iterable[tuple[str, str]]:
    return zip(pieces[::2], pieces[1::2], strict=True)


def fill(template: str, **values: str) -> str:
    """Fill the slots in one pass: a value that looks like a slot stays as it is."""
    return _SLOT.sub(lambda match: values[match[1]], template)
