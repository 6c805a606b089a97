"""Where people enter and leave, choose a password, and where administrators keep accounts: forms that need no script.

A form is only taken from a page of ours (the door looks at where it says it comes from), and must say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import TYPE_CHECKING, cast, get_args
from urllib.parse import parse_qsl, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp

from assistant.accounts import Account, Accounts, Role
from assistant.assistant import Assistant
from rag_system.errors import AccessError, ForbiddenError, InputError, LegajoError, SessionEndedError
from rag_system.settings import Settings
from rag_system.storage.audit import AuditEntry
from ui.serving.gate import ENTRANCE, Gate
from ui.serving.pages import button, field, form, link, page, paragraph, told
from ui.texts import text

if TYPE_CHECKING:
    from assistant.identity_provider import IdentityProvider

__all__ = ["Entrance", "gated"]

_EXIT, _INVITATION, _PASSWORD, _PEOPLE = "/salir", "/invitacion", "/contrasena", "/personas"
_CALLBACK = f"{ENTRANCE}/vuelta"  # where a provider sends people back to
_DONE_SHOWN = 50
_LONGEST_FORM = 10_000  # bytes
_COOKIE_S = 14 * 24 * 3600  # as long as a session can last

Typed = Mapping[str, str]


class Entrance:
    """The pages, as an ASGI application. `provider`: people enter by it, and with no password of ours."""

    def __init__(self, *, assistant: Assistant, cookie: str, provider: IdentityProvider | None) -> None:
        self._assistant = assistant
        self._cookie = cookie
        self._by_password = provider is None
        self._pages: dict[str, tuple[Callable[[Request], Response], Callable[[Request, Typed], Response]]] = {
            _EXIT: (self._show_exit, self._leave),
            _PEOPLE: (self._show_people, self._change_people),
        }
        if provider is None:
            self._pages[ENTRANCE] = (self._show_entrance, self._enter)
            self._pages[_INVITATION] = (self._show_invitation, self._accept)
            self._pages[_PASSWORD] = (self._show_password, self._change_password)
        else:
            self._pages[ENTRANCE] = (_show_button, partial(self._go, provider))
            self._pages[_CALLBACK] = (partial(self._come_back, provider), _take_nothing)

    @property
    def paths(self) -> frozenset[str]:
        """Where its pages are."""
        return frozenset(self._pages)

    def app(self) -> ASGIApp:
        """To be served."""
        return Router([Route(path, partial(self._answer, path), methods=["GET", "POST"]) for path in self._pages])

    async def _answer(self, path: str, request: Request) -> Response:
        show, take = self._pages[path]
        try:
            if request.method == "POST":
                return await run_in_threadpool(take, request, await _typed(request))
            return await run_in_threadpool(show, request)
        except SessionEndedError:
            return RedirectResponse(ENTRANCE, 303)
        except ForbiddenError as error:
            return page(text("people.title"), told(error), link("/", text("door.again")), status=403)
        except LegajoError as error:
            again = f"{path}?{request.url.query}" if request.url.query else path
            again = ENTRANCE if path == _CALLBACK else again  # what a provider said serves once
            status = 403 if isinstance(error, AccessError) else 400 if isinstance(error, InputError) else 503
            return page(text("people.refused"), told(error), link(again, text("people.again")), status=status)

    # ------------------------------------------------------------ in and out

    def _show_entrance(self, _request: Request) -> Response:
        return page(
            text("people.enter"),
            form(ENTRANCE, field("name", complete="username", first=True),
                 field("password", "password", "current-password"), button("people.enter")),
            paragraph(text("people.enter_help")),
        )  # fmt: skip

    def _enter(self, request: Request, typed: Typed) -> Response:
        accounts = self._assistant.accounts()
        secret = accounts.sign_in(typed.get("name", ""), typed.get("password", ""), address=_address(request))
        return self._let_in(request, secret)

    def _let_in(self, request: Request, secret: str) -> Response:
        answer = RedirectResponse("/", 303)
        self.remember(request, answer, secret)
        return answer

    def remember(self, request: Request, answer: Response, secret: str) -> None:
        """Let the browser keep a session."""
        answer.set_cookie(
            self._cookie, secret, max_age=_COOKIE_S, httponly=True, samesite="strict", secure=_is_encrypted(request)
        )

    def _show_exit(self, request: Request) -> Response:
        who = self._assistant.as_session(self._secret(request)).person
        body = form(_EXIT, button("people.leave"))
        return page(text("people.leave"), paragraph(text("people.leave_help", who=who)), body, _back())

    def _leave(self, request: Request, _typed: Typed) -> Response:
        self._assistant.accounts().end_session(self._secret(request))
        answer = RedirectResponse(ENTRANCE, 303, {"Clear-Site-Data": '"cache", "storage"'})
        answer.delete_cookie(self._cookie)
        return answer

    def _secret(self, request: Request) -> str:
        return request.cookies.get(self._cookie, "")

    # ------------------------------------------------------------ by a provider

    def _go(self, provider: IdentityProvider, request: Request, _typed: Typed) -> Response:
        """On to the provider, by a page: the policy of forms holds for where a form is led on to as well."""
        url, sealed = provider.begin(_callback(request))
        answer = page(text("people.enter"), link(url, text("people.enter_provider")), onwards=url)
        answer.set_cookie(
            self._sign_in, sealed, max_age=provider.LIFE_S, path=_CALLBACK, httponly=True, samesite="lax",
            secure=_is_encrypted(request),
        )  # fmt: skip
        return answer

    def _come_back(self, provider: IdentityProvider, request: Request) -> Response:
        """On to the chat, by a page: to a redirect from elsewhere a browser sends no strict cookie."""
        sealed = request.cookies.get(self._sign_in, "")
        known = provider.finish(request.query_params, sealed=sealed, back=_callback(request))
        secret = self._assistant.accounts().sign_in_identity(
            issuer=known.issuer, subject=known.subject, email=known.email
        )
        answer = page(text("door.welcome.title"), paragraph(text("door.welcome.words")), _back(), onwards="/")
        answer.delete_cookie(self._sign_in, path=_CALLBACK)
        self.remember(request, answer, secret)
        return answer

    @property
    def _sign_in(self) -> str:
        """The cookie of a sign-in that is under way."""
        return f"{self._cookie}-entrada"

    # ------------------------------------------------------------ passwords

    def _show_invitation(self, request: Request) -> Response:
        secret = request.query_params.get("clave", "")
        who = self._assistant.accounts().invited(secret)
        body = form(_invitation_place(secret), *_new_password_fields(), button("people.choose"))
        return page(text("people.choose"), paragraph(text("people.choose_help", who=who)), body)

    def _accept(self, request: Request, typed: Typed) -> Response:
        secret = request.query_params.get("clave", "")
        return self._let_in(request, self._assistant.accounts().accept(secret, _new_password(typed)))

    def _show_password(self, request: Request) -> Response:
        who = self._assistant.as_session(self._secret(request)).person
        old = field("old", "password", "current-password")
        body = form(_PASSWORD, old, *_new_password_fields(), button("people.choose"))
        return page(text("people.choose"), paragraph(text("people.choose_help", who=who)), body, _back())

    def _change_password(self, request: Request, typed: Typed) -> Response:
        secret = self._secret(request)
        who = self._assistant.as_session(secret).person
        self._assistant.accounts().change_password(
            who, typed.get("old", ""), _new_password(typed), but=secret, address=_address(request)
        )
        return page(text("people.changed"), paragraph(text("people.changed_help")), _back())

    # ------------------------------------------------------------ administration

    def _administration(self, request: Request) -> Accounts:
        return self._assistant.as_session(self._secret(request)).administration()

    def _show_people(self, request: Request) -> Response:
        accounts = self._administration(request)
        sections = [self._person(account) for account in accounts.people()]
        invite = form(_PEOPLE, field("name"), _administers(), button("people.invite"), do="invite")
        done = "".join(paragraph(_line(entry)) for entry in accounts.audit(limit=_DONE_SHOWN))
        audit = f"<details><summary>{text('people.done')}</summary>{done}</details>"
        heading = f"<h2>{text('people.invite')}</h2>"
        return page(
            text("people.title"), *sections, "<section>", heading, invite, audit, "</section>", _back(), wide=True
        )

    def _person(self, account: Account) -> str:
        key = {"name": account.person}
        kind = text("people.administers_short") if account.is_administrator else ""
        roles = ", ".join(f"{project}: {text(f'people.role.{role}')}" for project, role in account.roles.items())
        open_ = text("people.sessions", count=account.sessions)
        choices = "".join(
            f'<option value="{each}">{text(f"people.role.{each}")}</option>' for each in (*get_args(Role), "none")
        )
        label = text("people.role_label")
        give = form(_PEOPLE, field("project"), f'<label>{label}<select name="role">{choices}</select></label>',
                    button("people.give"), do="role", **key)  # fmt: skip
        buttons = form(_PEOPLE, button("people.end"), do="end", **key)
        if self._by_password:
            buttons = form(_PEOPLE, button("people.reset"), do="reset", **key) + buttons
        told_of = " · ".join(filter(None, (kind, open_, roles)))
        details = f"<details><summary>{text('people.role_label')}</summary>{give}</details>"
        return f"<section><h2>{escape(account.person)}</h2>{paragraph(told_of)}{buttons}{details}</section>"

    def _change_people(self, request: Request, typed: Typed) -> Response:
        accounts, name = self._administration(request), typed.get("name", "")
        match typed.get("do"):
            case "invite" if self._by_password:
                return _invitation(request, name, accounts.invite(name, administrator="administers" in typed))
            case "invite":
                accounts.add(name, None, administrator="administers" in typed)
            case "reset" if self._by_password:
                return _invitation(request, name, accounts.reset(name))
            case "end":
                accounts.end_sessions(name)
            case "role" if (role := typed.get("role", "")) in (*get_args(Role), "none"):
                accounts.give_role(name, typed.get("project", ""), None if role == "none" else cast("Role", role))
            case _:
                raise InputError
        return RedirectResponse(_PEOPLE, 303)


def gated(chat: ASGIApp, *, assistant: Assistant, cookie: str) -> ASGIApp:
    """The chat behind the gate, with the pages by which people enter beside it."""
    entrance = Entrance(assistant=assistant, cookie=cookie, provider=_provider(assistant.settings))
    return Gate(chat, entrance=entrance.app(), paths=entrance.paths, assistant=assistant, cookie=cookie)


def _provider(settings: Settings) -> IdentityProvider | None:
    if settings.accounts != "oidc":
        return None
    from assistant.identity_provider import IdentityProvider

    return IdentityProvider.of(settings)


def _show_button(_request: Request) -> Response:
    return page(text("people.enter"), form(ENTRANCE, button("people.enter_provider")))


def _take_nothing(_request: Request, _typed: Typed) -> Response:
    raise InputError


def _callback(request: Request) -> str:
    return f"{request.url.scheme}://{request.headers['host']}{_CALLBACK}"


def _administers() -> str:
    return f'<label><input type="checkbox" name="administers"> {text("people.administers")}</label>'


def _invitation(request: Request, name: str, secret: str) -> Response:
    url = f"{request.url.scheme}://{request.headers['host']}{_invitation_place(secret)}"
    words = paragraph(text("people.invited_help", who=name))
    return page(text("people.invited"), words, f"<p><code>{url}</code></p>", link(_PEOPLE, text("people.title")))


def _invitation_place(secret: str) -> str:
    return f"{_INVITATION}?{urlencode({'clave': secret})}"


def _new_password_fields() -> list[str]:
    return [field(each, "password", "new-password") for each in ("new", "again_field")]


def _new_password(typed: Typed) -> str:
    if typed.get("new", "") != typed.get("again_field", ""):
        raise InputError(text("people.different"), code="different_passwords")
    return typed.get("new", "")


def _line(entry: AuditEntry) -> str:
    did = text(f"people.did.{entry.action.removeprefix('people.')}")
    return f"{entry.done_at.astimezone():%d/%m/%Y %H:%M} · {entry.person} · {did} · {entry.object}"


def _back() -> str:
    return link("/", text("door.again"))


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _is_encrypted(request: Request) -> bool:
    """Whether the browser speaks TLS, to us or to a proxy before us."""
    return request.url.scheme == "https"


async def _typed(request: Request) -> Typed:
    if not request.headers.get("origin"):
        raise AccessError(text("people.no_origin"))
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST_FORM:
            raise InputError
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
