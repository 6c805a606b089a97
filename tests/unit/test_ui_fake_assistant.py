"""The assistant in memory has the interface of the real one: what the chat may call here, it may call there."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from assistant.concepts import Concepts
from assistant.conversations import Conversations
from assistant.copying import Copier
from assistant.feedback import Feedback
from assistant.folders import Folders
from assistant.keys import Keys
from assistant.library import Library
from assistant.originals import Originals
from assistant.project_assistant import ProjectAssistant
from assistant.saved_questions import SavedQuestions
from assistant.shelf import Shelf
from assistant.tags import Tags
from tests.browser.fake_assistant import (
    FakeAssistant,
    FakeConcepts,
    FakeCopier,
    FakeFeedback,
    FakeKeys,
    FakeOriginals,
    FakeSavedQuestions,
    FakeTags,
)
from tests.browser.fake_conversations import FakeConversations, FakeFolders
from tests.browser.fake_library import FakeLibrary, FakeShelf

PARTS = {
    FakeConcepts: Concepts,
    FakeConversations: Conversations,
    FakeFeedback: Feedback,
    FakeFolders: Folders,
    FakeOriginals: Originals,
    FakeCopier: Copier,
    FakeKeys: Keys,
    FakeSavedQuestions: SavedQuestions,
    FakeLibrary: Library,
    FakeShelf: Shelf,
    FakeTags: Tags,
}


def methods(kind: type) -> list[str]:
    return [name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")]


@pytest.mark.parametrize("name", methods(FakeAssistant))
def test_a_method_of_the_fake_is_one_of_the_assistant(name: str) -> None:
    real, fake = (inspect.signature(getattr(each, name)) for each in (ProjectAssistant, FakeAssistant))
    assert [real.parameters.get(each) for each in fake.parameters] == list(fake.parameters.values())
    left_out = [each for key, each in real.parameters.items() if key not in fake.parameters]
    assert all(each.default is not inspect.Parameter.empty for each in left_out)
    assert fake.return_annotation == real.return_annotation


@pytest.mark.parametrize(("fake", "name"), [(fake, name) for fake in PARTS for name in methods(fake)])
def test_a_part_of_the_fake_has_the_real_interface(fake: type[Any], name: str) -> None:
    assert inspect.signature(getattr(fake, name)) == inspect.signature(getattr(PARTS[fake], name))
