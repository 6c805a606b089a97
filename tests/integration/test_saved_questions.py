"""Questions that a person keeps: their own, once each, under a name."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from assistant.assistant import Assistant
from assistant.saved_questions import MOST_SAVED
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError, NotFoundError
from rag_system.settings import Settings
from tests.indexing import project_of

QUESTION = "¿Qué plazo hay\npara apelar?"


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


def test_a_question_is_kept_once_renamed_and_removed(assistant: Assistant) -> None:
    kept = project_of(assistant).saved_questions
    kept.save(f"  {QUESTION} ")
    kept.save(QUESTION)
    (saved,) = kept.all()
    assert (saved.name, saved.question) == ("¿Qué plazo hay para apelar?", QUESTION)
    kept.rename(saved.question_id, " Plazo ")
    assert [(each.name, each.question) for each in kept.all()] == [("Plazo", QUESTION)]
    kept.remove(saved.question_id)
    assert kept.all() == []


def test_others_of_the_project_keep_their_own_and_a_person_takes_them_along(assistant: Assistant) -> None:
    project = project_of(assistant)
    project.saved_questions.save(QUESTION)
    assistant.accounts().add("ana", "una contraseña larga")
    project.give_role("ana", "editor")
    of_ana = assistant.as_person("ana").project("general").saved_questions
    assert of_ana.all() == []
    with pytest.raises(NotFoundError):
        of_ana.remove(project.saved_questions.all()[0].question_id)
    of_ana.save("¿Y para reclamar?")
    assert [each.question for each in project.saved_questions.all()] == [QUESTION]
    (taken,) = assistant.accounts().export("ana")["saved_questions"]
    assert taken["question"] == "¿Y para reclamar?"


def test_two_pages_that_keep_it_at_the_same_moment_keep_it_once(assistant: Assistant) -> None:
    kept = project_of(assistant).saved_questions
    with ThreadPoolExecutor(4) as pages:
        list(pages.map(kept.save, [QUESTION] * 8))
    assert len(kept.all()) == 1


def test_there_is_room_for_so_many_and_what_is_kept_may_be_kept_again(assistant: Assistant) -> None:
    kept = project_of(assistant).saved_questions
    for number in range(MOST_SAVED):
        kept.save(f"¿Qué dice el artículo {number}?")
    kept.save("¿Qué dice el artículo 0?")
    with pytest.raises(InputError, match="Ya guarda 200 preguntas"):
        kept.save(QUESTION)
    assert len(kept.all()) == MOST_SAVED


@pytest.mark.parametrize("question", ["", " \n", "x" * 10_001])
def test_what_is_no_question_is_refused(assistant: Assistant, question: str) -> None:
    with pytest.raises(InputError, match="Escriba una pregunta"):
        project_of(assistant).saved_questions.save(question)
