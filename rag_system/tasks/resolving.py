"""Which documents a person means: by their norm, their title, their file, or because they are the chosen ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from psycopg import Connection

from rag_system.query.identifiers import (
    bases,
    extract_identifiers,
    identifiers_in_name,
    same_identifier,
    without_identifiers,
)
from rag_system.query.task_objects import DOCUMENT
from rag_system.query.text import fold, query_terms
from rag_system.storage.wholes import (
    WholeDocument,
    first_documents,
    named_by_norms,
    named_by_paths,
    named_by_words,
)
from rag_system.types import Chunk, Task

__all__ = ["Meant", "described", "meant"]

SHARE = 0.75  # of the words of a name that a title must have
HEAD_SHARE = 0.9  # what a word counts that stands only in the opening of the text
TITLE_SHARE = 0.5  # of a title that a mere subject must be, or a name that says another kind of document
AGREEING = 0.85  # of the best passages, those of the one document that a description means
FEWEST_AGREEING = 4
CHOICES = 8  # documents that are told where a name fits several

_HEAD = re.compile(rf"(?:\w+\s+){{0,2}}?({DOCUMENT})\b")
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
# Words that say that it is a document or a norm, and not which.
_GENERIC = frozenset(
    query_terms("documento archivo fichero pdf word excel texto norma normativa estándar edición versión")
)

# What a title need not say of the document that is there: «el nuevo reglamento de becas». An older one is another.
_PRESENT = frozenset(query_terms("nuevo actual vigente último"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """The documents that a task is about; or those among which a person has to choose."""

    documents: tuple[WholeDocument, ...] = ()
    choices: tuple[WholeDocument, ...] = ()
    unknown: str = ""  # the first name that none has
    taken_for: str = ""  # the name, where only its beginning is that of the document
    total: int = 0  # documents of the project, where all are meant


def meant(
    connection: Connection, project: str, task: Task, *, chosen: Sequence[str] = (), cited: Sequence[str] = ()
) -> Meant:
    """The documents of a task.

    chosen: the paths of the only ones that are asked. cited: those of the last answer, which «este documento» may be.
    """
    if task.names:
        return _named(connection, project, task, chosen)
    if chosen:
        return Meant(documents=tuple(named_by_paths(connection, project, chosen)))
    if task.of == "collection" or (task.kind == "list_all" and task.of == "unsaid"):
        documents, total = first_documents(connection, project, limit=10_000)
        return Meant(documents=tuple(documents), total=total)
    if len(last := list(dict.fromkeys(cited))) == 1 or (task.kind == "compare" and len(last) > 1):
        return Meant(documents=tuple(named_by_paths(connection, project, last)))
    documents, total = first_documents(connection, project, limit=CHOICES)
    only = 2 if task.kind == "compare" else 1
    return Meant(documents=tuple(documents)) if total == only else Meant(choices=tuple(documents), total=total)


def _named(connection: Connection, project: str, task: Task, chosen: Sequence[str]) -> Meant:
    """Of the one document of a task the name may end at a comma: «el manual de atención, es para mi jefa»."""
    whole = _called(connection, project, task, chosen)
    name, *more = re.split("[,;?]", task.names[0], maxsplit=1)
    if whole.unknown and more and len(task.names) == 1:
        cut = _called(connection, project, replace(task, names=(name,)), chosen)
        return replace(cut, taken_for=task.names[0]) if cut.documents else whole
    return whole


def _called(connection: Connection, project: str, task: Task, chosen: Sequence[str]) -> Meant:
    found: list[WholeDocument] = []
    for position, name in enumerate(task.names):
        best = _best(connection, project, _in_full(name, task.names[:position]), chosen, certain=task.certain)
        best = [document for document in best if document not in found]
        if not best:
            return Meant(unknown=name)
        if len(best) > 1:
            return Meant(choices=tuple(best[:CHOICES]), total=len(best))
        found += best
    return Meant(documents=tuple(found))


def _in_full(name: str, before: Sequence[str]) -> str:
    """«La 2015», after «la ISO 9001:2008», is another edition of it."""
    norms = extract_identifiers(before[-1]) if before else []
    year = _YEAR.search(name)
    if not (norms and year) or extract_identifiers(name):
        return name
    return f"{norms[0].partition('@')[0].replace(':', ' ')}:{year[1]}"


def _best(
    connection: Connection, project: str, name: str, chosen: Sequence[str], *, certain: bool
) -> list[WholeDocument]:
    """The document of that name; several where it fits several alike, none where it fits none well."""
    wanted = _Name(name)
    known = {each.document_id: each for each in wanted.candidates(connection, project)}
    within = {each.document_id for each in named_by_paths(connection, project, chosen)}
    candidates = [document for document in known.values() if not chosen or document.document_id in within]
    common = wanted.common(known.values())
    fits = partial(wanted.fits, certain=certain, common=common)
    scored = [(score, document) for document in candidates if (score := fits(document))]
    if not scored and len(within) == 1 and wanted.is_bare:  # «el acta», while one document is asked
        return named_by_paths(connection, project, chosen)
    scored.sort(key=lambda pair: (-pair[0], pair[1].path))
    return [document for _, document in next((list(same) for _, same in groupby(scored, lambda p: p[0])), [])]


def described(name: str, passages: Sequence[Chunk]) -> str:
    """The path of the document that a name describes that none is called: nearly all passages found are of it, and hold
    the words of the name. Empty where they do not agree, or its title says that it is of another kind.
    """
    counts = Counter(chunk.path for chunk in passages)
    path, count = counts.most_common(1)[0] if counts else ("", 0)
    said = query_terms(" ".join(f"{each.title} {each.section} {each.text}" for each in passages if each.path == path))
    words = set(query_terms(name)) - _GENERIC
    title = next((each.title for each in passages if each.path == path), "")
    is_clear = count >= max(FEWEST_AGREEING, AGREEING * len(passages)) and not _Name(name).is_of_another_kind(title)
    return path if is_clear and words and len(words & set(said)) >= SHARE * len(words) else ""


class _Name:
    """A name as it was written, compared with titles."""

    def __init__(self, name: str) -> None:
        self._norms = extract_identifiers(name)
        head = _HEAD.match(fold(name))
        self._head = set(query_terms(head[1])) - _GENERIC if head else set[str]()
        self._words = set(query_terms(without_identifiers(name))) - _GENERIC - self._head

    @property
    def is_bare(self) -> bool:
        """Whether it says only what kind of document it is: «el acta»."""
        return not (self._norms or self._words - _PRESENT)

    def is_of_another_kind(self, title: str) -> bool:
        """Whether a title says that its document is another kind than the name says: «Manual …» is no «reglamento»."""
        called = _kind_of(title)
        return bool(called and self._head) and self._head.isdisjoint(called)

    def candidates(self, connection: Connection, project: str) -> list[WholeDocument]:
        called = [base for norm in self._norms for base in bases(norm)]
        by_norm = named_by_norms(connection, project, called) if called else []
        terms = sorted(self._words | self._head)
        return [*by_norm, *(named_by_words(connection, project, terms) if terms else [])]

    def common(self, documents: Iterable[WholeDocument]) -> set[str]:
        """Its words that several of the documents have in their title or their path: such a word chooses none."""
        counts = Counter(word for each in documents for word in self._words & _titled(each))
        return {word for word, count in counts.items() if count > 1}

    def fits(self, document: WholeDocument, *, certain: bool, common: Set[str]) -> float:
        """How well the name fits; 0: not."""
        titled = _titled(document)
        words = self._words - (_PRESENT - titled)
        share = len(words & titled) / len(words) if words else 1.0
        if share < SHARE and not self._norms and (headed_by := set(query_terms(document.opening))):
            share = HEAD_SHARE * len(words & (titled | headed_by)) / len(words)
        headed = bool(self._head) and self._head <= titled
        own = any(same_identifier(norm, each) for norm in self._norms for each in document.identifiers)
        told = any(same_identifier(norm, each) for norm in self._norms for each in document.mentions)
        if self._norms and not (own or (told and headed and share >= SHARE)):
            return 0.0
        if not self._norms and (share < SHARE or (not words and not headed)):
            return 0.0
        named = _terms_of_names(document.title, document.file_name)
        if not headed and words & titled and not words & named:  # its folder is that of others too
            return 0.0
        covered = len((words | self._head) & titled) / max(len(titled), 1)
        title = {
            word for word in query_terms(document.title) if word.isalpha() and len(word) > 1
        } or titled  # no «B.5.»
        called = _kind_of(document.title)
        other = self.is_of_another_kind(document.title)
        if other and not self._norms and called <= words:
            return 0.0  # «el reglamento de la ley del teletrabajo» is not that law
        # «El reglamento interno» is no «Manual interno de atención …» where others are «interno» too.
        is_guess = not certain or (other and not own and len(words) == 1 and words <= common)
        if is_guess and len((words | self._head) & title) < TITLE_SHARE * len(title):
            return 0.0
        by_file = any(same_identifier(n, each) for n in self._norms for each in identifiers_in_name(document.path))
        bare = covered if words else 0.0
        own_weight = 2.0 if headed or not self._head else 0.5  # the regulation of a law is another document
        return round(own_weight * own + 2.0 * share + 1.5 * headed + 0.5 * by_file + bare - 0.5 * other, 6)


def _kind_of(title: str) -> set[str]:
    """What kind of document a title says that it is."""
    called = _HEAD.match(fold(title))
    return set(query_terms(called[1])) if called else set()


def _titled(document: WholeDocument) -> set[str]:
    """The index terms of its title and its path."""
    return _terms_of_names(document.title, document.path)


def _terms_of_names(*names: str) -> set[str]:
    return set(query_terms(" ".join(names).replace("/", " ").replace("_", " ")))
