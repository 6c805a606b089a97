"""The conversation: what was said, what is being answered, and where to ask next."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from assistant.suggestions import INVENTORY
from assistant.view import Turn
from rag_system.errors import LegajoError
from rag_system.generation.provider_redaction import without_provider
from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS
from ui.components.beside import beside, render_beside
from ui.components.box import keep_box_open
from ui.components.branches import edit_question, render_branches
from ui.components.choosing import document_switch
from ui.components.chrome import tell_who_is_away
from ui.components.dictating import put_in_box, recording_of, tell_unheard, write_down
from ui.components.messages import ASSISTANT_AVATAR, UPLOAD_AVATAR, render_question, render_turn
from ui.components.offered_page import address_in, offer_page, take_page
from ui.components.offers import question_button, render_offers
from ui.components.provider import provider_notice
from ui.components.saved import offer_saved, saved_switch
from ui.components.stream import begin_answer, show_answer
from ui.components.upload import UploadResult, accept_uploads, is_over, questions, render_uploads, results_html
from ui.components.writing import Writing, under_way
from ui.markup import plain_label
from ui.serving.keeping_up import keep_up
from ui.state import QUESTION, Asked, Uploaded
from ui.texts import DEFAULT_LANGUAGE, language, text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.elements.widgets.chat import ChatInputValue
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["render_chat"]

_SHOWN_TURNS = 40
_AT_ONCE_MS = 1000.0


def render_chat(assistant: ProjectAssistant, chat: Chat) -> None:
    """The whole page: history, then whatever was just asked or added."""
    adds = assistant.may("library.accept_stream")
    above = st.bottom.container(gap="small")
    with (
        st.bottom,
        st.container(horizontal=True, wrap=False, gap="xsmall", vertical_alignment="center", key="legajo_above_box"),
    ):
        document_switch(assistant, chat)
        saved_switch(assistant, chat)
        stop = st.empty()  # seen only where the box offers none (see the style sheet)
    with st.sidebar:
        keep_box_open()
    put_in_box(chat)
    hears = bool(assistant.settings.transcriber_base_url)
    submitted = st.chat_input(
        text("chat.placeholder"),
        key=QUESTION,
        accept_file="multiple" if adds else False,
        file_type=SUPPORTED_EXTENSIONS,
        accept_audio=hears,
        submit_mode="stop",
    )
    typed, files = _submitted(submitted)
    if submitted or chat.pending:
        chat.unheard = ""
    if recording := recording_of(submitted):
        typed = write_down(assistant, chat, recording, typed=typed, sends=bool(files))
    if adds and not files and address_in(typed):
        chat.page, typed = typed, ""
    asked = Asked(question=typed) if submitted else chat.pending or Asked(question="")
    chat.pending = None
    take_page(chat)
    with above:
        tell_unheard(chat)
        offer_page(assistant, chat)
    welcome = st.empty()  # gone as soon as something is asked, not when its answer is over
    if not (chat.turns or asked.question or files):
        with welcome.container():
            _welcome(assistant, chat, adds=adds)
        return
    writing = _in_step(assistant, chat)
    if writing and asked.question:  # one after the other
        chat.pending, asked = asked, Asked(question="")
    chat.cut(asked)
    keep_up(partial(_lags, assistant, chat))
    render_beside(assistant, chat)
    _history(assistant, chat)
    added = _take_in(assistant, chat, files) if files else ()
    if asked.question:
        _ask(assistant, chat, asked, added, stop)
    elif writing:
        _show(chat, writing, stop)
    if files or asked.question or writing:
        st.rerun()  # one way to show a finished turn, and a fresh list of conversations
    render_offers(assistant, chat)


def _in_step(assistant: ProjectAssistant, chat: Chat) -> Writing | None:
    """Show what is stored, whoever wrote it, and take the answer off the screen that is being written."""
    newest = assistant.conversations.newest(chat.conversation_id) if chat.conversation_id else None
    if chat.conversation_id is None or newest is None:
        return None
    if not chat.shows(newest):
        chat.catch_up(assistant.turns(chat.conversation_id))
    writing = under_way(chat.conversation_id) if newest.state == "writing" else None
    if writing:
        chat.drop_draft()
    return writing


def _lags(assistant: ProjectAssistant, chat: Chat) -> bool:
    """Whether another window, or another program, has gone on with the conversation."""
    newest = assistant.conversations.newest(chat.conversation_id) if chat.conversation_id else None
    return newest is not None and not chat.shows(newest)


def _submitted(submitted: ChatInputValue | str | None) -> tuple[str, list[UploadedFile]]:
    """What was typed, and the files beside it: of who may add none the box gives the words alone."""
    if submitted is None or isinstance(submitted, str):
        return (submitted or "").strip(), []
    return submitted.text.strip(), submitted.files if "files" in submitted else []


def _history(assistant: ProjectAssistant, chat: Chat) -> None:
    first, hides = max(0, len(chat.turns) - _SHOWN_TURNS), assistant.settings_in_force().hide_model
    if first:
        earlier = st.expander(text("chat.earlier"), key="legajo_earlier", on_change="rerun")
        with earlier:
            for position in range(first if earlier.open else 0):  # what is there, also unseen, slows every key down
                _turn(assistant, chat, position, hides=hides)
    reveal, chat.reveal = chat.reveal, False
    for position in range(first, len(chat.turns)):
        _turn(assistant, chat, position, hides=hides, reveal=reveal and position == len(chat.turns) - 1)


def _turn(assistant: ProjectAssistant, chat: Chat, position: int, *, hides: bool, reveal: bool = False) -> None:
    turn = chat.turns[position]
    if isinstance(turn, Uploaded):
        with st.chat_message("assistant", avatar=UPLOAD_AVATAR):
            uploads = render_uploads(assistant, turn.uploads)
            chat.turns[position] = replace(turn, uploads=uploads)
            if questions(uploads) != questions(turn.uploads):
                st.rerun()  # one was answered, which came alone
            if is_over(uploads):
                st.button(
                    text("upload.put_away"),
                    key=f"legajo_put_away_{position}",
                    type="tertiary",
                    on_click=_put_away,
                    args=(chat, chat.turns[position]),
                )
    else:
        if hides:  # maybe only since this was read: another session may have said so
            turn = without_provider(turn, words="content")
        if turn.role == "user" and turn.ordinal is not None and turn.ordinal == chat.editing:
            edit_question(chat, turn)
            return
        render_turn(turn, assistant, key=str(position), reveal=reveal, on_read=partial(_read, chat, turn))
        render_branches(assistant, chat, turn)


def _put_away(chat: Chat, turn: Turn | Uploaded) -> None:
    chat.turns = [each for each in chat.turns if each is not turn]


def _read(chat: Chat, turn: Turn, n: str) -> None:
    chat.beside = beside(turn, n)


def _ask(
    assistant: ProjectAssistant, chat: Chat, asked: Asked, added: tuple[UploadResult, ...], stop: DeltaGenerator
) -> None:
    if asked.again is None:
        chat.turns.append(Turn(role="user", content=asked.question))
        render_question(asked.question)
    try:
        writing = begin_answer(assistant, chat, asked, added=added)
    except LegajoError as error:  # the conversation is gone
        chat.turns.append(Turn(role="assistant", **error.fields))
    else:
        _show(chat, writing, stop)
        chat.late = added if writing.live.files.standing == "late" else ()


def _show(chat: Chat, writing: Writing, stop: DeltaGenerator) -> None:
    stop.button(
        text("chat.stop"), icon=":material/stop_circle:", key="legajo_stop", on_click=_stop, args=(chat, writing)
    )
    with st.chat_message("assistant", avatar=ASSISTANT_AVATAR):
        show_answer(chat, writing)
    stop.empty()
    tell_who_is_away(text("chat.answered"))
    chat.reveal = _came_at_once(chat.said[-1])


def _stop(chat: Chat, writing: Writing) -> None:
    writing.stop()
    chat.turns.append(writing.live.turn)


def _came_at_once(turn: Turn) -> bool:
    """Whether nobody had the time to read along, so that the page should start at the question."""
    metrics = turn.metrics
    return metrics.get("total", 0.0) - metrics.get("ttft", 0.0) < _AT_ONCE_MS and turn.state == "complete"


def _take_in(assistant: ProjectAssistant, chat: Chat, files: list[UploadedFile]) -> tuple[UploadResult, ...]:
    with st.chat_message("assistant", avatar=UPLOAD_AVATAR):
        accepted = accept_uploads(assistant, files)
        st.html(results_html(accepted))
    chat.turns.append(Uploaded(uploads=accepted))
    return accepted


def _welcome(assistant: ProjectAssistant, chat: Chat, *, adds: bool) -> None:
    suggestions = _suggested(assistant, chat)
    kind = _greeting(assistant, chat, adds=adds)
    name = chat.documents[0].rsplit("/", 1)[-1] if chat.documents else ""
    with st.container(key="legajo_welcome"):
        st.title(plain_label(text(f"chat.{kind}", name=name)), anchor=False)
        st.html(f"<p class='legajo-lead'>{text(f'chat.{kind}_help', documents=len(chat.documents))}</p>")
        if kind == "greeting_empty":
            st.html(first_steps_html())
        provider_notice(assistant)
        if suggestions:
            st.html(f"<h2 class='legajo-side-title'>{text('chat.suggestions')}</h2>")
        for position, suggestion in enumerate(suggestions):
            question_button(chat, suggestion, suggestion, icon="arrow_forward", key=f"suggestion-{position}")
        offer_saved(assistant, chat)


def _suggested(assistant: ProjectAssistant, chat: Chat) -> list[str]:
    """In the language of who looks; the list of the documents can be asked for in Spanish alone."""
    offered = assistant.suggestions(documents=chat.documents)
    return [translated(each) for each in offered if each != INVENTORY or language() == DEFAULT_LANGUAGE]


def first_steps_html() -> str:
    """What there is to be done in an empty project, a card each: they are gone with the first document."""
    names = ("add", "ask", "open")
    cards = (
        f"<li><strong>{escape(text(f'chat.first.{name}'))}</strong>{escape(text(f'chat.first.{name}_help'))}</li>"
        for name in names
    )
    return f"<ol class='legajo-first'>{''.join(cards)}</ol>"


def _greeting(assistant: ProjectAssistant, chat: Chat, *, adds: bool) -> str:
    if chat.documents:
        return "greeting_one" if len(chat.documents) == 1 else "greeting_some"
    if assistant.library.count():
        return "greeting"
    return "greeting_empty" if adds else "greeting_waiting"
