"""Every sentence that the chat asks for exists, and every sentence that exists is asked for."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from assistant.feedback import REASONS
from assistant.tokens import SCOPES
from rag_system import pipeline
from rag_system.generation import answering
from rag_system.generation.providers import PROVIDERS
from rag_system.ingestion import report
from rag_system.storage import audit, ingestions
from rag_system.tasks import doing
from ui.texts import DEFAULT_LANGUAGE, LANGUAGES, catalogue, decimal, text
from ui.texts.saying import SAID

UI = Path(__file__).parents[2] / "ui"
SECTIONS = (
    "app|chat|sources|copy|original|why|metrics|provider|conversations|upload|queue|documents|settings|scope|concepts"
    "|door|branches|rating|shared|people|keys|copying|projects|facts|members|offers|beside|usage|appearance"
    "|shortcuts|tokens|folders|saved|tags|notes"
)
KEY = re.compile(rf"""["']((?:{SECTIONS})\.[a-z_.{{}}]+)["']""")
STREAMLIT = "streamlit."  # read as a whole


def _written_in(*modules: ModuleType, pattern: str) -> set[str]:
    sources = [Path(module.__file__ or "").read_text(encoding="utf-8") for module in modules]
    return {name for source in sources for name in re.findall(pattern, source)}


# What the pipeline, the providers and the reports call things, by the section that names it for people.
NAMED: dict[str, set[str]] = {
    "metrics.phase": _written_in(pipeline, answering, doing, pattern=r'\.phase\("(\w+)"\)'),
    "people.did": {each.removeprefix("people.") for each in get_args(audit.PeopleAction)},
    "provider.help": set(PROVIDERS),
    "queue.stage": {*get_args(ingestions.Stage), "wait", "queued", "ready"},
    "rating.reason": set(REASONS),
    "tokens.scope": set(SCOPES),
    "upload.status": {*get_args(report.Status), "accepted", "asks", "cancelled", "reading"},
}


def used() -> set[str]:
    pages = UI.rglob("*.py")
    sources = [path.read_text(encoding="utf-8") for path in pages]
    return {key for source in sources for key in KEY.findall(source)}


@pytest.mark.parametrize("section", NAMED)
def test_what_the_program_calls_by_a_name_has_one_for_people(section: str) -> None:
    names = {key.removeprefix(f"{section}.") for key in catalogue() if key.startswith(f"{section}.")}
    assert len(names) > 3
    assert names == NAMED[section]


@pytest.mark.parametrize("provider", sorted(name for name, row in PROVIDERS.items() if row.sdk != "none"))
def test_a_provider_says_all_that_is_sent_to_it(provider: str) -> None:
    sent = "Su pregunta, la conversación reciente y los pasajes encontrados se envían a"
    assert sent in text(f"provider.help.{provider}")


def shared(language: str) -> dict[str, str]:
    """Without what is only needed where Streamlit, or the engine, speaks another language."""
    return {key: each for key, each in catalogue(language).items() if not key.startswith((STREAMLIT, SAID))}


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != DEFAULT_LANGUAGE])
def test_a_language_has_every_sentence_with_what_fills_it_and_no_other(language: str) -> None:
    ours, theirs = shared(DEFAULT_LANGUAGE), shared(language)
    assert theirs.keys() ^ ours.keys() == set()
    braces = re.compile(r"\{\w+\}")
    assert [key for key in ours if {*braces.findall(ours[key])} != {*braces.findall(theirs[key])}] == []
    assert [key for key, each in theirs.items() if "«" in each or not each.strip()] == []


def test_one_action_has_one_word() -> None:
    other = re.compile(r"\b(?:añad|incorpor)", re.IGNORECASE)
    assert [sentence for sentence in catalogue().values() if other.search(sentence)] == []


def test_what_is_counted_is_said_of_one_and_of_many() -> None:
    counted = {key for key, sentence in catalogue().items() if "{count}" in sentence}
    assert {key for key in counted if not key.endswith((".one", ".many"))} == set()
    assert {f"{key.removesuffix('.many')}.one" for key in counted if key.endswith(".many")} <= catalogue().keys()


def test_every_sentence_is_used() -> None:
    keys = used()
    patterns = [re.compile(re.sub(r"\\\{.*?\\\}", "[a-z_]+", re.escape(key))) for key in keys]
    unused = [
        key
        for key in catalogue()
        if not key.startswith((STREAMLIT, *NAMED))
        and not any(p.fullmatch(key.removesuffix(".one").removesuffix(".many")) for p in patterns)
    ]
    assert unused == []


def test_every_sentence_that_is_asked_for_exists() -> None:
    keys = {key.removesuffix(".one").removesuffix(".many") for key in catalogue()}
    sections = {key.rsplit(".", 1)[0] for key in catalogue()} | {key.split(".")[0] for key in catalogue()}
    missing = [key for key in used() if "{" not in key and key not in keys and key not in sections]
    assert missing == []


@pytest.mark.parametrize(
    ("key", "count", "expected"),
    [
        ("documents.count", 1, "1 documento"),
        ("documents.count", 0, "0 documentos"),
        ("chat.reading", 8, "Leyendo 8 pasajes…"),
    ],
)
def test_sentences_agree_with_their_number(key: str, count: int, expected: str) -> None:
    assert text(key, count=count) == expected


def test_a_missing_sentence_raises() -> None:
    with pytest.raises(KeyError):
        text("chat.no_existe")


def test_numbers_have_a_decimal_comma() -> None:
    assert (decimal(0.742), decimal(12.0, 0), decimal(0.8, 2)) == ("0,7", "12", "0,80")
