"""What holds for the whole project: what the assistant calls itself and keeps in mind, who answers and how, what is
searched and what is kept back; and the keys that pay for its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import streamlit as st

from assistant.projects import LONGEST_ASSISTANT_NAME, LONGEST_INSTRUCTIONS, LONGEST_QUESTION, MOST_QUESTIONS
from rag_system.generation.providers import offered_providers
from rag_system.search.recipes import RECIPES
from rag_system.settings import AnswerLanguage
from ui.components.appearance import render_appearance
from ui.components.attempt import attempt
from ui.components.keys import known_models, render_keys, render_models, render_reach
from ui.components.provider import provider_name
from ui.components.tokens import render_tokens
from ui.state import open_conversation
from ui.texts import decimal, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assistant.assistant import PersonalAssistant
    from assistant.project_assistant import ProjectAssistant
    from assistant.projects import HiddenFrom, ProjectSettings
    from ui.state import Chat

__all__ = ["render_settings"]


def render_settings(assistant: ProjectAssistant, chat: Chat, person: PersonalAssistant | None = None) -> None:
    """The whole page. A page of its own, for saving runs the page anew: that would end an answer being written."""
    st.title(text("settings.heading"), anchor=False)
    render_appearance()
    st.header(text("settings.project"), anchor=False)
    if assistant.may("change_project"):
        _form(assistant, chat)
    else:
        st.caption(text("settings.read_only"))
    render_keys(assistant)
    if assistant.may("change_project"):
        render_models(assistant)
    render_reach(assistant)
    if person is not None:
        render_tokens(person, assistant.project)


def _form(assistant: ProjectAssistant, chat: Chat) -> None:
    known = assistant.project_settings()
    said = {name: getattr(known, name) if name in known.own else None for name in _OWN}
    if assistant.provider_status().provider == "extractive":
        st.info(text("settings.no_model"), icon=":material/info:")
    with st.form("legajo_settings", border=False):
        chosen = _voice(known)
        with st.expander(text("settings.answers"), icon=":material/edit_note:", key="legajo_answers"):
            chosen |= _answers(assistant, said)
        with st.expander(text("settings.search"), icon=":material/manage_search:", key="legajo_search"):
            chosen |= _search(assistant, said)
        chosen["hide_model"] = _hide_model(assistant, known.hide_model)
        saved = st.form_submit_button(text("settings.save"), type="primary")
    if saved:
        before = {**said, "instructions": known.instructions, "assistant_name": known.assistant_name}
        before |= {"sample_questions": list(known.sample_questions), "hide_model": known.hide_model}
        _save(assistant, chat, {name: value for name, value in chosen.items() if value != before[name]})


_OWN = ("recipe", "provider", "model", "temperature", "top_k", "similarity_floor", "language")


def _voice(known: ProjectSettings) -> dict[str, Any]:
    """What the assistant calls itself and keeps in mind."""
    return {
        "assistant_name": st.text_input(
            text("settings.name"),
            known.assistant_name,
            max_chars=LONGEST_ASSISTANT_NAME,
            help=text("settings.name_help"),
        ),
        "instructions": st.text_area(
            text("settings.instructions"),
            known.instructions,
            max_chars=LONGEST_INSTRUCTIONS,
            height=160,
            help=text("settings.instructions_help"),
        ).strip(),
        "sample_questions": st.text_area(
            text("settings.questions"),
            "\n".join(known.sample_questions),
            max_chars=MOST_QUESTIONS * (LONGEST_QUESTION + 1),
            help=text("settings.questions_help", most=MOST_QUESTIONS),
        )
        .strip()
        .splitlines(),
    }


def _answers(assistant: ProjectAssistant, said: dict[str, Any]) -> dict[str, Any]:
    """Who writes them, and how."""
    general = assistant.settings
    return {
        "provider": _choice(
            "provider", offered_providers(general), said, provider_name, provider_name(general.llm_provider)
        ),
        "model": _model(assistant, said["model"]),
        "temperature": _number("temperature", said, 0.0, 2.0, 0.1, decimal(general.temperature)),
        "language": _choice(
            "language", get_args(AnswerLanguage), said, _language, text("settings.language_of_question")
        ),
    }


def _model(assistant: ProjectAssistant, said: str | None) -> str | None:
    """One that the provider said it offers, or whatever is typed."""
    known = known_models(assistant.settings_in_force().llm_provider) or ()
    options = list(dict.fromkeys((*filter(None, (said,)), *known)))
    chosen = st.selectbox(
        text("settings.model"),
        options,
        index=options.index(said) if said else None,
        accept_new_options=True,
        placeholder=text("settings.model_placeholder"),
        help=text("settings.model_help"),
        key=f"legajo_model_{len(options)}",
    )
    return (chosen or "").strip() or None


def _search(assistant: ProjectAssistant, said: dict[str, Any]) -> dict[str, Any]:
    """Which passages they are made from."""
    general = assistant.settings
    floor = general.similarity_floor
    return {
        "recipe": _choice("recipe", tuple(RECIPES), said, str, general.recipe),
        "top_k": _number("top_k", said, 1, 20, 1, str(general.top_k)),
        "similarity_floor": _number(
            "similarity_floor", said, 0.0, 1.0, 0.01, text("settings.of_recipe") if floor is None else decimal(floor, 2)
        ),
    }


def _choice(
    name: str, options: Sequence[str], said: dict[str, Any], label: Callable[[str], str], otherwise: str
) -> str | None:
    """One of the options, or None: what the program's settings say, which is shown."""
    shown = ("", *options)
    chosen = st.selectbox(
        text(f"settings.{name}"),
        shown,
        index=shown.index(said[name] or "") if (said[name] or "") in shown else 0,
        format_func=lambda each: label(each) if each else text("settings.otherwise", value=otherwise),
        help=text(f"settings.{name}_help"),
    )
    return chosen or None


def _number(
    name: str, said: dict[str, Any], least: float, most: float, step: float, otherwise: str
) -> float | int | None:
    """A number, or None where the field is empty: what the program's settings say, which stands in it in grey."""
    number: float | int | None = st.number_input(
        text(f"settings.{name}"),
        least,
        most,
        said[name],
        step,
        placeholder=text("settings.otherwise", value=otherwise),
        help=text(f"settings.{name}_help"),
    )
    return number


def _language(code: str) -> str:
    return text(f"settings.languages.{code}")


def _hide_model(assistant: ProjectAssistant, said: HiddenFrom | None) -> HiddenFrom | None:
    """What the project says, or None: of a word of its own there must be a way back."""
    otherwise = "hide" if assistant.settings.hide_model else "show"
    shown: dict[HiddenFrom | None, str] = {
        None: text(f"settings.hide_model.settings_{otherwise}"),
        "everybody": text("settings.hide_model.hide"),
        "readers": text("settings.hide_model.readers"),
        "nobody": text("settings.hide_model.show"),
    }
    return st.radio(
        text("settings.hide_model.label"),
        list(shown),
        index=list(shown).index(said),
        format_func=shown.__getitem__,
        help=text("settings.hide_model.help"),
    )


def _save(assistant: ProjectAssistant, chat: Chat, changed: Any) -> None:
    """What is as it was is not set: it may be the settings' and change with them."""

    def change() -> None:
        if changed:
            assistant.change_project(**changed)
        if "hide_model" in changed:
            open_conversation(chat, chat.conversation_id)  # read again: what is on the screen says who answered

    attempt(change, text("settings.saved"))
