"""Conversations in memory, as trees of turns, with the interface of `ProjectAssistant`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import uuid4

from assistant.branches import Parents, branch, newest_leaf, versions
from assistant.conversation_search import ConversationHit
from assistant.conversations import ConversationSummary, NewestMessage
from assistant.exporting import Format, conversation_path, exported, packed
from assistant.sharing import SharedConversation
from assistant.view import Turn
from rag_system.errors import NotFoundError
from rag_system.ingestion.report import IngestReport
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
        self._talks: dict[str, Talk] = {}
        self.folders = FakeFolders(self._talks)

    def new_conversation(self) -> str:
        conversation_id = str(uuid4())
        self._talks[conversation_id] = Talk()
        return conversation_id

    def conversations(
        self, *, limit: int = 50, deleted: bool = False, archived: bool = False, filed: bool | None = None
    ) -> list[ConversationSummary]:
        state = (deleted, archived)
        kept = [key for key, talk in self._talks.items() if talk.turns and (talk.deleted, talk.archived) == state]
        listed = [each for each in map(self._summary, reversed(kept)) if filed in (None, bool(each.folder))]
        return sorted(listed, key=lambda each: not each.pinned)[:limit]

    def _summary(self, key: str) -> ConversationSummary:
        talk = self._talks[key]
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

    def search_conversations(self, words: str, *, limit: int = 20) -> list[ConversationHit]:
        hits = [self._hit(each, set(query_terms(words))) for each in self.conversations(limit=1_000)]
        return [hit for hit in hits if hit][:limit]

    def _hit(self, summary: ConversationSummary, terms: set[str]) -> ConversationHit | None:
        said = [(turn.ordinal or 0, turn.role, turn.content) for turn in self._talks[summary.conversation_id].turns]
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

    def turns(self, conversation_id: str) -> list[Turn]:
        talk = self._talks.get(conversation_id, Talk())
        return [] if talk.deleted else talk.shown

    def newest_message(self, conversation_id: str) -> NewestMessage | None:
        said = self.turns(conversation_id)
        return NewestMessage(ordinal=said[-1].ordinal or 0, state=said[-1].state) if said else None

    def choose_version(self, conversation_id: str, ordinal: int) -> None:
        talk = self._talks[conversation_id]
        talk.leaf = newest_leaf(talk.parents, ordinal)

    def rename_conversation(self, conversation_id: str, title: str) -> None:
        self._talks[conversation_id].title = title

    def pin_conversation(self, conversation_id: str, *, pinned: bool) -> None:
        self._talks[conversation_id].pinned = pinned

    def archive_conversation(self, conversation_id: str, *, archived: bool) -> None:
        self._talks[conversation_id].archived = archived

    def delete_conversation(self, conversation_id: str) -> None:
        self._talks[conversation_id].deleted = True

    def restore_conversation(self, conversation_id: str) -> None:
        self._talks[conversation_id].deleted = False

    def share_conversation(self, conversation_id: str) -> str:
        self._talks[conversation_id].secret = f"secreto-{uuid4()}"
        return self._talks[conversation_id].secret

    def unshare_conversation(self, conversation_id: str) -> None:
        self._talks[conversation_id].secret = ""

    def shared_conversation(self, secret: str) -> SharedConversation:
        for key, talk in self._talks.items():
            if secret and talk.secret == secret and not talk.deleted:
                return SharedConversation(title=self._summary(key).title, turns=tuple(talk.shown))
        raise NotFoundError("Ese enlace no muestra ninguna conversación, o ya no.")

    def export_conversation(self, conversation_id: str, *, format: Format) -> bytes:
        return exported(self.turns(conversation_id), title=self._summary(conversation_id).title, format=format)

    def export_conversations(self, *, format: Format) -> bytes:
        listed = (*self.conversations(limit=1_000), *self.conversations(limit=1_000, archived=True))
        files = (
            (conversation_path(each), self.export_conversation(each.conversation_id, format=format)) for each in listed
        )
        return packed(files, format=format)

    def save_conversation(self, conversation_id: str) -> Mapping[str, str] | IngestReport:
        path = f"conversaciones/{self._summary(conversation_id).title}.md"
        again, self._talks[conversation_id].saved_as = self._talks[conversation_id].saved_as == path, path
        return IngestReport(path=path, status="unchanged") if again else {str(uuid4()): path}
