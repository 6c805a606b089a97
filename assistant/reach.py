"""How far what is asked travels, whoever answers. What is not sure to stay counts as leaving."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from rag_system.generation.providers import PROVIDERS, resolve_fallback, resolve_provider

if TYPE_CHECKING:
    from rag_system.generation.credentials import Credentials
    from rag_system.generation.providers import Resolved
    from rag_system.settings import Settings

__all__ = ["Departure", "departures"]

Departure = Literal["outside", "fallback", "vectors", "voice", "database"]

_VECTORS_HERE = ("multilingual-e5-small", "sentence-transformers")
_RELAYED = "cloud"  # Ollama's `gpt-oss:120b-cloud` and `minimax-m2:cloud` run at ollama.com


def departures(settings: Settings, credentials: Credentials | None = None) -> tuple[Departure, ...]:
    """The ways by which a question leaves this server while nobody is asked for by name; empty: it stays.

    Without `credentials` those of the settings count.
    """
    second = resolve_fallback(settings, credentials)
    leaves: dict[Departure, bool] = {
        "outside": _writer_leaves(resolve_provider(settings, None, credentials), settings.llm_base_url),
        "fallback": second is not None and _writer_leaves(second, settings.llm_fallback_base_url),
        "vectors": not _vectors_stay(settings),
        "voice": bool(settings.transcriber_base_url) and not _url_is_here(settings.transcriber_base_url),
        "database": not _database_is_here(settings),
    }
    return tuple(way for way, out in leaves.items() if out)


def _writer_leaves(writer: Resolved, base_url: str) -> bool:
    if writer.provider == "extractive":
        return False
    own = base_url or PROVIDERS[writer.provider].base_url
    return writer.provider != "local" or writer.model.endswith(_RELAYED) or not _url_is_here(own)


def _vectors_stay(settings: Settings) -> bool:
    kind = settings.embedding_model.strip().partition(":")[0]
    return kind in _VECTORS_HERE or (kind == "openai" and _url_is_here(settings.llm_base_url))


def _database_is_here(settings: Settings) -> bool:
    if settings.database_url is None:
        return True
    try:
        said = conninfo_to_dict(settings.database_url.get_secret_value())
    except ProgrammingError:
        return False
    hosts = str(said.get("hostaddr") or said.get("host") or "").split(",")
    return all(host.startswith("/") or _host_is_here(host) for host in hosts)


def _url_is_here(url: str) -> bool:
    try:
        return _host_is_here(urlsplit(url).hostname or "")
    except ValueError:  # «http://[::1»
        return False


def _host_is_here(host: str) -> bool:
    try:
        return host.casefold() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
