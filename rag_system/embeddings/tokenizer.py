"""The XLM-RoBERTa unigram tokenizer, rebuilt from the vocabulary that lies beside the weights."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_system.embeddings.weights import Weights

__all__ = ["BEGIN", "END", "TextTokenizer", "save_tokenizer"]

BEGIN, END = 0, 2  # ids of <s> and </s>
LONGEST_PIECE = 16  # characters, in this vocabulary

# What SentencePiece's nmt_nfkc drops, or turns into a space, before NFKC. NUL, which it does not know, is added.
DROPPED = "[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]"
SPACES = "[\u0000\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"


def save_tokenizer(weights: Weights, path: Path) -> None:
    """Write `tokenizer.json`."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.Unigram(weights.pieces, unk_id=weights.unknown_id))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(Regex(DROPPED), ""), normalizers.Replace(Regex(SPACES), " "), normalizers.NFKC()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")]
    )
    path.write_text(tokenizer.to_str(), encoding="utf-8")


class TextTokenizer:
    """Any `str` to token ids, without special tokens. Safe to call from several threads."""

    def __init__(self, path: Path) -> None:
        # An explicit choice keeps the package from warning on stderr when the process later forks.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(path))

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        encodings = self._tokenizer.encode_batch_fast([_encodable(text) for text in texts], add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def count(self, texts: Sequence[str]) -> list[int]:
        encodings = self._tokenizer.encode_batch_fast([_encodable(text) for text in texts], add_special_tokens=False)
        return [len(encoding) for encoding in encodings]


_SURROGATE = re.compile("[\ud800-\udfff]")


def _encodable(text: str) -> str:
    """Lone surrogates cannot be encoded in UTF-8; U+FFFD is what a decoder would have put there."""
    return _SURROGATE.sub("\ufffd", text)
