"""The tokens by which other programs ask in one's name: which there are, one more, one less. A secret is shown once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.tokens import SCOPES
from ui.components.attempt import attempt
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.assistant import PersonalAssistant
    from assistant.tokens import Token, TokenScope

__all__ = ["render_tokens"]

_NEW = "legajo_token"  # the secret that was made last, until it is put away
_DAYS = (30, 90, 365)
_USUAL: tuple[TokenScope, ...] = ("search", "ask")


def render_tokens(person: PersonalAssistant, project: str) -> None:
    """A part of the settings."""
    st.header(text("tokens.heading"), anchor=False)
    st.caption(text("tokens.help"))
    if secret := st.session_state.get(_NEW):
        st.success(text("tokens.once"), icon=":material/key:")
        st.code(secret, language=None, wrap_lines=True)
        if st.button(text("tokens.kept"), key="legajo_token_kept"):
            del st.session_state[_NEW]
            st.rerun()
    for token in person.tokens.all():
        _row(person, token)
    _form(person, project)


def _row(person: PersonalAssistant, token: Token) -> None:
    uses = ", ".join(text(f"tokens.scope.{each}") for each in token.scopes)
    where = token.project or text("tokens.everywhere")
    until = text("tokens.until", date=f"{token.expires_at.astimezone():%d/%m/%Y}")
    used = f"{token.last_used_at.astimezone():%d/%m/%Y %H:%M}" if token.last_used_at else ""
    with st.container(border=True, gap="small", key=f"legajo_token_{token.token_id}"):
        st.write(plain_label(token.name))
        said = (uses, where, until, text("tokens.used", date=used) if used else text("tokens.unused"))
        st.caption(plain_label(" · ".join(said)))
        if st.button(
            text("tokens.withdraw"), key=f"legajo_withdraw_{token.token_id}", help=token.name, type="tertiary"
        ):
            attempt(lambda: person.tokens.withdraw(token.token_id), text("tokens.withdrawn", name=token.name))


def _form(person: PersonalAssistant, project: str) -> None:
    with st.form("legajo_tokens", clear_on_submit=True, border=False):
        name = st.text_input(text("tokens.name"), help=text("tokens.name_help"))
        scopes = st.pills(
            text("tokens.scopes"),
            SCOPES,
            selection_mode="multi",
            default=list(_USUAL),
            format_func=lambda each: text(f"tokens.scope.{each}"),
        )
        days = st.radio(
            text("tokens.days"),
            _DAYS,
            index=1,
            horizontal=True,
            format_func=lambda each: text("tokens.so_many", days=each),
        )
        alone = st.checkbox(text("tokens.only", project=plain_label(project)), value=True)
        added = st.form_submit_button(text("tokens.add"))
    if not added:
        return

    def add() -> None:
        made, _ = person.tokens.add(name, scopes=scopes, days=days, project=project if alone else None)
        st.session_state[_NEW] = made

    attempt(add)
