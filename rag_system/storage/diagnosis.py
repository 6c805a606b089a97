"""What a failure of the embedded PostgreSQL means, in one Spanish line with a way out. Data is never deleted here."""

from __future__ import annotations

import errno
import re
import shlex
from pathlib import Path

from rag_system.errors import EmbeddedServerError

__all__ = ["damaged", "explain_output", "explain_system_error"]

_NO_SPACE = re.compile(r"No space left on device|[Dd]isk quota exceeded")
_REFUSED = re.compile(r"Permission denied|Read-only file system|Operation not permitted")
_DAMAGED = re.compile(
    r"control file|pg_control|checkpoint record|invalid page|not a (valid|database cluster|data) director"
    r"|is missing or|WAL directory|could not find the database system|server configuration file"
    r'|could not (open|read|stat|access|fsync) (file|directory) "(\./)?(global|base|pg_)',
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
    if _DAMAGED.search(output):
        return damaged(data, detail)
    if _REFUSED.search(output):
        return _refused(root, detail)
    return EmbeddedServerError(
        f"El PostgreSQL incluido no arrancó: {detail}. El registro completo está en {root / 'server.log'}."
    )


def explain_system_error(error: OSError, *, root: Path) -> EmbeddedServerError:
    """The error that a refused system call stands for."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _no_space(root)
    return _refused(root, _REASONS.get(error.errno or 0, error.strerror or type(error).__name__))
