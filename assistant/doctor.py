"""What `legajo doctor` looks at, each with what to do when it fails."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from rag_system.errors import ConfigurationError, LegajoError, StorageError
from rag_system.home import env_files
from rag_system.privacy import exposed
from rag_system.settings import Settings, load_settings, variable
from rag_system.storage.sql import queries

__all__ = ["Finding", "examine"]

_SQL = queries("rag_system.storage.queries", "library.sql")
_OURS = ("LEGAJO_", "LLM_", "DATABASE_")
_NEAR = 0.85  # of difflib: a letter more, less or other
_LEAST_FREE = 2**30  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a check found; `detail` is a Spanish sentence or a value."""

    check: str
    ok: bool
    detail: str
    code: str = ""  # of the error that it is: `rag_system.errors`
    params: Mapping[str, str | float] = field(default_factory=dict)


def examine() -> Iterator[Finding]:
    """Check after check; without valid settings the rest cannot be looked at."""
    yield Finding(check="Python", ok=True, detail=sys.version.split()[0])
    try:
        settings = load_settings()
    except LegajoError as error:
        yield _wrong("Configuración", error)
        return
    yield Finding(check="Configuración", ok=True, detail=f"LEGAJO_HOME es {settings.home}")
    told: dict[str, str] = {}  # by what is wrong, the first check that found it
    for check, look in CHECKS.items():
        try:
            yield Finding(check=check, ok=True, detail=look(settings))
        except LegajoError as error:
            first = told.setdefault(str(error), check)
            found = _wrong(check, error)
            yield found if first == check else replace(found, detail=f"Por lo mismo que «{first}».")


def _wrong(check: str, error: LegajoError) -> Finding:
    return Finding(check=check, ok=False, detail=str(error), code=error.code, params=error.params)


def _variables(_: Settings) -> str:
    """A variable that is nearly called as a setting has no effect, and nobody else tells."""
    known = [variable(name) for name in Settings.model_fields]
    meant = {
        name: near[0]
        for name in sorted(os.environ)
        if name.startswith(_OURS) and name not in known and (near := get_close_matches(name, known, 1, _NEAR))
    }
    if meant:
        raise ConfigurationError(" ".join(f"«{name}» no es un ajuste: ¿es {near}?" for name, near in meant.items()))
    return "ninguna está mal escrita"


def _disk(settings: Settings) -> str:
    place = next(each for each in (settings.home, *settings.home.parents) if each.is_dir())
    free = shutil.disk_usage(place).free
    if free < _LEAST_FREE:
        raise StorageError(f"Quedan {free / 2**20:.0f} MiB en el disco de {place}: libere espacio antes de incorporar.")
    return f"{free / 2**30:.0f} GiB libres"


def _queue(settings: Settings) -> str:
    from rag_system.storage.opening import open_database

    with open_database(settings) as database, database.as_worker().connection() as connection:
        (waiting, alive) = connection.execute(_SQL["queue"]).fetchone() or (0, False)
    if waiting and not alive:
        raise StorageError(
            f"Nadie atiende la cola, y esperan {waiting} archivos. Abra el chat, o ejecute «legajo worker»."
        )
    return f"esperan {waiting}" if waiting else "vacía"


def _recipe(settings: Settings) -> str:
    from rag_system.search.recipes import get_recipe

    return f"{get_recipe(settings.recipe).name} (LEGAJO_RECIPE)"


def _privacy(settings: Settings) -> str:
    from rag_system.storage.sealing import SealingKeys

    if troubles := list(exposed((*env_files(), SealingKeys(settings).file), settings.home)):
        raise ConfigurationError(" ".join(troubles))
    return "otros usuarios de este equipo no pueden leer sus claves ni cambiar su carpeta"


def _database(settings: Settings) -> str:
    from rag_system.storage.opening import open_database

    database = open_database(settings)
    try:
        with database.as_login() as connection:
            server = connection.info.parameter_status("server_version") or ""
            row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
            found = f"{connection.info.host}:{connection.info.port}"  # of several hosts the one that serves
            where = f"servidor propio (DATABASE_URL), {found}" if settings.database_url else "servidor incluido"
            return f"PostgreSQL {server.split()[0]}, pgvector {row[0] if row else '?'}, {where}"
    finally:
        database.close()


def _replica(settings: Settings) -> str:
    from rag_system.storage.opening import open_database

    if settings.database_read_url is None:
        return "ninguna (DATABASE_READ_URL)"
    with open_database(settings) as database:
        if database.replica is None:
            return "ninguna (DATABASE_READ_URL)"
        try:
            lag_s = database.replica.behind_s(database)
        except StorageError as error:
            raise StorageError(f"Se busca en el servidor principal, porque la réplica no responde. {error}") from error
    if lag_s is None:
        raise StorageError(
            "El servidor de DATABASE_READ_URL no sigue a otro, y no se busca en él. Indique una réplica, o quite ese "
            "ajuste."
        )
    if lag_s > settings.replica_lag_s:
        raise StorageError(
            f"La réplica lleva {lag_s:.0f} s de retraso, más que LEGAJO_REPLICA_LAG_S: se busca en el servidor "
            "principal. Revise la replicación."
        )
    return f"{lag_s:.1f} s de retraso" if lag_s else "al día"


def _embeddings(settings: Settings) -> str:
    from rag_system.embeddings import load_embeddings

    model = load_embeddings(settings)
    model.embed_query("prueba")
    return f"{model.manifest.model_id}, {model.manifest.dimension} dimensiones"


def _scans(settings: Settings) -> str:
    from rag_system.ingestion.installing import INSTALL_TESSERACT
    from rag_system.ingestion.loaders.ocr import OcrOptions, can_recognise

    if can_recognise(OcrOptions(settings.ocr, settings.ocr_languages)):
        return f"se leen con Tesseract ({settings.ocr_languages})"
    if settings.ocr == "off":
        return "no se leen: LEGAJO_OCR es off"
    return f"no se leen: falta Tesseract con sus idiomas. Instálelo: {INSTALL_TESSERACT}"


def _office(_: Settings) -> str:
    from rag_system.ingestion.installing import INSTALL_OFFICE
    from rag_system.ingestion.office import find_office

    if (office := find_office()) is not None:
        return f"se leen con LibreOffice ({office.parent})"
    return f"no se leen (de RTF, solo el texto): falta LibreOffice. Instálelo: {INSTALL_OFFICE}"


def _heic(_: Settings) -> str:
    from importlib.util import find_spec

    from rag_system.ingestion.installing import INSTALL_HEIC

    return "se leen" if find_spec("pillow_heif") else f"no se leen: falta un paquete. Instálelo: {INSTALL_HEIC}"


def _reranker(settings: Settings) -> str:
    from rag_system.search.recipes import RECIPES
    from rag_system.search.reranking import load_reranker

    reranker = load_reranker(settings)
    if reranker is None:
        return "ninguno (LEGAJO_RERANKER)"
    reranker.score("¿Cuál es el plazo?", ["El plazo es de quince días."])
    recipe = RECIPES.get(settings.recipe)
    unused = recipe is not None and not recipe.rerank
    return reranker.name + (f"; sin efecto con la receta {settings.recipe}, que no reordena" if unused else "")


def _provider(settings: Settings) -> str:
    from rag_system.generation.providers import resolve_provider

    resolved = resolve_provider(settings)
    answers = resolved.notice or f"{resolved.provider} {resolved.model}".strip()
    idle = settings.query_angles and resolved.provider == "extractive"
    return f"{answers}; LEGAJO_QUERY_ANGLES no tiene efecto sin un modelo" if idle else answers


def _fallback(settings: Settings) -> str:
    from rag_system.generation.providers import resolve_fallback, resolve_provider

    second = resolve_fallback(settings)
    if second is None:
        return "ninguno (LLM_FALLBACK)"
    steps_in = second.notice.rstrip(".") or f"{second.provider} {second.model}".strip()
    idle = resolve_provider(settings).provider == "extractive"
    return f"{steps_in}; LLM_FALLBACK no tiene efecto mientras se responde con citas textuales" if idle else steps_in


def _keys(settings: Settings) -> str:
    from assistant.keys import stored_keys

    count = stored_keys(settings)
    return f"{count}, y se pueden abrir" if count else "ninguna"


CHECKS: dict[str, Callable[[Settings], str]] = {
    "Variables": _variables,
    "Disco": _disk,
    "Privacidad": _privacy,
    "Receta de búsqueda": _recipe,
    "Base de datos": _database,
    "Réplica de lectura": _replica,
    "Cola de archivos": _queue,
    "Modelo de vectores": _embeddings,
    "Páginas escaneadas e imágenes": _scans,
    "Fotografías HEIC": _heic,
    "DOC, XLS, PPT y RTF": _office,
    "Modelo que reordena": _reranker,
    "Proveedor de respuestas": _provider,
    "Proveedor de reserva": _fallback,
    "Claves guardadas": _keys,
}
