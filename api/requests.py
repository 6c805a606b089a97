"""What a program may send: the definitions that validate a request, and of which the OpenAPI document is made."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError
from starlette.requests import Request

from assistant.feedback import LONGEST_COMMENT, Reason
from rag_system.errors import InputError
from rag_system.settings import ProviderName
from rag_system.storage.projects import LONGEST_NAME
from rag_system.types import Message

__all__ = [
    "PROJECT_NAME",
    "AskRequest",
    "Body",
    "CompletionRequest",
    "FeedbackRequest",
    "SearchRequest",
    "TooLargeError",
    "body_of",
]

LARGEST = 1_000_000  # bytes of a body of JSON
_LONGEST = 100_000  # characters: of a message that was said before; what a question may have is a setting
_MOST_MESSAGES = 1000

# What `check_name` lets pass, as the OpenAPI document says it.
PROJECT_NAME: dict[str, JsonValue] = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_NAME,
    "pattern": r"^ *[\p{L}\p{M}\p{N}\p{P}\p{S}][\p{L}\p{M}\p{N}\p{P}\p{S} ]*$",
}

# PostgreSQL keeps no NUL.
Text = Annotated[str, StringConstraints(max_length=_LONGEST, pattern=r"^[^\x00]*$")]


class TooLargeError(InputError):
    """La consulta es demasiado grande. Envíe menos mensajes anteriores."""


class Body(BaseModel):
    """An object that has no other fields than these."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SaidMessage(Body):
    """A message of the conversation so far."""

    role: Literal["user", "assistant"]
    content: Text


class _Question(Body):
    question: Text = Field(min_length=1, description="La pregunta, como la escribiría una persona.")
    history: list[SaidMessage] = Field([], max_length=_MOST_MESSAGES, description="Lo dicho antes, en orden.")
    documents: list[Text] = Field([], max_length=_MOST_MESSAGES, description="Rutas: responder solo con ellas.")

    @property
    def said(self) -> tuple[Message, ...]:
        """The history as the engine takes it."""
        return tuple(Message(each.role, each.content) for each in self.history)


class SearchRequest(_Question):
    """A search."""

    top_k: int = Field(8, ge=1, le=50, description="Cuántos pasajes, a lo sumo.")


class AskRequest(_Question):
    """A question that is answered."""

    conversation: Text | None = Field(
        None, description="Id de una conversación, en la que queda; entonces «history» no se usa."
    )
    provider: ProviderName | None = Field(None, description="Quién responde; si no se indica, el de la configuración.")
    stream: bool = Field(False, description="Responder por partes, con eventos (text/event-stream).")


class FeedbackRequest(Body):
    """What a person thinks of an answer."""

    conversation: Text
    ordinal: int = Field(ge=0, le=2**31 - 1, description="El de la respuesta en su conversación.")
    up: bool
    reasons: list[Reason] = Field([], max_length=10)
    comment: Annotated[Text, StringConstraints(max_length=LONGEST_COMMENT)] = ""


class _Part(BaseModel):
    type: str
    text: Text = ""


class _ChatMessage(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Text | list[_Part] | None = None

    @property
    def words(self) -> str:
        """Its text, whichever way it came."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class _StreamOptions(BaseModel):
    include_usage: bool | None = None


class CompletionRequest(BaseModel):
    """As OpenAI's: what does not fit this product (temperature, tools…) is let pass, and changes nothing.

    But no program is given fewer answers than it counts on: one is all there is.
    """

    model_config = ConfigDict(frozen=True)

    model: Text = Field(description="El proyecto.", json_schema_extra=PROJECT_NAME)
    messages: list[_ChatMessage] = Field(min_length=1, max_length=_MOST_MESSAGES)
    n: Literal[1] | None = Field(None, description="Cuántas respuestas: una.")
    stream: bool | None = None
    stream_options: _StreamOptions | None = Field(
        None, description="Con «include_usage», la última parte dice los tokens que informó el modelo."
    )

    @property
    def question(self) -> str:
        """The last message, which must be the person's."""
        last = self.messages[-1]
        if last.role != "user" or not last.words.strip():
            raise InputError("El último mensaje de «messages» debe ser de la persona («user») y tener texto.")
        return last.words

    @property
    def said(self) -> tuple[Message, ...]:
        """What was said before; instructions to a model are none of it."""
        told = ((each.role, each.words) for each in self.messages[:-1])
        return tuple(Message(role, words) for role, words in told if role in ("user", "assistant"))


async def body_of(request: Request, kind: type[BaseModel]) -> BaseModel:
    """The body of a request as `kind`; what is wrong with it is an `InputError` of one sentence."""
    read = bytearray()
    async for part in request.stream():
        read += part
        if len(read) > LARGEST:
            raise TooLargeError
    try:
        return kind.model_validate(json.loads(bytes(read)))
    except ValidationError as error:
        raise InputError(_sentence(error), code="invalid_field") from None
    except (ValueError, RecursionError):
        raise InputError("El cuerpo de la consulta no es un objeto JSON en UTF-8.", code="not_json") from None


def _sentence(error: ValidationError) -> str:
    """The first thing that is wrong."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"][:3]))
    match first["type"]:
        case "missing":
            return f"Falta el campo «{place}»."
        case "extra_forbidden":
            return f"El campo «{place}» no existe."
        case _ if not place:
            return "El cuerpo de la consulta debe ser un objeto JSON."
        case _:
            return f"El valor de «{place}» no es válido."
