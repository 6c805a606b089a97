"""A front end in another language looks its sentence up by an error's code: each is one class's, and never changes."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.doctor import examine
from assistant.ingesting import report_row
from rag_system import errors
from rag_system.errors import InputError, LegajoError, NotFoundError, ProviderError, UnreadableFileError
from rag_system.generation.failures import Failure, Kind, Subject
from rag_system.ingestion.indexing import InterruptedIndexingError, LowMemoryError, OtherModelError
from rag_system.ingestion.jobs import EndedWorkerError
from rag_system.ingestion.report import IngestReport, failed
from rag_system.storage.ingestions import SupersededError

ROOT = Path(__file__).parents[2]
CODES = {
    "AccessError": "access",
    "BusyStoreError": "busy_store",
    "ConfigurationError": "configuration",
    "EmbeddedServerError": "embedded_server",
    "EmbeddingError": "embedding",
    "EmbeddingServiceError": "embedding_service",
    "ForbiddenError": "forbidden",
    "IncompatibleStoreError": "incompatible_store",
    "IngestionError": "ingestion",
    "InputError": "input",
    "LegajoError": "unexpected",
    "LostStoreError": "lost_store",
    "MissingKeyError": "missing_key",
    "NotFoundError": "not_found",
    "PasswordNeededError": "password_needed",
    "ProviderAuthenticationError": "provider_authentication",
    "ProviderConnectionError": "provider_connection",
    "ProviderError": "provider",
    "ProviderRateLimitError": "provider_rate_limit",
    "ProviderTimeoutError": "provider_timeout",
    "SameNameError": "same_name",
    "SealingError": "sealing",
    "SessionEndedError": "session_ended",
    "SignInError": "sign_in",
    "StorageError": "storage",
    "TooManyAttemptsError": "too_many_attempts",
    "UnreadableFileError": "unreadable_file",
    "UnsupportedFormatError": "unsupported_format",
    "WebError": "web",
    "PasswordRefusedError": "password_refused",
}
INTERNAL = {
    SupersededError,
    EndedWorkerError,
    InterruptedIndexingError,
    OtherModelError,
    LowMemoryError,
}  # of one module


def tree(kind: type[LegajoError]) -> Iterator[type[LegajoError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from tree(child)


def ours() -> set[type[LegajoError]]:
    return {kind for kind in tree(LegajoError) if kind.__module__.split(".")[0] in ("rag_system", "assistant", "ui")}


def test_codes_never_change() -> None:
    assert {name: getattr(errors, name).code for name in errors.__all__} == CODES


def test_every_error_of_the_tree_has_a_code_of_its_own() -> None:
    kinds = ours()
    assert kinds >= INTERNAL | {getattr(errors, name) for name in errors.__all__}
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", kind.code) for kind in kinds)


def given_at_a_raise() -> Iterator[tuple[str, str]]:
    """The codes that stand in the source, each with the file where it does."""
    for path in (each for package in ("rag_system", "assistant") for each in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name), keywords=keywords) if name.endswith("Error"):
                    values = (each.value for each in keywords if each.arg == "code")
                    yield from ((v.value, path.name) for v in values if isinstance(v, ast.Constant))


def test_a_code_that_is_given_says_what_no_class_says() -> None:
    codes = {code for code, _ in given_at_a_raise()}
    assert {"unknown_project", "file_too_large"} <= codes
    assert not codes & {kind.code for kind in ours()}


def test_a_code_and_what_a_sentence_names_stand_beside_it() -> None:
    error = NotFoundError("No existe el proyecto «x».", code="unknown_project", project="x")
    assert (str(error), error.code, error.params) == ("No existe el proyecto «x».", "unknown_project", {"project": "x"})
    plain = InputError()
    assert (str(plain), plain.code, plain.params) == ("La entrada no es válida.", "input", {})


def test_an_error_of_another_process_keeps_its_code() -> None:
    error = pickle.loads(pickle.dumps(NotFoundError("No está.", code="unknown_project", project="x")))  # noqa: S301
    assert (str(error), error.code, error.params) == ("No está.", "unknown_project", {"project": "x"})


def test_a_file_that_failed_is_told_to_programs_with_its_code() -> None:
    error = UnreadableFileError("El archivo supera el límite de 5 MB.", code="file_too_large", limit_mb=5)
    row = report_row(failed("a.pdf", error))
    assert (row["error"], row["code"], row["params"]) == (str(error), "file_too_large", {"limit_mb": 5})
    assert not {"code", "params"} & set(report_row(IngestReport(path="a.pdf", status="indexed")))


def test_a_finding_has_the_code_of_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEGAJO_TOP_K", "muchos")
    found = list(examine())
    assert [(finding.ok, finding.code) for finding in found] == [(True, ""), (False, "configuration")]


@pytest.mark.parametrize("kind", Kind)
def test_each_failure_of_a_provider_has_its_code_and_its_words(kind: Kind) -> None:
    subject = Subject(label="Groq", variable="GROQ_API_KEY", model="m")
    error = Failure(kind=kind, status=503, retry_after_s=9.0).error(subject)
    assert isinstance(error, ProviderError)
    assert error.code == f"provider_{kind.name.lower()}"
    assert error.params == {"label": "Groq", "variable": "GROQ_API_KEY", "model": "m", "status": 503, "wait_s": 9.0}
