"""The wire formats of the language-model providers, event by event: what `provider_server` sends.

Gemini's, Groq's, OpenRouter's, and the plain one of OpenAI-compatible servers.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from email.utils import formatdate
from typing import Any, ClassVar

__all__ = ["COST_USD", "USAGE", "Wire", "wire"]

USAGE = {"prompt_tokens": 321, "completion_tokens": 12, "total_tokens": 333}
STRANGE_USAGE = {"prompt_tokens": "muchos", "completion_tokens": [12], "cost": {"dólares": 1}}
COST_USD = 0.00042  # OpenRouter alone reports it
_PROVIDER_DOWN = {"code": 502, "message": "Provider disconnected"}

Refusal = tuple[int, Any, dict[str, str]]


class Wire(ABC):
    """What the wire formats share: which scenario is refused before a stream begins, and the events of a stream."""

    greeting: ClassVar[tuple[str, ...]] = ()
    ending = ""
    refusals: ClassVar[dict[str, Refusal]] = {}

    def refusal(self, scenario: str, hits: int) -> Refusal | None:
        if scenario in {"dated", "past"}:
            status, error, _ = self.refusals["burst"]
            date = formatdate(time.time() + (3600 if scenario == "dated" else -60), usegmt=True)
            return (status, error, {"retry-after": date}) if scenario == "dated" or hits == 1 else None
        if (scenario in {"once", "flaky"} and hits > 1) or scenario not in self.refusals:
            return None
        return self.refusals[scenario]

    @abstractmethod
    def thought(self) -> dict[str, Any]:
        """The event of a thought."""

    @abstractmethod
    def word(self, word: Any, count: int) -> dict[str, Any]:
        """The event of one word, the `count`-th."""

    @abstractmethod
    def ended_by(self, reason: Any) -> dict[str, Any]:
        """The event of an end with that reason."""

    @abstractmethod
    def miscounted(self) -> dict[str, Any]:
        """An event without words whose numbers of tokens are none."""

    @abstractmethod
    def last(self, finish: str) -> list[dict[str, Any]]:
        """The events that end a stream."""

    @abstractmethod
    def wordless(self, scenario: str) -> list[dict[str, Any]]:
        """The events of an answer without words."""

    @abstractmethod
    def error_event(self) -> dict[str, Any]:
        """The event of a failure in the middle."""


_OPENAI_FINISH = {"blocked": "content_filter"}


class _OpenAI(Wire):
    """`/chat/completions` as most servers speak it."""

    ending = "data: [DONE]\n\n"
    usage: ClassVar[dict[str, Any]] = USAGE
    refusals: ClassVar[dict[str, Refusal]] = {
        "bad": (401, {"error": {"message": "Invalid API Key bad-secret", "code": "invalid_api_key"}}, {}),
        "forbidden": (403, {"error": {"message": "Forbidden", "code": "forbidden"}}, {}),
        "credit": (402, {"error": {"message": "Insufficient credits", "code": 402}}, {}),
        "quota": (429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}, {}),
        "limit": (429, {"error": {"message": "Rate limit reached", "code": "rate_limit"}}, {"retry-after": "60"}),
        "burst": (429, {"error": {"message": "Rate limit reached", "code": "rate_limit"}}, {}),
        "once": (429, {"error": {"message": "Rate limit reached", "code": "rate_limit"}}, {"retry-after": "0"}),
        "500": (500, {"error": {"message": "Internal Server Error", "type": "server_error"}}, {}),
        "503": (503, {"error": {"message": "Service Unavailable"}}, {"retry-after": "0"}),
        "529": (529, {"error": {"message": "Overloaded", "type": "overloaded_error"}}, {"retry-after": "0"}),
        "flaky": (503, {"error": {"message": "Overloaded"}}, {"retry-after": "0"}),
        "unknown": (404, {"error": {"message": "The model does not exist", "code": "model_not_found"}}, {}),
        "toolong": (400, {"error": {"message": "This model's maximum context length is 8192 tokens"}}, {}),
    }

    def __init__(self, body: dict[str, Any]) -> None:
        self._base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model")}
        self._with_usage = bool((body.get("stream_options") or {}).get("include_usage"))

    def _choice(self, delta: dict[str, Any], finish: Any = None) -> dict[str, Any]:
        return {**self._base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def word(self, word: Any, count: int) -> dict[str, Any]:  # noqa: ARG002 - only Google counts
        return self._choice({"role": "assistant", "content": word})

    def ended_by(self, reason: Any) -> dict[str, Any]:
        return self._choice({}, reason)

    def miscounted(self) -> dict[str, Any]:
        return {**self._base, "choices": [], "usage": STRANGE_USAGE, "x_groq": {"usage": STRANGE_USAGE}}

    def last(self, finish: str) -> list[dict[str, Any]]:
        usage = [{**self._base, "choices": [], "usage": self.usage}] if self._with_usage else []
        return [self._choice({}, _OPENAI_FINISH.get(finish, finish)), *usage]

    def wordless(self, scenario: str) -> list[dict[str, Any]]:
        finish = {"blocked": "blocked", "refused": "blocked", "thoughts": "length"}.get(scenario, "stop")
        return [self.thought(), *self.last(finish)]

    def thought(self) -> dict[str, Any]:
        return self._choice({"role": "assistant", "content": "", "reasoning": "Pienso…"})

    def error_event(self) -> dict[str, Any]:
        return {"error": {"message": "The server had an error", "type": "server_error"}}


class _Groq(_OpenAI):
    """Groq reports usage under `x_groq`, in the last chunk."""

    def last(self, finish: str) -> list[dict[str, Any]]:
        times = {"queue_time": 0.01, "prompt_time": 0.02, "completion_time": 0.1, "total_time": 0.13}
        choice = self._choice({}, _OPENAI_FINISH.get(finish, finish))
        return [{**choice, "x_groq": {"id": "req_1", "usage": USAGE | times}}]


class _OpenRouter(_OpenAI):
    """OpenRouter sends comments while it waits, always reports usage, and ends with `error` when a provider fails."""

    greeting: ClassVar[tuple[str, ...]] = (": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n")
    usage: ClassVar[dict[str, Any]] = {**USAGE, "cost": COST_USD, "is_byok": False}
    refusals: ClassVar[dict[str, Refusal]] = {
        **_OpenAI.refusals,
        "bad": (401, {"error": {"message": "No auth credentials found", "code": 401}}, {}),
        "forbidden": (403, {"error": {"message": "Input flagged", "code": 403, "metadata": {"reasons": ["x"]}}}, {}),
        "unknown": (400, {"error": {"message": "nada/modelo is not a valid model ID", "code": 400}}, {}),
    }

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(body)
        self._with_usage = True

    def error_event(self) -> dict[str, Any]:
        return {**self._choice({"content": ""}, "error"), "error": _PROVIDER_DOWN}


def _google_error(code: int, message: str, status: str, *details: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


def _daily() -> dict[str, Any]:
    violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "20"}
    failure = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}
    return _google_error(429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED", failure)


def _quota(delay: str | None) -> dict[str, Any]:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    return _google_error(429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED", *([info] if delay else []))


_BAD_KEY = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
    "domain": "googleapis.com",
}


_GOOGLE_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "blocked": "SAFETY"}


class _Google(Wire):
    """`:streamGenerateContent?alt=sse`. Usage is cumulative in every chunk; a wait is told in the body."""

    refusals: ClassVar[dict[str, Refusal]] = {
        "bad": (400, _google_error(400, "API key not valid. bad-secret", "INVALID_ARGUMENT", _BAD_KEY), {}),
        "forbidden": (403, _google_error(403, "Permission denied", "PERMISSION_DENIED"), {}),
        "credit": (402, _google_error(402, "Billing", "FAILED_PRECONDITION"), {}),
        "quota": (429, _daily(), {}),
        "limit": (429, _quota("60s"), {}),
        "burst": (429, _quota(None), {}),
        "once": (429, _quota("0s"), {}),
        "500": (500, _google_error(500, "Internal error", "INTERNAL"), {}),
        "503": (503, _google_error(503, "The model is overloaded.", "UNAVAILABLE"), {"retry-after": "0"}),
        "529": (529, _google_error(529, "Overloaded", "UNAVAILABLE"), {"retry-after": "0"}),
        "flaky": (503, _google_error(503, "The model is overloaded.", "UNAVAILABLE"), {"retry-after": "0"}),
        "unknown": (404, _google_error(404, "models/nada is not found", "NOT_FOUND"), {}),
        "toolong": (400, _google_error(400, "The input token count exceeds the maximum", "INVALID_ARGUMENT"), {}),
    }

    def _chunk(self, parts: list[dict[str, Any]], count: int, finish: Any = None) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        usage = {"promptTokenCount": 321, "candidatesTokenCount": count, "totalTokenCount": 321 + count}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake", "responseId": "r1"}

    def ended_by(self, reason: Any) -> dict[str, Any]:
        return self._chunk([], 0, reason)

    def miscounted(self) -> dict[str, Any]:
        return {**self._chunk([], 0), "usageMetadata": {"promptTokenCount": 10**30, "candidatesTokenCount": -1}}

    def word(self, word: Any, count: int) -> dict[str, Any]:
        return self._chunk([{"text": word}], min(count, 12))

    def last(self, finish: str) -> list[dict[str, Any]]:
        return [self._chunk([{"text": ""}], 12, _GOOGLE_FINISH[finish])]

    def wordless(self, scenario: str) -> list[dict[str, Any]]:
        if scenario == "blocked":
            return [{"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 321}}]
        if scenario == "refused":
            return [{"candidates": [{"finishReason": "SAFETY", "index": 0}]}]  # no content at all
        finish = "MAX_TOKENS" if scenario == "thoughts" else "STOP"
        return [self.thought(), self._chunk([], 0, finish)]

    def thought(self) -> dict[str, Any]:
        return self._chunk([{"text": "Pienso…", "thought": True}], 0)

    def error_event(self) -> dict[str, Any]:
        return _google_error(503, "The service is currently unavailable.", "UNAVAILABLE")


def wire(path: str, body: dict[str, Any]) -> Wire:
    if ":" in path.rsplit("/", 1)[-1]:
        return _Google()
    if "groq" in path:
        return _Groq(body)
    return _OpenRouter(body) if "openrouter" in path else _OpenAI(body)
