"""Every error a caller can meet, in one tree. The message is Spanish, for the person: what happened, and what to do.

Beside it stand a code, which a front end in another language looks its own sentence up by, and the names and limits
that the sentence holds. A code never changes: it is its class's name («missing_key») or, where one class says several
things, given where the error is raised.

::

    LegajoError
    ├── ConfigurationError          a setting is wrong or missing
    │   ├── MissingKeyError         the provider asked for has no key
    │   └── SealingError            what opens the keys that are kept is missing or damaged
    ├── StorageError                the database cannot be reached or used
    │   ├── BusyStoreError          somebody else holds it, or it is too slow for who waits
    │   ├── EmbeddedServerError     the embedded PostgreSQL does not start or stop
    │   └── IncompatibleStoreError  the server, schema or vectors do not fit this program
    ├── EmbeddingError              a text cannot be turned into a vector
    │   └── EmbeddingServiceError   nor now, but perhaps later: whoever computes vectors is away or busy
    ├── IngestionError              a file cannot become a document
    │   ├── UnsupportedFormatError  no loader for it
    │   ├── UnreadableFileError     damaged, encrypted, or over a limit
    │   │   └── PasswordNeededError  a PDF that opens with a password
    │   │       └── PasswordRefusedError
    │   ├── SameNameError           another document has its name, and which of them is meant must be said
    │   └── WebError                a web address cannot be read
    ├── ProviderError               the language model did not answer
    │   ├── ProviderAuthenticationError
    │   ├── ProviderRateLimitError
    │   ├── ProviderTimeoutError
    │   └── ProviderConnectionError
    ├── AccessError                 who asks is not let in
    │   ├── SessionEndedError       no longer: the session has ended or expired
    │   ├── SignInError             what was shown proves nothing: a name, a password, an invitation, an identity
    │   └── TooManyAttemptsError    too often in too short a time
    └── InputError                  what the person typed cannot be used
        ├── NotFoundError           what it names is not there, or not for this person: both look the same
        └── ForbiddenError          it is there and may be read, and not changed
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = [
    "AccessError",
    "BusyStoreError",
    "ConfigurationError",
    "EmbeddedServerError",
    "EmbeddingError",
    "EmbeddingServiceError",
    "ForbiddenError",
    "IncompatibleStoreError",
    "IngestionError",
    "InputError",
    "LegajoError",
    "LostStoreError",
    "MissingKeyError",
    "NotFoundError",
    "PasswordNeededError",
    "PasswordRefusedError",
    "ProviderAuthenticationError",
    "ProviderConnectionError",
    "ProviderError",
    "ProviderRateLimitError",
    "ProviderTimeoutError",
    "SameNameError",
    "SealingError",
    "SessionEndedError",
    "SignInError",
    "StorageError",
    "TooManyAttemptsError",
    "UnreadableFileError",
    "UnsupportedFormatError",
    "WebError",
]


class LegajoError(Exception):
    """Ocurrió un error inesperado en Legajo."""

    code: str = "unexpected"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__.removesuffix("Error")).lower()

    def __init__(self, message: str | None = None, *, code: str = "", **params: str | float) -> None:
        super().__init__(message or type(self).__doc__)
        self.code = code or type(self).code
        self.params: Mapping[str, str | float] = params

    @property
    def fields(self) -> dict[str, Any]:
        """What an answer or a report that tells it holds."""
        return {"error": str(self), "code": self.code, "params": self.params}


class ConfigurationError(LegajoError):
    """La configuración no es válida. Ejecute «legajo doctor» para ver qué falta."""


class MissingKeyError(ConfigurationError):
    """Falta la clave del proveedor. Defina su variable o use LLM_PROVIDER=extractive, que no necesita clave."""


class SealingError(ConfigurationError):
    """Falta la clave de sellado. Restaure el archivo «sealing.keys» de LEGAJO_HOME, o LEGAJO_SEALING_KEY."""


class StorageError(LegajoError):
    """No se pudo usar la base de datos. Ejecute «legajo doctor» para ver la causa."""


class BusyStoreError(StorageError):
    """La base de datos está ocupada. Espere un momento y vuelva a intentar."""


class LostStoreError(StorageError):
    """Se perdió la conexión con la base de datos. Espere un momento y vuelva a intentar."""


class EmbeddedServerError(StorageError):
    """El PostgreSQL incluido no arrancó. Ejecute «legajo doctor» para ver la causa."""


class IncompatibleStoreError(StorageError):
    """La base de datos no es compatible con esta versión de Legajo. Ejecute «legajo doctor»."""


class EmbeddingError(LegajoError):
    """No se pudo calcular el vector del texto. Ejecute «legajo doctor» para revisar el modelo."""


class EmbeddingServiceError(EmbeddingError):
    """El servicio de vectores no responde. Vuelva a intentar más tarde."""


class IngestionError(LegajoError):
    """No se pudo incorporar el archivo. Ábralo con su programa y guárdelo de nuevo."""


class UnsupportedFormatError(IngestionError):
    """El formato del archivo no se admite. Conviértalo a PDF, DOCX, XLSX, HTML o TXT."""


class UnreadableFileError(IngestionError):
    """El archivo está dañado, cifrado o excede los límites. Ábralo con su programa y guárdelo de nuevo."""


class PasswordNeededError(UnreadableFileError):
    """El PDF está protegido con contraseña. El chat y «legajo ingest» la piden; o quítesela y vuelva a incorporarlo."""


class PasswordRefusedError(PasswordNeededError):
    """La contraseña no abre el PDF. Escríbala de nuevo."""


class SameNameError(IngestionError):
    """Ya hay otro documento con ese nombre. Elija si lo reemplaza o se conservan ambos."""


class WebError(IngestionError):
    """La dirección web no se pudo leer. Revise cómo está escrita y vuelva a intentar."""


class ProviderError(LegajoError):
    """El modelo de lenguaje no respondió. Intente de nuevo o use LLM_PROVIDER=extractive."""


class ProviderAuthenticationError(ProviderError):
    """El proveedor rechazó la clave. Revise la variable de su clave o use LLM_PROVIDER=extractive."""


class ProviderRateLimitError(ProviderError):
    """El proveedor recibió demasiadas consultas. Espere un minuto o cambie de proveedor."""


class ProviderTimeoutError(ProviderError):
    """El proveedor tardó demasiado. Intente de nuevo o cambie de proveedor."""


class ProviderConnectionError(ProviderError):
    """No se pudo llegar al proveedor o la conexión se cortó. Revise la red o use LLM_PROVIDER=extractive."""


class AccessError(LegajoError):
    """No puede entrar. Pida una invitación a quien administra Legajo."""


class SessionEndedError(AccessError):
    """Su sesión terminó. Entre de nuevo para continuar."""


class SignInError(AccessError):
    """El nombre o la contraseña no son correctos. Vuelva a intentar, o pida otra a quien administra Legajo."""


class TooManyAttemptsError(AccessError):
    """Hubo demasiados intentos. Espere quince minutos y vuelva a intentar."""


class InputError(LegajoError):
    """La entrada no es válida."""


class NotFoundError(InputError):
    """Eso no existe o ya no está. Elija uno de la lista."""


class ForbiddenError(InputError):
    """No puede cambiar este proyecto: pida a quien es su dueño que le dé permiso."""
