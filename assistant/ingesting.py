"""What `legajo ingest` does with its arguments, and how it tells what became of each file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

from assistant.project_assistant import ProjectAssistant
from assistant.watching import Removed, watch
from assistant.wording import counted, remarks
from rag_system.errors import InputError, NotFoundError
from rag_system.ingestion.accepting import SameName, count_hidden
from rag_system.ingestion.addresses import is_address
from rag_system.ingestion.report import IngestReport, OnProgress
from rag_system.ingestion.text import clean_line
from rag_system.ingestion.unpacking import AskPassword
from rag_system.outcome import error_fields
from rag_system.storage.publishing import PAGE_NOTES

__all__ = [
    "Passwords",
    "check_sources",
    "copy_documents",
    "follow",
    "hidden_line",
    "remove_documents",
    "report_line",
    "report_row",
    "take_in",
]

_WORDS = {
    "indexed": "incorporado",
    "updated": "actualizado",
    "unchanged": "sin cambios",
    "empty": "sin texto",
    "failed": "no se pudo",
    "removed": "quitado",
    "copied": "copiado",
    "moved": "movido",
}


def take_in(
    assistant: ProjectAssistant,
    sources: Sequence[str],
    *,
    replaces: bool = False,
    password_of: AskPassword | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[IngestReport]:
    """Index files and folders, then web addresses; one report a document."""
    paths = [Path(source) for source in sources if not is_address(source)]
    if paths:
        same_name: SameName = "replace" if replaces else "keep"
        yield from assistant.library.add(paths, same_name=same_name, password_of=password_of, on_progress=on_progress)
    for url in filter(is_address, sources):
        yield from assistant.library.add_url(url, on_progress=on_progress)


class Passwords:
    """The passwords of protected PDF files: known for as long as a command lasts, and written nowhere.

    ask: a person, with a sentence; None where nobody can be asked.
    """

    def __init__(self, *, known: Sequence[str] = (), ask: Callable[[str], str] | None = None) -> None:
        self._known = list(known)
        self._ask = ask
        self._left: list[str] = []
        self._typed = False

    def __call__(self, path: str, tried: bool) -> str:
        """The next one to be tried at a file: those that opened others, then what is typed. Empty: none."""
        if not tried:
            self._left, self._typed = list(self._known), False
        if self._left:
            return self._left.pop(0)
        if self._ask is None:
            return ""
        wrong = "Esa contraseña no lo abre. " if self._typed else ""
        typed = self._ask(f"{wrong}Contraseña de «{clean_line(path)}» (no se muestra; Intro para dejarlo)")
        self._typed = True
        self._known += [typed] if typed else []
        return typed


def check_sources(sources: Sequence[str]) -> None:
    """Raise `InputError` for an empty one, which would stand for the folder where the command was given."""
    if not all(source.strip() for source in sources):
        raise InputError("Una de las rutas está vacía. Indique un archivo, una carpeta o una dirección web.")


def remove_documents(assistant: ProjectAssistant, paths: Sequence[str]) -> Iterator[Removed]:
    """Take documents out by the paths they are listed with, or all that came in an archive by the archive's path.

    All of them are there, or none is taken out.
    """
    ids: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for document in assistant.library.all() if paths else ():
        for path in {document.path, document.container}:
            ids[path].append((document.path, document.document_id))
    if missing := [path for path in paths if not path or path not in ids]:
        raise NotFoundError(
            f"No hay ningún documento con la ruta «{missing[0]}». «legajo documents» lista las rutas como se escriben."
        )
    for its_path, document_id in dict.fromkeys(each for path in paths for each in sorted(ids[path], reverse=True)):
        if assistant.library.remove(document_id):  # it may have gone with the message that it came with
            yield Removed(path=its_path)


def copy_documents(
    assistant: ProjectAssistant, *, copied: Sequence[str], moved: Sequence[str], to: str, replaces: bool
) -> Iterator[IngestReport]:
    """Let another project have documents too, or instead; one report each."""
    if bool(copied or moved) != bool(to) or (replaces and not to):
        raise InputError("Indique qué documentos con --copy o --move, y a qué proyecto con --to.")
    yield from assistant.copier.copy(copied, to=to, replaces=replaces) if copied else ()
    yield from assistant.copier.copy(moved, to=to, moves=True, replaces=replaces) if moved else ()


def hidden_line(sources: Sequence[str]) -> str:
    """What a person should know of folders with hidden files; empty when there are none."""
    hidden = count_hidden([Path(source) for source in sources if not is_address(source)])
    if not hidden:
        return ""
    return (
        f"Archivos y carpetas ocultos que se omiten: {hidden} (su nombre empieza con un punto). Para incorporar uno, "
        "indíquelo por su nombre."
    )


def follow(
    assistant: ProjectAssistant,
    sources: Sequence[str],
    *,
    show: Callable[[IngestReport | Removed], None],
    tell: Callable[[str], None],
) -> None:
    """Index folders and follow their changes until Ctrl-C or SIGTERM, then tell what was done."""
    if any(map(is_address, sources)):
        raise InputError("--watch vigila carpetas, no direcciones web. Incorpórelas sin esa opción.")
    counts: Counter[str] = Counter()
    tell("Se vigilan los cambios; Ctrl-C termina.")
    try:
        for report in watch(assistant, list(map(Path, sources)), stop=Event(), tell=tell):
            counts[report.status] += 1
            show(report)
    except KeyboardInterrupt:
        tell(f"Se dejó de vigilar. {_summary(counts)}")


def _summary(counts: Counter[str]) -> str:
    done = [f"{word}: {counts[status]}" for status, word in _WORDS.items() if counts[status]]
    return f"Archivos: {', '.join(done)}." if done else "No hubo cambios."


def report_row(report: IngestReport | Removed) -> dict[str, Any]:
    """The fields of a line for programs; those about scans and copies only where there is something to say."""
    row = {name: getattr(report, name) for name in ("path", "status", "pages", "chunks", "error")}
    if isinstance(report, IngestReport):
        said = {**{name: list(getattr(report, name)) for name in PAGE_NOTES}, "copy_of": report.copy_of}
        said |= {"beside": report.beside}
        row |= {name: value for name, value in said.items() if value} | error_fields(report)
    return row


def report_line(report: IngestReport | Removed) -> str:
    """The same for a person."""
    counts = ((report.pages, "página"), (report.chunks, "fragmento"))
    known = "; ".join(filter(None, [*(counted(number, noun) for number, noun in counts if number), report.error]))
    if isinstance(report, IngestReport) and not report.error:
        known = ". ".join(filter(None, [known, " ".join(remarks(report))]))  # a remark is a sentence
    return f"{_WORDS[report.status]:<12} {clean_line(report.path)}" + (f"  ({known})" if known else "")
