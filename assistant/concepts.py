"""A project's tree of concepts: read and written as TOML, changed concept by concept, shown with what is about each."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.wording import counted
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import InputError
from rag_system.ingestion.tagging import set_concepts
from rag_system.search.scope import find_concept
from rag_system.storage.concepts import NamedConcept, concept_counts, concept_names, documents_about
from rag_system.storage.connection import Database
from rag_system.types import Concept

__all__ = [
    "ConceptSummary",
    "Concepts",
    "parse_tree",
    "put_concept",
    "read_tree",
    "show_tree",
    "take_concept",
    "write_tree",
]

_TABLE = "conceptos"
_KEYS = {"nombre", "padre", "alias"}
_LINE = re.compile(r"at line (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptSummary:
    """A concept as a person sees it; the counts include what is about those below it."""

    name: str
    parent: str
    aliases: tuple[str, ...]
    depth: int  # 0 at the top
    documents: int
    chunks: int


class Concepts:
    """The tree of a project."""

    def __init__(self, *, database: Database, embeddings: Callable[[], EmbeddingModel], project: str) -> None:
        self._database = database
        self._project = project
        self._embeddings = embeddings

    def tree(self) -> list[Concept]:
        """As it was written."""
        with self._database.connection() as connection:
            return _concepts(concept_names(connection, self._project))

    def overview(self) -> list[ConceptSummary]:
        """Each concept before those below it, with its documents and chunks."""
        with self._database.connection() as connection:
            tree = concept_names(connection, self._project)
            counts = concept_counts(connection, self._project) if tree else {}
        return list(_summaries(tree, counts))

    def replace(self, concepts: Sequence[Concept]) -> None:
        """Put a tree in the place of the project's and tag all its chunks anew: a few seconds for 20,000.

        A tree with errors raises `InputError`, a line an error, and changes nothing.
        """
        set_concepts(self._database, self._project, concepts, embeddings=self._embeddings)

    def documents(self, name: str) -> dict[str, int]:
        """The documents about a concept or one below it, by id, with how many of their chunks are.

        An unknown name raises `InputError` with near ones.
        """
        with self._database.connection() as connection:
            tree = concept_names(connection, self._project)
            return documents_about(connection, self._project, find_concept(tree, name).concept_id)

    def must_exist(self, name: str) -> None:
        """Raise `InputError`, with near names, for a concept that the project does not have."""
        with self._database.connection() as connection:
            find_concept(concept_names(connection, self._project), name)


def _concepts(tree: Sequence[NamedConcept]) -> list[Concept]:
    names = {each.concept_id: each.name for each in tree}
    return [
        Concept(
            name=each.name,
            parent="" if each.parent_id is None else names[each.parent_id],
            aliases=tuple(each.aliases),
        )
        for each in tree
    ]


def _summaries(tree: Sequence[NamedConcept], counts: dict[int, tuple[int, int]]) -> Iterator[ConceptSummary]:
    places = {each.concept_id: place for place, each in enumerate(tree)}
    children: dict[int | None, list[NamedConcept]] = {}
    for each in tree:
        children.setdefault(each.parent_id, []).append(each)
    written = _concepts(tree)
    waiting = [(each, 0) for each in reversed(children.get(None, []))]
    while waiting:
        each, depth = waiting.pop()
        chunks, documents = counts.get(each.concept_id, (0, 0))
        concept = written[places[each.concept_id]]
        yield ConceptSummary(
            name=concept.name,
            parent=concept.parent,
            aliases=concept.aliases,
            depth=depth,
            documents=documents,
            chunks=chunks,
        )
        waiting += [(child, depth + 1) for child in reversed(children.get(each.concept_id, []))]


# ---------------------------------------------------------------- concept by concept


def put_concept(tree: Sequence[Concept], concept: Concept, *, instead_of: str = "") -> list[Concept]:
    """The tree with a concept in the place of another, whose children follow it; at the end when that is not there."""
    if instead_of not in [each.name for each in tree]:
        return [*tree, concept]
    moved = [replace(each, parent=concept.name) if each.parent == instead_of else each for each in tree]
    return [concept if each.name == instead_of else each for each in moved]


def take_concept(tree: Sequence[Concept], name: str) -> list[Concept]:
    """The tree without a concept; its children go to its parent."""
    parent = next((each.parent for each in tree if each.name == name), "")
    moved = [replace(each, parent=parent) if each.parent == name else each for each in tree]
    return [each for each in moved if each.name != name]


# ---------------------------------------------------------------- as text


def read_tree(path: Path) -> list[Concept]:
    """The tree that a file holds; one that cannot be read raises `InputError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise InputError(f"No se pudo leer «{path}». Indique un archivo de texto UTF-8 que exista.") from None
    return parse_tree(text)


def parse_tree(text: str) -> list[Concept]:
    """The concepts of a TOML text; one that is none, or holds anything else, raises `InputError`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        where = f" en la línea {line[1]}" if line else ""
        raise InputError(f"El texto no es TOML válido{where}: revise las comillas y los corchetes.") from None
    entries = table.pop(_TABLE, [])
    if table or not isinstance(entries, list):
        raise InputError(f"Cada concepto debe empezar con una línea «[[{_TABLE}]]», y no puede haber nada más.")
    return [_parse(number, entry) for number, entry in enumerate(entries, 1)]


def _parse(number: int, entry: object) -> Concept:
    if not isinstance(entry, dict) or not isinstance(entry.get("nombre"), str):
        raise InputError(f'El concepto {number} no tiene nombre: escriba nombre = "…" debajo de «[[{_TABLE}]]».')
    name, parent, aliases = entry["nombre"], entry.get("padre", ""), entry.get("alias", [])
    if unknown := sorted(entry.keys() - _KEYS):
        raise InputError(f"«{name}» tiene «{unknown[0]}», que no se conoce. Use nombre, padre y alias.")
    if not isinstance(parent, str):
        raise InputError(f"El padre de «{name}» debe ser un nombre entre comillas.")
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise InputError(f'Los alias de «{name}» deben ser una lista: alias = ["uno", "otro"].')
    return Concept(name=name, parent=parent, aliases=tuple(aliases))


def write_tree(concepts: Sequence[Concept]) -> str:
    """A tree as TOML, as `parse_tree` reads it."""
    return "\n".join(_written(concept) for concept in concepts)


def _written(concept: Concept) -> str:
    lines = [f"[[{_TABLE}]]", f"nombre = {_quoted(concept.name)}"]
    lines += [f"padre = {_quoted(concept.parent)}"] if concept.parent else []
    lines += [f"alias = [{', '.join(map(_quoted, concept.aliases))}]"] if concept.aliases else []
    return "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # the strings of JSON are strings of TOML


def show_tree(summaries: Sequence[ConceptSummary]) -> str:
    """For a person: a line a concept, those below it indented."""
    if not summaries:
        return "El proyecto no tiene conceptos. Agréguelos con «legajo concepts --file ARCHIVO»."
    return "\n".join(map(_line, summaries))


def _line(summary: ConceptSummary) -> str:
    aliases = f" ({', '.join(summary.aliases)})" if summary.aliases else ""
    counts = f"{counted(summary.documents, 'documento')}, {counted(summary.chunks, 'fragmento')}"
    return f"{'  ' * summary.depth}{summary.name}{aliases}: {counts}"
