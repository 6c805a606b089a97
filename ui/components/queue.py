"""Files on their way to be documents: how far each is, what went wrong, and what can be done about it.

Whatever looks at the queue by itself is a fragment: it runs beside the page and can never end an answer that is being
written. One that has nothing left to look at asks for one run of the whole page, which shows what is new and looks no
more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import streamlit as st

from assistant.wording import duration, reason
from rag_system.errors import LegajoError
from ui.components.chrome import tell_who_is_away
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import IngestionSummary

__all__ = ["Queue", "announce", "look", "queue_line", "queue_panel", "standing", "watched"]

_EVERY_S = 1.0
_PATIENCE_S = 8.0  # a worker that starts, or starts again, is not missed
_LONG_S = 20.0  # an upload that nobody waits for with the eyes on it
_SHOWN = 8
_STATE = "legajo_queue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What a look saw."""

    under_way: tuple[IngestionSummary, ...] = ()  # those that are worked on first
    failed: tuple[IngestionSummary, ...] = ()
    unattended: bool = False  # nobody works on it, and that for a while


@dataclass(slots=True)
class _Followed:
    """What this session has seen of the queue since it last said something about it."""

    waiting: set[str] = field(default_factory=set)  # ids
    since: float = 0.0  # of the monotonic clock: something waits
    ready: int = 0
    failed: int = 0
    unattended_since: float | None = None  # of the monotonic clock


def look(assistant: ProjectAssistant) -> Queue:
    """The queue as it stands. What left it since the last look is counted, to be announced when nothing is left.

    A run of the whole page looks before it reads the documents: what ends after this look asks for another run.
    """
    followed: _Followed = st.session_state.setdefault(_STATE, _Followed())
    listed = assistant.library.ingestions()
    under_way = sorted((each for each in listed if each.status != "failed"), key=lambda each: each.status != "working")
    now = {each.ingestion_id for each in under_way}
    if now and not followed.waiting:
        followed.since = time.monotonic()
    for ingestion_id in followed.waiting - now:
        report = assistant.library.ingestion(ingestion_id)  # None: it was cancelled
        followed.ready += report is not None and report.status != "failed"
        followed.failed += report is not None and report.status == "failed"
    followed.waiting = now
    return Queue(
        under_way=tuple(under_way),
        failed=tuple(each for each in listed if each.status == "failed"),
        unattended=bool(under_way) and _unattended(assistant, followed),
    )


def _unattended(assistant: ProjectAssistant, followed: _Followed) -> bool:
    if assistant.library.worker_is_alive():
        followed.unattended_since = None
        return False
    if followed.unattended_since is None:
        followed.unattended_since = time.monotonic()
    return time.monotonic() - followed.unattended_since > _PATIENCE_S


def announce(*, elsewhere: bool) -> None:
    """Say once how the files ended that were under way at the look before.

    What took long is told until it is closed to who is `elsewhere` than in the library, maybe at another window.
    """
    followed: _Followed = st.session_state[_STATE]
    if followed.waiting or not (followed.ready or followed.failed):
        return
    took_long = time.monotonic() - followed.since > _LONG_S
    stays: Literal["short", "infinite"] = "infinite" if elsewhere and took_long else "short"
    for outcome, count, icon in (("ready", followed.ready, "check_circle"), ("failed", followed.failed, "error")):
        if count:
            told = text(f"queue.{outcome}", count=count)
            st.toast(told, icon=f":material/{icon}:", duration=stays)
            tell_who_is_away(told)
    followed.ready = followed.failed = 0


def _any(queue: Queue) -> bool:
    return bool(queue.under_way)


def watched(
    show: Callable[[Queue], None], assistant: ProjectAssistant, seen: Queue, *, active: Callable[[Queue], bool] = _any
) -> None:
    """Show the queue as it was just seen, and again every second for as long as it is `active`."""
    was_active, fresh = active(seen), [seen]

    def look_and_show() -> None:
        if fresh:  # in a run of the whole page, which must not be asked for again: it may bring a question
            show(fresh.pop())
            return
        try:
            queue = look(assistant)
        except LegajoError as error:
            st.caption(plain_label(translated(str(error))))
            return
        if active(queue) is not was_active:
            st.rerun()
        show(queue)

    with st.container():  # of its own: a last look that comes late takes nothing away that stands beside it
        st.fragment(look_and_show, run_every=_EVERY_S if was_active else None)()


# ---------------------------------------------------------------- in a line


def queue_line(assistant: ProjectAssistant, queue: Queue) -> None:
    """A discreet word beside the conversation while something is under way."""
    if queue.under_way:
        watched(_line, assistant, queue)


def _line(queue: Queue) -> None:
    words = [text("queue.line", count=len(queue.under_way))]
    known = [each.remaining_s for each in queue.under_way if each.remaining_s is not None]
    if len(known) == len(queue.under_way) and not queue.unattended:
        words.append(translated(duration(max(known))))
    st.caption(f":material/progress_activity: {' · '.join(words)}")
    if queue.unattended:
        st.warning(text("queue.unattended"))


# ---------------------------------------------------------------- in full


def queue_panel(assistant: ProjectAssistant, queue: Queue) -> None:
    """Every file that is not a document yet."""
    if queue.under_way or queue.failed:
        watched(lambda seen: _panel(assistant, seen), assistant, queue)


def _panel(assistant: ProjectAssistant, queue: Queue) -> None:
    if not (queue.under_way or queue.failed):
        return
    with st.container(border=True, key="legajo_queue_panel", gap="small"):
        if queue.under_way:
            _title(text("queue.heading"))
        if queue.unattended:
            st.warning(text("queue.unattended"), icon=":material/pause_circle:")
        for each in queue.under_way[:_SHOWN]:
            _working(assistant, each)
        _rest(queue.under_way)
        if queue.failed:
            _title(text("queue.heading_failed"))
            _all_of_them(assistant, queue.failed)
        for each in queue.failed[:_SHOWN]:
            _failed(assistant, each)
        _rest(queue.failed)


def _title(words: str) -> None:
    st.html(f"<p class='legajo-small-title'>{words}</p>")


def _rest(files: Sequence[IngestionSummary]) -> None:
    if len(files) > _SHOWN:
        st.caption(text("queue.more", count=len(files) - _SHOWN))


def _working(assistant: ProjectAssistant, file: IngestionSummary) -> None:
    key, cancel = file.ingestion_id, assistant.library.cancel
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        with st.container(gap=None):
            st.markdown(f"**{plain_label(_name(file))}**")
            if file.total:
                st.progress(min(file.done / file.total, 1.0))
            st.caption(standing(file))
        st.button(text("queue.cancel"), key=f"cancel-{key}", type="tertiary", on_click=_do, args=(cancel, key))


def _failed(assistant: ProjectAssistant, file: IngestionSummary) -> None:
    key, retry, discard = file.ingestion_id, assistant.library.retry, assistant.library.cancel
    with st.container(horizontal=True, vertical_alignment="center", key=f"failed-{key}"):
        with st.container(gap=None):
            st.markdown(f":material/error: **{plain_label(_name(file))}**")
            st.caption(plain_label(translated(file.error)))
        with st.container(horizontal=True, width="content", gap="small"):
            if file.can_help:
                st.button(text("queue.retry"), key=f"retry-{key}", on_click=_do, args=(retry, key))
            st.button(text("queue.discard"), key=f"discard-{key}", type="tertiary", on_click=_do, args=(discard, key))


def _all_of_them(assistant: ProjectAssistant, failed: Sequence[IngestionSummary]) -> None:
    """What is done to several at once, those that are not shown included."""
    if len(failed) < 2:
        return
    retry, discard = assistant.library.retry, assistant.library.cancel
    again = [each.ingestion_id for each in failed if each.can_help]
    with st.container(horizontal=True, gap="small"):
        if len(again) > 1:
            st.button(text("queue.retry_all"), key="retry-all", on_click=_do, args=(retry, *again))
        every = [each.ingestion_id for each in failed]
        st.button(text("queue.discard_all"), key="discard-all", type="tertiary", on_click=_do, args=(discard, *every))


def _do(action: Callable[[str], object], *ingestion_ids: str) -> None:
    """What a button asks for: done before its fragment is shown again."""
    try:
        for each in ingestion_ids:
            action(each)
    except LegajoError as error:
        st.toast(plain_label(translated(str(error))), icon=":material/error:")


def _name(file: IngestionSummary) -> str:
    return file.path.rsplit("/", 1)[-1]


def standing(file: IngestionSummary) -> str:
    """«calculando · 128 de 400 pasajes · unos 2 min»"""
    stage = file.stage if file.status == "working" and file.stage else file.status
    counted = text("queue.counted", done=file.done, total=file.total) if file.total else ""
    remaining = translated(duration(file.remaining_s)) if file.remaining_s is not None else ""
    waits = plain_label(translated(reason(file.error, file.retry_at))) if file.status == "queued" else ""
    return " · ".join(filter(None, (text(f"queue.stage.{stage}"), counted, remaining, waits)))
