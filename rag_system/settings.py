"""Every knob: its name, unit, default, and where the default comes from.

Values come from environment variables, then from a `.env` file in LEGAJO_HOME, then from one beside the source code.
The table in `docs/reference/settings.md` is generated from this model (`scripts/settings_table.py`), and a test keeps
both equal.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from rag_system.errors import ConfigurationError
from rag_system.home import default_home, env_files
from rag_system.privacy import is_planted, keep_private
from rag_system.setting_values import complaint

__all__ = [
    "ANY_KEY",
    "AccountsMode",
    "AnswerLanguage",
    "EntityMode",
    "LogFormat",
    "OcrMode",
    "ProviderName",
    "Settings",
    "load_settings",
    "variable",
]

ANY_KEY = SecretStr("sin-clave")  # the SDKs refuse an empty one; a local server ignores it

AccountsMode = Literal["local", "password", "oidc"]
OcrMode = Literal["auto", "on", "off"]
EntityMode = Literal["auto", "rules", "spacy"]
LogFormat = Literal["text", "json"]
ProviderName = Literal["extractive", "google", "groq", "openrouter", "local"]
AnswerLanguage = Literal["es", "ca", "de", "en", "eu", "fr", "gl", "it", "pt", "qu"]


class Settings(BaseSettings):
    """The program's configuration, read once at start and never changed."""

    model_config = SettingsConfigDict(
        env_prefix="LEGAJO_",
        frozen=True,
        extra="ignore",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        populate_by_name=True,
    )

    # --- where things live
    home: Path = Field(
        default_factory=default_home,
        validation_alias="LEGAJO_HOME",
        description="Directory of the embedded database, caches and secrets.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_URL",
        description="A PostgreSQL ≥ 15 server with pgvector ≥ 0.8.4. Without it the embedded server is used.",
    )
    database_migration_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_MIGRATION_URL",
        description="The same database for the owner of its tables, where that is another login: for `legajo migrate`.",
    )
    database_read_url: SecretStr | None = Field(
        default=None,
        validation_alias="DATABASE_READ_URL",
        description="Streaming replicas of the same database, for searches; several hosts, separated by commas. The "
        "login is one of the application, not of the tables' owner.",
    )
    replica_lag_s: float = Field(
        default=5.0,
        ge=0,
        le=3600,
        description="How far a replica may be behind, in seconds, for searches to read it; one that has not seen a "
        "project's last publication is not read for it. Else the primary is.",
    )
    database_partitions: int = Field(
        default=1,
        ge=1,
        le=1024,
        validation_alias="DATABASE_PARTITIONS",
        description="In how many partitions, by project, a new database keeps what grows with its chunks; of one "
        "that is there it changes nothing.",
    )

    sealing_key: SecretStr | None = Field(
        default=None,
        description="What seals the providers' keys that people and projects bring, 32 bytes in base64; several, "
        "separated by commas: the first seals, each of them opens. Without it, LEGAJO_SEALING_KEY_FILE.",
    )
    sealing_key_file: Path | None = Field(
        default=None,
        description="A file with the same, one to a line, made when a key is first kept; without it, `sealing.keys` in "
        "LEGAJO_HOME. Keep a copy of it, and never beside one of the database.",
    )

    # --- the language model
    llm_provider: ProviderName = Field(
        default="extractive",
        validation_alias="LLM_PROVIDER",
        description="extractive (no key, quotes sentences), google, groq, openrouter, or local.",
    )
    llm_model: str = Field(
        default="", validation_alias="LLM_MODEL", description="Model name; empty means the provider's default."
    )
    llm_base_url: str = Field(
        default="",
        validation_alias="LLM_BASE_URL",
        description="Base URL of the provider's API; for local, of an OpenAI-compatible server.",
    )
    google_api_key: SecretStr | None = Field(
        default=None, validation_alias="GOOGLE_API_KEY", description="Key for google."
    )
    groq_api_key: SecretStr | None = Field(default=None, validation_alias="GROQ_API_KEY", description="Key for groq.")
    openrouter_api_key: SecretStr | None = Field(
        default=None, validation_alias="OPENROUTER_API_KEY", description="Key for openrouter."
    )
    local_api_key: SecretStr | None = Field(
        default=None, validation_alias="LOCAL_API_KEY", description="Key for local, where the server asks for one."
    )
    temperature: float = Field(
        default=0.4, ge=0, le=2, validation_alias="LLM_TEMPERATURE", description="Sampling temperature, where taken."
    )
    max_output_tokens: int = Field(
        default=1500, ge=1, validation_alias="LLM_MAX_TOKENS", description="Longest answer, in tokens."
    )
    thinking_tokens: int = Field(
        default=2000,
        ge=0,
        le=100_000,
        validation_alias="LLM_THINKING_TOKENS",
        description="Room beside the answer for what a model thinks before it writes, in tokens.",
    )
    llm_timeout_s: float = Field(
        default=30.0, gt=0, validation_alias="LLM_TIMEOUT", description="Longest silence of the provider, in seconds."
    )
    llm_total_timeout_s: float = Field(
        default=180.0,
        gt=0,
        validation_alias="LLM_TOTAL_TIMEOUT",
        description="Longest time to write an answer, retries and the fallback included, in seconds.",
    )
    llm_fallback: ProviderName | None = Field(
        default=None,
        validation_alias="LLM_FALLBACK",
        description="Who answers when LLM_PROVIDER fails before its first word; the answer says so. The question and "
        "the passages are then sent to that provider. Never used where a provider is asked for by name.",
    )
    llm_fallback_model: str = Field(
        default="", validation_alias="LLM_FALLBACK_MODEL", description="Its model; empty means its default."
    )
    llm_fallback_base_url: str = Field(
        default="", validation_alias="LLM_FALLBACK_BASE_URL", description="Base URL of its API; empty means its own."
    )
    prompt_tokens: int = Field(
        default=6000,
        ge=1500,
        description="Longest prompt, in estimated tokens: rules, instructions, facts, history, passages and question. "
        "With LLM_MAX_TOKENS it must fit the model's window; the default fits 8,192.",
    )
    assistant_name: str = Field(
        default="Legajo",
        min_length=1,
        max_length=60,
        description="What the assistant calls itself, where a project has no name of its own for it.",
    )
    answer_language: AnswerLanguage | None = Field(
        default=None,
        description="Language of a model's answers: es, ca, de, en, eu, fr, gl, it, pt or qu; else the question's.",
    )
    hide_model: bool = Field(
        default=False,
        description="Whether answers keep to themselves which model and provider write them, where a project does not "
        "say.",
    )

    # --- the microphone
    transcriber_base_url: str = Field(
        default="",
        validation_alias="TRANSCRIBER_BASE_URL",
        description="Base URL of an OpenAI-compatible server that writes down what is dictated: "
        "`http://127.0.0.1:8081/v1`. Without it the chat has no microphone. Recordings are sent there and not kept.",
    )
    transcriber_model: str = Field(
        default="whisper-1", validation_alias="TRANSCRIBER_MODEL", description="Its model, as the server names it."
    )
    transcriber_api_key: SecretStr | None = Field(
        default=None, validation_alias="TRANSCRIBER_API_KEY", description="Its key, where the server asks for one."
    )

    # --- the question
    min_question_chars: int = Field(default=3, ge=1, description="Shorter messages are not searched, in characters.")
    max_question_chars: int = Field(default=1000, ge=1, description="Longer questions are cut, in characters.")
    history_messages: int = Field(
        default=6, ge=0, le=20, description="Messages of the conversation that a question may lean on."
    )

    task_tokens: int = Field(
        default=40_000,
        ge=0,
        description="Estimated tokens from which the chat asks before a model reads documents as wholes, to "
        "summarise or to compare long ones.",
    )
    metrics_days: int = Field(
        default=90,
        ge=0,
        le=3650,
        description="Days that what answers took is kept, without questions or people: `legajo metrics`; 0 keeps "
        "nothing.",
    )

    model_titles: bool = Field(
        default=True,
        description="Whether a language model is asked, after the first answer, what its conversation is to be called: "
        "a short request more. Off, and without a model, the question's own words name it.",
    )

    # --- retrieval
    recipe: str = Field(default="default", validation_alias="LEGAJO_RECIPE", description="Retrieval recipe.")
    top_k: int = Field(default=8, ge=1, le=20, validation_alias="LEGAJO_TOP_K", description="Passages per answer.")
    citation_top_k: int = Field(default=3, ge=1, le=20, description="Passages when an author and year are asked for.")
    context_chars: int = Field(default=12_000, ge=500, description="Longest context given to the model, in characters.")
    similarity_floor: float | None = Field(
        default=None, ge=0, le=1, description="Least cosine of a passage with the question; without it, the recipe's."
    )

    query_angles: int = Field(
        default=0,
        ge=0,
        le=3,
        description="Further angles of a question that a language model may add to its search; 0 means none.",
    )
    reranker: str = Field(
        default="",
        description="Cross-encoder of sentence-transformers, by hub name or folder, that reads the best passages again "
        "in recipes that say so. It must know Spanish: `cross-encoder/mmarco-mMiniLMv2-L12-H384-v1` or "
        "`BAAI/bge-reranker-v2-m3`; English ones lower the quality.",
    )

    # --- indexing
    embedding_model: str = Field(
        default="multilingual-e5-small", validation_alias="LEGAJO_EMBEDDING_MODEL", description="Embedding model."
    )
    embedding_threads: int = Field(
        default=0, ge=0, validation_alias="LEGAJO_THREADS", description="Threads for embedding; 0 means every core."
    )
    chunk_tokens: int = Field(
        default=400,
        ge=50,
        description="Longest chunk, in tokens of the embedding model. After a change: legajo reindex.",
    )
    chunk_overlap_tokens: int = Field(
        default=60, ge=0, description="Overlap inside a section, in tokens. After a change: legajo reindex."
    )
    ocr: OcrMode = Field(
        default="auto",
        description="Reading scanned pages as text: auto, where Tesseract is installed; on, a file with such pages "
        "fails without it; off, never.",
    )
    ocr_languages: str = Field(
        default="spa",
        pattern=r"^[A-Za-z0-9_/]+(\+[A-Za-z0-9_/]+)*$",
        description="Languages of scanned pages, as Tesseract names them, joined by `+`: `spa+eng`.",
    )
    entities: EntityMode = Field(
        default="auto",
        description="What finds the persons, organisations and places that documents name: rules, or spaCy beside "
        "them (`scripts/setup --with spacy`); auto, rules where LEGAJO_RECIPE looks at them (`lume`) and nothing "
        "elsewhere. After a change: legajo reindex.",
    )
    max_file_mb: int = Field(
        default=2048, ge=1, validation_alias="LEGAJO_MAX_FILE_MB", description="Largest accepted file, in MiB."
    )
    max_project_chunks: int = Field(
        default=1_000_000,
        ge=1,
        description="Most chunks of a project, about 600 characters each: with more, answers take longer than was "
        "ever measured.",
    )
    web_allow: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Servers and networks of your own that web addresses may lead to, though they are private: "
        "`intranet.empresa.pe,10.20.0.0/16`. This machine itself is never read.",
    )

    # --- people
    accounts: AccountsMode = Field(
        default="local",
        description="Who may use the chat: local (one person, at this machine alone, by the link of the start), "
        "password (people with accounts), or oidc (people of an OpenID Connect provider).",
    )
    oidc_issuer: str = Field(
        default="", description="Address of the OpenID Connect provider, as its configuration names it; for oidc."
    )
    oidc_client_id: str = Field(default="", description="What the provider calls Legajo.")
    oidc_client_secret: SecretStr | None = Field(default=None, description="Secret that the provider gave for it.")
    oidc_trust_email: bool = Field(
        default=False,
        description="Take the e-mail addresses of a provider that does not say whether it verified them, as Microsoft "
        "Entra ID does not: only where your organization alone gives them.",
    )

    # --- the chat
    token: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Secret in the link that opens the chat, of 16 characters or more; without it every start makes a "
        "new one.",
    )
    memory_low_percent: float = Field(
        default=5.0,
        ge=0,
        le=100,
        description="Free memory, in percent of all, below which nothing is reranked and files wait; 0 means never.",
    )
    memory_critical_percent: float = Field(
        default=2.5, ge=0, le=100, description="The same, below which questions are not expanded either."
    )
    log_format: LogFormat = Field(
        default="text",
        description="What the chat, the API and workers write of themselves: text, or json, a line an event.",
    )
    drain_s: float = Field(
        default=0.0,
        ge=0,
        le=30,
        description="How long a chat that is asked to end still takes what comes while /ready says no, in seconds: "
        "time for a proxy that looks there to send nobody any more. 0 closes the port at once.",
    )
    api_per_minute: int = Field(
        default=120, ge=1, le=100_000, description="Requests that a token of the HTTP API may make in a minute."
    )
    allowed_providers: Annotated[tuple[ProviderName, ...], NoDecode] = Field(
        default=(), validation_alias="LEGAJO_PROVIDERS", description="Providers offered in the chat; empty means all."
    )

    @field_validator("allowed_providers", "web_allow", mode="before")
    @classmethod
    def _split_commas(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("home")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        try:
            return value.expanduser().absolute()
        except (RuntimeError, OSError) as error:  # «~nobody/…»; a relative path in a directory that is gone
            raise ValueError from error

    @cached_property
    def cache_dir(self) -> Path:
        """Where rebuilt model files live."""
        return self.home / "cache"


def variable(name: str) -> str:
    """The environment variable of a field: `top_k` is set by `LEGAJO_TOP_K`."""
    alias = Settings.model_fields[name].validation_alias
    return alias if isinstance(alias, str) else f"{Settings.model_config['env_prefix']}{name.upper()}"


def load_settings() -> Settings:
    """Read the settings; a wrong value raises `ConfigurationError` that names the variable and what it accepts.

    A `.env` of ours that others could read, which may hold keys, is taken from them; one that others may have put there
    is refused, since it says where questions are sent.
    """
    for file in env_files():
        if is_planted(file):
            raise ConfigurationError(
                f"«{file}» es de otro usuario, en una carpeta que otros pueden cambiar: no se lee. Bórrelo y ejecute "
                f"«chmod go-w {file.parent}»."
            )
        keep_private(file)
    try:
        return Settings(_env_file=env_files())  # type: ignore[call-arg]  # an argument of every BaseSettings
    except ValidationError as error:
        wrong = error.errors()[0]
        name = next(each for each in Settings.model_fields if wrong["loc"][0] in (each, variable(each)))
        raise ConfigurationError(complaint(variable(name), Settings.model_fields[name], wrong)) from None
    except UnicodeDecodeError:
        raise ConfigurationError("El archivo .env no está en UTF-8. Guárdelo en UTF-8 y vuelva a intentar.") from None
    except OSError:
        raise ConfigurationError("No se pudo leer el archivo .env de LEGAJO_HOME. Revise sus permisos.") from None
