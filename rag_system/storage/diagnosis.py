"""What a failure of the embedded PostgreSQL means, in one Spanish line with a way out. Data is never deleted here."""

from __future__ import annotations

import errno
import re
import shlex
from pathlib import Path

from rag_system.errors import EmbeddedServerError

__all__ = ["damaged", "explain_output", "explain_refusal", "explain_system_error", "refuses_password"]

_NO_SPACE = re.compile(r"No space left on device|[Dd]isk quota exceeded")
_REFUSED = re.compile(r"Permission denied|Read-only file system|Operation not permitted")
_PASSWORD = re.compile(r"password authentication failed|no password supplied|no password was provided")
_DAMAGE = (  # what PostgreSQL says, and what that means; the first that fits counts
    (
        r"pg_control|control file|could not find the database system|incompatible with server",
        "no se puede usar su archivo pg_control",
    ),
    (r"pg_hba|pg_ident|configuration file|postgresql\.conf|legajo\.conf", "falta su configuración o no se entiende"),
    (r"WAL directory|pg_wal|checkpoint record", "falta o está incompleto su registro de transacciones, pg_wal"),
    (
        r"status of transaction|pg_xact|pg_multixact|pg_subtrans|MultiXact",
        "falta o está incompleto el estado de sus transacciones, pg_xact",
    ),
    (
        r"database \S+ does not exist|is not a valid data directory|invalid page|\"(?:\./)?base\b|could not read blocks"
        r"|cache lookup failed|role \S+ does not exist|missing chunk number",
        "faltan o no se pueden leer sus tablas, en la carpeta base",
    ),
    (
        r"not a (?:valid|database cluster|data) director|is missing or|could not (?:open|read|stat|access|fsync) "
        r'(?:file|directory) "(?:\./)?(?:global|pg_)',
        "faltan o no se pueden leer sus archivos internos",
    ),
)
_REASONS = {
    errno.EACCES: "permiso denegado",
    errno.EPERM: "permiso denegado",
    errno.EROFS: "el disco es de solo lectura",
    errno.ENOTDIR: "una parte de la ruta no es una carpeta",
    errno.ENAMETOOLONG: "la ruta es demasiado larga",
}
_SEVERITY = re.compile(r"\b(?:PANIC|FATAL|ERROR|error):\s*(.+)")


def damaged(data: Path, detail: str) -> EmbeddedServerError:
    """The data directory cannot be used as it is."""
    aside = data.with_name(f"{data.name}.apartado")
    return EmbeddedServerError(
        f"La base de datos en {data} está dañada ({detail}). No se borró nada: restaure un respaldo, o apártela con "
        f"«mv {shlex.quote(str(data))} {shlex.quote(str(aside))}» para empezar de nuevo."
    )


def _no_space(root: Path) -> EmbeddedServerError:
    return EmbeddedServerError(
        f"No queda espacio en el disco de {root}: libere al menos 200 MB, o elija otra carpeta con LEGAJO_HOME, "
        "y vuelva a intentar. No se perdió nada."
    )


def _refused(root: Path, detail: str) -> EmbeddedServerError:
    return EmbeddedServerError(
        f"No se puede escribir en {root} ({detail}): corrija los permisos, use el mismo usuario que la creó, "
        "o elija otra carpeta con LEGAJO_HOME."
    )


def explain_output(output: str, *, root: Path, data: Path) -> EmbeddedServerError:
    """The error that the words of PostgreSQL's programs or of its log stand for."""
    found = _SEVERITY.findall(output) or output.strip().splitlines()[-1:] or ["sin mensaje"]
    detail = found[-1].strip()
    if _NO_SPACE.search(output):
        return _no_space(root)
    if _REFUSED.search(output):
        return _refused(root, detail)
    if harm := _damage(output):
        return damaged(data, harm)
    return EmbeddedServerError(
        f"El PostgreSQL incluido no arrancó y dijo: «{detail}». El registro completo está en {root / 'server.log'}."
    )


def refuses_password(refusal: str) -> bool:
    """Whether the server refused a connection for its password alone."""
    return _PASSWORD.search(refusal) is not None


def explain_refusal(refusal: str, *, root: Path, data: Path) -> EmbeddedServerError | None:
    """The error that a refused connection stands for; none where the server is sound and may accept the next one."""
    if refuses_password(refusal):
        return EmbeddedServerError(
            f"La clave guardada en {root / 'password'} no es la de la base de datos y otro programa de Legajo la está "
            "usando: cierre los demás programas de Legajo y vuelva a intentar; la clave se repondrá sin perder datos."
        )
    sound = _damage(refusal) is None and not _NO_SPACE.search(refusal)
    return None if sound else explain_output(refusal, root=root, data=data)


def _damage(output: str) -> str | None:
    """What is damaged. The log of a sound recovery speaks of checkpoint records too."""
    told = "\n".join(line for line in output.splitlines() if " LOG:  " not in line)
    return next((harm for words, harm in _DAMAGE if re.search(words, told)), None)


def explain_system_error(error: OSError, *, root: Path) -> EmbeddedServerError:
    """The error that a refused system call stands for."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _no_space(root)
    return _refused(root, _REASONS.get(error.errno or 0, error.strerror or type(error).__name__))
