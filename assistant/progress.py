"""Progress in a terminal, on standard error; silent when that is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from assistant.wording import reason
from rag_system.ingestion.report import IngestProgress
from rag_system.ingestion.text import clean_line

__all__ = ["Bar", "progress_bar", "status_line"]

_COUNTED = {"embed": "({at.done}/{at.total} fragmentos)", "publish": "(publicando {at.done}/{at.total} fragmentos)"}


class Bar:
    """A bar over the files, told where a run stands."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None, what="")

    def __call__(self, at: IngestProgress) -> None:
        path = clean_line(at.path)
        counted = _COUNTED[at.stage].format(at=at) if at.stage in _COUNTED and at.total else ""
        what = " ".join(filter(None, (path, counted, reason(at.error, at.retry_at))))
        self._progress.update(self._task, total=at.files_total, completed=at.files_done, what=what)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Nothing is drawn meanwhile: a person is asked something."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """A bar over the files, with the chunks of the one at hand."""
    columns = (
        SpinnerColumn(),
        TextColumn("Incorporando"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[what]}", markup=False),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bar(progress)


@contextmanager
def status_line() -> Iterator[Callable[[str], None]]:
    """A sentence about what is being done, replaced by the next one; where there is no terminal, each on its line."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda sentence: console.print(sentence, markup=False, highlight=False, soft_wrap=True)
        return
    with console.status("") as status:
        yield status.update
