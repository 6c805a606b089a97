"""What a setting takes, in words for who gave it something else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from rag_system.errors import InputError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = ["checked", "complaint"]

_LONGEST_SHOWN = 40  # characters of a wrong value


def checked(name: str, field: FieldInfo, value: object, *, label: str) -> Any:
    """A value that somebody else than the environment gives a field, as `Settings` takes it.

    One that it does not take raises `InputError`, which says what it takes; `label` is the field's name for people.
    """
    limited: Any = Annotated[field.annotation, name, *field.metadata]  # it wants one also where there is no limit
    try:
        return TypeAdapter(limited).validate_python(value)
    except ValidationError:
        raise InputError(
            f"{label}: «{_shown(value)}» no sirve. Debe ser {_accepted(field)}.",
            code="setting",
            setting=name,
        ) from None


def complaint(variable: str, field: FieldInfo, error: ErrorDetails) -> str:
    """What is wrong with the value of an environment variable; no word of a secret."""
    secret, inside = "SecretStr" in str(field.annotation), error["loc"][1:]
    value = (
        "tiene un valor que no sirve" if secret else f"{'contiene' if inside else 'vale'} «{_shown(error['input'])}»"
    )
    return f"{variable} {value}, y debe ser {_accepted(field)}. Corríjalo y vuelva a intentar."


def _shown(value: object) -> str:
    """A wrong value, in one short line."""
    text = "".join(char if char.isprintable() else " " for char in str(value))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _accepted(field: FieldInfo) -> str:
    """What a field takes: «un número de 0 a 2», «google, groq o local»."""
    kinds = (field.annotation, *get_args(field.annotation))
    if choices := [text for each in kinds for text in get_args(each) if isinstance(text, str)]:
        return f"{', '.join(choices[:-1])} o {choices[-1]}"
    if int in kinds or float in kinds:
        return f"un número{' entero' if int in kinds else ''}{_range(field)}"
    if field.annotation is Path:
        return "la ruta de una carpeta"
    least = _limit(field, "min_length") or 1
    return f"un texto de {least} caracteres o más" if least > 1 else "un texto"


def _range(field: FieldInfo) -> str:
    least, most, above = (_limit(field, name) for name in ("ge", "le", "gt"))
    match least, most:
        case None, None:
            return f" mayor que {above}"
        case _, None:
            return f" de {least} o más"
        case _:
            return f" de {least} a {most}"


def _limit(field: FieldInfo, name: str) -> float | None:
    return next((getattr(limit, name) for limit in field.metadata if hasattr(limit, name)), None)
