"""The assistant in memory has the interface of the real one: what the chat may call here, it may call there."""

from __future__ import annotations

import inspect

import pytest

from assistant.concepts import Concepts
from assistant.copying import Copier
from assistant.feedback import Feedback
from assistant.keys import Keys
from assistant.originals import Originals
from assistant.project_assistant import ProjectAssistant
from tests.browser.fake_assistant import FakeAssistant, FakeConcepts, FakeCopier, FakeFeedback, FakeKeys, FakeOriginals

METHODS = [name for name, _ in inspect.getmembers(FakeAssistant, inspect.isfunction) if not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_of_the_fake_is_one_of_the_assistant(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (ProjectAssistant, FakeAssistant))
    assert [real.parameters.get(each) for each in fake.parameters] == list(fake.parameters.values())
    left_out = [each for key, each in real.parameters.items() if key not in fake.parameters]
    assert all(each.default is not inspect.Parameter.empty for each in left_out)
    assert fake.return_annotation == real.return_annotation


CONCEPTS = [name for name, each in vars(FakeConcepts).items() if inspect.isfunction(each) and not name.startswith("_")]


@pytest.mark.parametrize("name", CONCEPTS)
def test_the_concepts_of_the_fake_have_the_real_interface(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (Concepts, FakeConcepts))
    assert fake == real


@pytest.mark.parametrize("name", ["rate", "unrate", "of_conversation"])
def test_the_ratings_of_the_fake_have_the_real_interface(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (Feedback, FakeFeedback))
    assert fake == real


ORIGINALS = [
    name for name, each in vars(FakeOriginals).items() if inspect.isfunction(each) and not name.startswith("_")
]


@pytest.mark.parametrize("name", ORIGINALS)
def test_the_originals_of_the_fake_have_the_real_interface(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (Originals, FakeOriginals))
    assert fake == real


@pytest.mark.parametrize("name", ["copy", "targets"])
def test_the_copier_of_the_fake_has_the_real_interface(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (Copier, FakeCopier))
    assert fake == real


KEYS = [name for name, each in vars(FakeKeys).items() if inspect.isfunction(each) and not name.startswith("_")]


@pytest.mark.parametrize("name", KEYS)
def test_the_keys_of_the_fake_have_the_real_interface(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (Keys, FakeKeys))
    assert fake == real
