"""Conversations in memory, as trees of turns, with the interface of `assistant.conversations.Conversations`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import uuid4

from assistant.branches import Parents, branch, newest_leaf, versions
from assistant.conversation_search import ConversationHit
from assistant.conversations import ConversationSummary, NewestMessage
from assistant.view import Turn
from rag_system.query.markup import one_line
from rag_system.query.text import analyze_terms, query_terms

__all__ = ["FakeConversations", "FakeFolders", "Talk"]


@dataclass
class Talk:
    """One conversation."""

    turns: list[Turn] = field(default_factory=list)
    leaf: int | None = None
    title: str = ""
    pinned: bool = False
    archived: bool = False
    folder: str = ""
    deleted: bool = False
    secret: str = ""
    saved_as: str = ""

    @property
    def parents(self) -> Parents:
        return {at: turn.parent for at, turn in enumerate(self.turns)}

    @property
    def shown(self) -> list[Turn]:
        path = [self.turns[at] for at in branch(self.parents, self.leaf)]
        return [replace(turn, versions=versions(self.parents, turn.ordinal or 0)) for turn in path]

    def add(self, turn: Turn, parent: int | None) -> int:
        self.leaf = len(self.turns)
        self.turns.append(replace(turn, ordinal=self.leaf, parent=parent, said_at=datetime.now(UTC)))
        return self.leaf

    def fill(self, place: int, turn: Turn) -> None:
        kept = self.turns[place]
        self.turns[place] = replace(turn, ordinal=place, parent=kept.parent, said_at=kept.said_at)


class FakeFolders:
    """Those of the conversations."""

    def __init__(self, talks: Mapping[str, Talk]) -> None:
        self._talks = talks

    def move(self, conversation: str, folder: str) -> None:
        self._talks[conversation].folder = one_line(folder)

    def rename(self, folder: str, name: str) -> None:
        for talk in self._talks.values():
            talk.folder = name if talk.folder == folder else talk.folder

    def remove(self, folder: str) -> None:
        self.rename(folder, "")


class FakeConversations:
    """Those of an assistant."""

    def __init__(self) -> None:
        self.talks: dict[str, Talk] = {}

    def create(self) -> str:
        conversation = str(uuid4())
        self.talks[conversation] = Talk()
        return conversation

    def recent(
        self, *, limit: int | None = 50, deleted: bool = False, archived: bool = False, filed: bool | None = None
    ) -> list[ConversationSummary]:
        state = (deleted, archived)
        kept = [key for key, talk in self.talks.items() if talk.turns and (talk.deleted, talk.archived) == state]
        listed = [each for each in map(self._summary, reversed(kept)) if filed in (None, bool(each.folder))]
        return sorted(listed, key=lambda each: not each.pinned)[:limit]

    def named(self, beginning: str, *, deleted: bool = False) -> ConversationSummary:  # noqa: ARG002
        return self._summary(beginning)

    def _summary(self, key: str) -> ConversationSummary:
        talk = self.talks[key]
        return ConversationSummary(
            conversation_id=key,
            title=talk.title or talk.turns[0].content[:60],
            updated_at=datetime.now(UTC),
            pinned=talk.pinned,
            archived=talk.archived,
            folder=talk.folder,
            shared=bool(talk.secret),
            saved_as=talk.saved_as,
        )

    def search(self, words: str, *, limit: int = 20) -> list[ConversationHit]:
        hits = [self._hit(each, set(query_terms(words))) for each in self.recent(limit=1_000)]
        return [hit for hit in hits if hit][:limit]

    def _hit(self, summary: ConversationSummary, terms: set[str]) -> ConversationHit | None:
        said = [(turn.ordinal or 0, turn.role, turn.content) for turn in self.talks[summary.conversation_id].turns]
        for ordinal, role, content in [*said[::-1], (-1, "", summary.title)]:
            if terms <= set(analyze_terms(content)):
                return ConversationHit(
                    conversation_id=summary.conversation_id,
                    title=summary.title,
                    updated_at=summary.updated_at,
                    ordinal=ordinal,
                    role=role,
                    excerpt=content if role else "",
                    said_at=summary.updated_at,
                )
        return None

    def unredacted_turns(self, conversation: str) -> list[Turn]:
        talk = self.talks.get(conversation, Talk())
        return [] if talk.deleted else talk.shown

    def newest(self, conversation: str) -> NewestMessage | None:
        said = self.unredacted_turns(conversation)
        return NewestMessage(ordinal=said[-1].ordinal or 0, state=said[-1].state) if said else None

    def choose(self, conversation: str, ordinal: int) -> None:
        talk = self.talks[conversation]
        talk.leaf = newest_leaf(talk.parents, ordinal)

    def rename(self, conversation: str, title: str) -> None:
        self.talks[conversation].title = title

    def pin(self, conversation: str, *, pinned: bool) -> None:
        self.talks[conversation].pinned = pinned

    def archive(self, conversation: str, *, archived: bool) -> None:
        self.talks[conversation].archived = archived

    def delete(self, conversation: str) -> None:
        self.talks[conversation].deleted = True

    def restore(self, conversation: str) -> None:
        self.talks[conversation].deleted = False

    def share(self, conversation: str) -> str:
        self.talks[conversation].secret = f"secreto-{uuid4()}"
        return self.talks[conversation].secret

    def unshare(self, conversation: str) -> None:
        self.talks[conversation].secret = ""
