"""Secrets sealed with a key that is outside of the database: who has only the database, or a copy of it, has none.

AES-256-GCM, bound to the place where the secret stands: moved elsewhere it does not open. The sealing keys come from
LEGAJO_SEALING_KEY, or from a file that is made when something is first sealed. The first one seals, each of them opens.
"""

from __future__ import annotations

import hashlib
import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from rag_system.errors import SealingError
from rag_system.settings import Settings
from rag_system.storage.password_file import write_private

__all__ = ["Sealed", "SealingKeys", "new_sealing_key"]

_KEY_BYTES = 32  # AES-256
_NONCE_BYTES = 12  # drawn for each seal: NIST SP 800-38D allows 2³² of them for a key
_FINGERPRINT_DIGITS = 16
_SEPARATORS = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What may be stored."""

    sealed: bytes  # the nonce, and what AES-GCM made
    sealed_with: str  # the sealing key's fingerprint


class SealingKeys:
    """The sealing keys of an installation, read anew for each use: they may change while the program runs."""

    def __init__(self, settings: Settings) -> None:
        self._given = settings.sealing_key
        self.file = settings.sealing_key_file or settings.home / "sealing.keys"

    @property
    def is_given(self) -> bool:
        """Whether the environment holds them: then no file is read or written."""
        return self._given is not None

    def seal(self, secret: SecretStr, *, place: str) -> Sealed:
        """Seal with the first key, which is made where there is none."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        if not self.is_given and not self.file.exists():
            self._make()
        fingerprint, key = next(iter(self._read().items()), ("", b""))
        if not fingerprint:
            raise SealingError
        nonce = os.urandom(_NONCE_BYTES)
        text = AESGCM(key).encrypt(nonce, secret.get_secret_value().encode(), place.encode())
        return Sealed(sealed=nonce + text, sealed_with=fingerprint)

    def open(self, sealed: Sealed, *, place: str) -> SecretStr | None:
        """The secret; None where its sealing key is missing or damaged, or where it was not sealed for this place."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce, text = sealed.sealed[:_NONCE_BYTES], sealed.sealed[_NONCE_BYTES:]
        with suppress(InvalidTag, ValueError, KeyError, SealingError):
            key = self._read()[sealed.sealed_with]
            return SecretStr(AESGCM(key).decrypt(nonce, text, place.encode()).decode())
        return None

    def add_first(self) -> None:
        """Draw a new key, which seals from now on; the others go on opening."""
        self._write([new_sealing_key(), *self._texts()])

    def keep_first(self) -> None:
        """Forget all but the key that seals."""
        self._write(self._texts()[:1])

    def _make(self) -> None:
        fresh = self._draft([new_sealing_key()])
        with suppress(FileExistsError):  # another program was faster
            os.link(fresh, self.file)
        fresh.unlink()

    def _write(self, texts: Iterable[str]) -> None:
        self._draft(texts).replace(self.file)

    def _draft(self, texts: Iterable[str]) -> Path:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        draft = self.file.with_name(f"{self.file.name}.{os.urandom(8).hex()}")
        write_private(draft, "".join(f"{text}\n" for text in texts))
        return draft

    def _texts(self) -> list[str]:
        try:
            text = self._given.get_secret_value() if self._given else self.file.read_text(encoding="ascii")
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError):
            raise SealingError(f"No se pudo leer «{self.file}». Revise sus permisos o restáurelo.") from None
        return [each for each in _SEPARATORS.split(text) if each]

    def _read(self) -> Mapping[str, bytes]:
        """The keys by their fingerprints, in their order."""
        keys = list(map(_key, self._texts()))
        if not all(keys):
            where = "LEGAJO_SEALING_KEY" if self.is_given else f"«{self.file}»"
            raise SealingError(f"{where} no contiene una clave de sellado entera. Póngala como estaba.")
        return {_fingerprint(key): key for key in keys}


def new_sealing_key() -> str:
    """32 random bytes in base64."""
    return urlsafe_b64encode(os.urandom(_KEY_BYTES)).decode()


def _key(text: str) -> bytes:
    """Empty where the text is none."""
    with suppress(ValueError):
        if len(key := urlsafe_b64decode(text)) == _KEY_BYTES:
            return key
    return b""


def _fingerprint(key: bytes) -> str:
    return hashlib.sha256(b"legajo sealing key" + key).hexdigest()[:_FINGERPRINT_DIGITS]
