"""From a request to the messages for a model. The words are in `prompts/*.md`; here is only what fills them.

Everything that comes from documents is data: it stands inside delimiters that it cannot write itself, because every
character that could open a tag or a chat template's control word is replaced on the way in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Literal

from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.markers import defuse_markers, strip_markers
from rag_system.types import AnswerRequest, Evidence, Message

__all__ = ["PromptMessage", "build_messages", "fill", "load_prompt", "neutralise", "recent_history"]

PromptMessage = tuple[Literal["system", "user", "assistant"], str]

_HISTORY_CHARS = 4_000  # about 1,000 tokens for the whole conversation
_TURN_CHARS = 1_200  # no single turn takes it all
_SPOKEN = frozenset({"user", "assistant"})


def build_messages(request: AnswerRequest) -> list[PromptMessage]:
    """System rules, the last turns, and the question with its numbered sources."""
    parts = load_prompt("answer.es")
    return [("system", _system(parts, request)), *recent_history(request.history), ("user", _question(parts, request))]


def _system(parts: dict[str, str], request: AnswerRequest) -> str:
    extra = []
    if request.instructions.strip():
        extra.append(fill(parts["instrucciones"], instrucciones=neutralise(request.instructions.strip())))
    if request.facts:
        extra.append(fill(parts["hechos"], hechos="\n".join(f"- {neutralise(fact)}" for fact in request.facts)))
    return fill(parts["sistema"], abstención=ABSTENTION, proyecto="\n\n".join(extra)).strip()


def _question(parts: dict[str, str], request: AnswerRequest) -> str:
    plan = request.plan
    reworded = "\n" + fill(parts["reformulada"], independiente=neutralise(plan.standalone_question))
    return fill(
        parts["pregunta"],
        fuentes=_sources(request.evidence) or parts["sin fuentes"],
        pregunta=neutralise(plan.question),
        reformulada=reworded if plan.reformulated else "",
    )


def _sources(evidence: Sequence[Evidence]) -> str:
    groups = groupby(evidence, key=lambda item: item.chunk.document_id)
    return "\n".join(_document(list(items)) for _, items in groups)


def _document(items: Sequence[Evidence]) -> str:
    chunk = items[0].chunk
    opening = f'<documento título="{_attribute(chunk.title)}" archivo="{_attribute(chunk.file_name)}">'
    return "\n".join([opening, *(_source(item) for item in items), "</documento>"])


def _source(item: Evidence) -> str:
    first, last = item.chunks[0], item.chunks[-1]
    section = f' sección="{_attribute(first.section)}"' if first.section else ""  # later headings stand in the text
    pages = dict.fromkeys(page for page in (first.page_first, last.page_last) if page is not None)
    page = f' página="{"–".join(map(str, pages))}"' if pages else ""
    return f'<fuente n="{item.n}"{section}{page}>\n{defuse_markers(neutralise(item.text))}\n</fuente>'


def recent_history(history: Sequence[Message]) -> list[PromptMessage]:
    """The last turns that fit the budget, without the markers of answers whose sources are gone.

    Only what people and the assistant said: a turn with another role would speak with the authority of our rules.
    """
    room = _HISTORY_CHARS
    kept: list[PromptMessage] = []
    for message in reversed([turn for turn in history if turn.role in _SPOKEN]):
        text = _turn_text(message)
        room -= len(text)
        if room < 0:
            break
        if text:
            kept.append((message.role, text))
    return kept[::-1]


def _turn_text(message: Message) -> str:
    text = neutralise(message.content).strip()
    text = strip_markers(text) if message.role == "assistant" else text
    return text if len(text) <= _TURN_CHARS else text[:_TURN_CHARS].rsplit(None, 1)[0] + " …"


# ---------------------------------------------------------------- data stays data

# «<» before anything that could be a tag or a control word («</fuente>», «<|im_start|>», «<start_of_turn>», «<<SYS>>»).
_TAG_OPENER = re.compile(r"[<＜﹤](?=\s*[/|!?<＜A-Za-zÀ-ÿ_｜])")
_CONTROL_BRACKET = re.compile(r"\[(?=\s*/?\s*(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_\w+)\s*\])", re.IGNORECASE)


def neutralise(text: str) -> str:
    """The text without what could pass for a delimiter: tag openers become «‹», invisible characters go."""
    visible = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in {"Cf", "Cc", "Cs"})
    return _CONTROL_BRACKET.sub("(", _TAG_OPENER.sub("‹", visible))


def _attribute(text: str) -> str:
    return neutralise(" ".join(text.split())).replace('"', "”").replace(">", "›")


# ---------------------------------------------------------------- the files

_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_SECTION = re.compile(r"^# (.+)$", re.MULTILINE)
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@cache
def load_prompt(name: str) -> dict[str, str]:
    """The sections of `prompts/<name>.md` by their titles."""
    text = resources.files("rag_system.generation").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8")
    pieces = _SECTION.split(_COMMENT.sub("", text))[1:]
    return {title: body.strip("\n") for title, body in _pairs(pieces)}


def _pairs(pieces: Sequence[str]) -> Iterable[tuple[str, str]]:
    return zip(pieces[::2], pieces[1::2], strict=True)


def fill(template: str, **values: str) -> str:
    """Fill the slots in one pass: a value that looks like a slot stays as it is."""
    return _SLOT.sub(lambda match: values[match[1]], template)
