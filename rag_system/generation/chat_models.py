"""Chat models over the makers' own SDKs: one adapter for Gemini, one for every API of OpenAI's shape.

Thin on purpose. What they share: a failure is retried only before the first token and never for longer than
`RETRY_BUDGET_S`; the whole ends within `total_s`; whatever happens, the caller sees our errors alone, raised outside of
the `except` block so that no SDK exception (whose request holds the key) hangs on them as context; and `words` tells no
tracer what was asked.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel, generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage, convert_to_messages
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import Field, PrivateAttr

from rag_system.generation.failures import Failure, Kind, Subject, read_failure, unfinished
from rag_system.generation.reading import AnswerText, read_cost, read_count, read_finish, sendable
from rag_system.generation.reasoning_filter import ReasoningFilter
from rag_system.generation.streaming import OutOfTime, bounded
from rag_system.types import Usage

__all__ = ["GeminiChat", "OpenAIShapedChat", "ThinChat"]

ATTEMPTS = 3
RETRY_BUDGET_S = 8.0  # from the question to the last retry; longer waits are told, not sat through
FIRST_PAUSE_S = 0.25  # doubled at each attempt, when the provider names no pause


class _Piece(NamedTuple):
    text: str = ""
    usage: Usage | None = None
    finish: str | None = None


class ThinChat(BaseChatModel):
    """What the adapters share: retries, verdict on the end of the stream, usage emitted once."""

    model: str
    subject: Subject
    max_tokens: int  # of the answer
    thinking_tokens: int = 0  # of what is thought before it, where the provider counts that as output
    total_s: float  # longest time from the question to the last word, retries included

    sdk_client: Any = Field(repr=False, exclude=True)  # shared with other questions: `clients.client`
    pause: Callable[[float], None] = Field(default=time.sleep, repr=False, exclude=True)
    _spent: list[Usage] = PrivateAttr(default_factory=list)  # appending is safe between threads

    @property
    def spent(self) -> Usage:
        """What everything that was asked of this object took so far."""
        return sum(tuple(self._spent), Usage())

    def words(self, messages: Sequence[tuple[str, str]]) -> Iterator[str]:
        """The answer's text as it comes, outside of LangChain's runs.

        `stream` and `invoke` start a run, and a run is sent to LangSmith, documents included, whenever the shell
        happens to have LANGSMITH_TRACING set.
        """
        for piece in self._stream(convert_to_messages(messages)):
            yield str(piece.message.text)

    def _open(self, messages: list[BaseMessage], stop: list[str] | None) -> Generator[_Piece]:
        raise NotImplementedError

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - BaseChatModel reports the tokens itself
        **_: Any,
    ) -> Iterator[ChatGenerationChunk]:
        usage, finish = Usage(), ""
        spoke = wrote = False
        try:
            for piece in self._retried(messages, stop, time.monotonic() + self.total_s):
                spoke, usage, finish = True, piece.usage or usage, piece.finish or finish
                if piece.text:
                    wrote = True
                    yield ChatGenerationChunk(message=AIMessageChunk(content=piece.text))
        finally:
            self._spent.append(usage)  # of a broken answer too: it is paid for
        facts = {"finish_reason": finish, "model_name": self.model}
        last = AIMessageChunk(content="", usage_metadata=_as_langchain(usage), response_metadata=facts)
        yield ChatGenerationChunk(message=last)
        if kind := unfinished(finish, wrote=wrote, spoke=spoke):
            raise Failure(kind=kind).error(self.subject)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _retried(self, messages: list[BaseMessage], stop: list[str] | None, until: float) -> Iterator[_Piece]:
        deadline = min(until, time.monotonic() + RETRY_BUDGET_S)
        for attempt in range(ATTEMPTS):
            started = False
            failure: Failure | None = None
            try:
                for piece in bounded(partial(self._open, messages, stop), until=until):
                    started = started or bool(piece.text)
                    yield piece
            except OutOfTime:
                failure = Failure(kind=Kind.OUT_OF_TIME)
            except Exception as error:  # noqa: BLE001 - the border: whatever the SDK raises is read, and told as ours
                failure = read_failure(error)
            if failure is None:
                return
            wait = _wait_s(failure, attempt)
            final = attempt + 1 == ATTEMPTS or time.monotonic() + wait > deadline
            if started or final or not failure.kind.retryable:
                raise (failure.midway() if started else failure).error(self.subject)
            self.pause(wait)


def _wait_s(failure: Failure, attempt: int) -> float:
    if failure.retry_after_s is not None:
        return failure.retry_after_s
    return FIRST_PAUSE_S * (1 << attempt) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter, not a secret


class OpenAIShapedChat(ThinChat):
    """Groq, OpenRouter and every server with `/chat/completions`."""

    options: dict[str, Any]  # what this provider takes besides model, messages and stop

    @property
    def _llm_type(self) -> str:
        return "openai-shaped"

    def _open(self, messages: list[BaseMessage], stop: list[str] | None) -> Generator[_Piece]:
        options = {**self.options, "stop": stop} if stop else self.options
        answer, spoken = AnswerText(self.max_tokens), ReasoningFilter()
        stream = self.sdk_client.chat.completions.create(
            model=self.model, stream=True, messages=[_as_dict(message) for message in messages], **options
        )
        with stream:
            for chunk in stream:
                choice = chunk.choices[0] if chunk.choices else None
                yield _Piece(
                    text=spoken.feed(answer.read(choice.delta.content if choice and choice.delta else None)),
                    usage=_openai_usage(chunk),
                    finish=read_finish(choice.finish_reason if choice else None),
                )
        if held := spoken.close():
            yield _Piece(text=held)


def _as_dict(message: BaseMessage) -> dict[str, str]:
    role = {"human": "user", "ai": "assistant"}.get(message.type, message.type)
    return {"role": role, "content": sendable(str(message.text))}


def _openai_usage(chunk: Any) -> Usage | None:
    """Groq reports it under `x_groq`, the others in a last chunk of its own; OpenRouter with the cost, in dollars."""
    usage = getattr(chunk, "usage", None) or getattr(getattr(chunk, "x_groq", None), "usage", None)
    if usage is None:
        return None
    return Usage(
        tokens_in=read_count(getattr(usage, "prompt_tokens", None)),
        tokens_out=read_count(getattr(usage, "completion_tokens", None)),
        cost_usd=read_cost(getattr(usage, "cost", None)),
    )


def _as_langchain(usage: Usage) -> UsageMetadata | None:
    if usage.tokens_in is None or usage.tokens_out is None:
        return None
    total = usage.tokens_in + usage.tokens_out
    return UsageMetadata(input_tokens=usage.tokens_in, output_tokens=usage.tokens_out, total_tokens=total)


class GeminiChat(ThinChat):
    """Google's Gemini. Temperature, top_p and top_k are not sent: the API deprecated them in July 2026."""

    @property
    def _llm_type(self) -> str:
        return "gemini"

    def _open(self, messages: list[BaseMessage], stop: list[str] | None) -> Generator[_Piece]:
        from google.genai import types

        system = "\n\n".join(sendable(str(m.text)) for m in messages if m.type == "system")
        contents = [
            types.Content(role="model" if m.type == "ai" else "user", parts=[types.Part(text=sendable(str(m.text)))])
            for m in messages
            if m.type != "system"
        ]
        config = types.GenerateContentConfig(
            system_instruction=system or None,
            max_output_tokens=self.max_tokens + self.thinking_tokens,
            stop_sequences=stop,
        )
        answer = AnswerText(self.max_tokens)
        for chunk in self.sdk_client.models.generate_content_stream(model=self.model, contents=contents, config=config):
            yield _Piece(
                text=answer.read(_gemini_text(chunk)), usage=_gemini_usage(chunk), finish=_gemini_finish(chunk)
            )


def _gemini_text(chunk: Any) -> str:
    """The visible text: `chunk.text` would log a warning at every part that is not text."""
    content = chunk.candidates[0].content if chunk.candidates else None
    parts = (content.parts if content else None) or []
    return "".join(part.text for part in parts if part.text and not part.thought)


def _gemini_usage(chunk: Any) -> Usage | None:
    """Cumulative in every chunk: the last one counts."""
    usage = chunk.usage_metadata
    if usage is None:
        return None
    written = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return Usage(tokens_in=read_count(usage.prompt_token_count or 0), tokens_out=read_count(written))


def _gemini_finish(chunk: Any) -> str | None:
    if chunk.prompt_feedback and chunk.prompt_feedback.block_reason:
        return "safety"  # the question itself was blocked: there is no candidate
    reason = chunk.candidates[0].finish_reason if chunk.candidates else None
    return str(reason.name) if reason else None
