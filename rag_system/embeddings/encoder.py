"""Builds multilingual-e5-small as an OpenVINO graph, from word embeddings to unit-length sentence vectors.

Looking the words up stays outside the graph: as a constant in it, the table of 250,037 words would take 192 to 384 MB
of memory, although a text touches a few hundred rows (see `e5.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rag_system.embeddings.runtime import op, ov
from rag_system.embeddings.taught import TaughtWeights
from rag_system.embeddings.weights import Shape, Weights

__all__ = ["MASK_INPUT", "WORDS_INPUT", "build_encoder"]

WORDS_INPUT = "words"  # float32 [texts, tokens, hidden]
MASK_INPUT = "mask"  # float32 [texts, tokens], 1 for a token and 0 for padding
MASKED = np.float32(-1e4)  # added to the logits of padding; finite, also in half precision

Node = Any  # openvino.Node and openvino.Output, which the operations accept alike


def build_encoder(weights: Weights | TaughtWeights) -> ov.Model:
    """The graph: embeddings' normalisation, the layers, mean pooling, L2 normalisation."""
    shape = weights.shape
    words = op.parameter([-1, -1, shape.hidden], np.float32, name=WORDS_INPUT)
    mask = op.parameter([-1, -1], np.float32, name=MASK_INPUT)
    build = _Layers(weights)
    bias = op.multiply(op.subtract(np.float32(1), op.unsqueeze(mask, _ints(1, 2))), MASKED)
    state = build.norm(op.add(words, build.positions(mask)), "emb.ln")
    for layer in range(shape.layers):
        state = build.norm(op.add(state, build.attention(state, bias, f"l{layer}")), f"l{layer}.aln")
        state = build.norm(op.add(state, build.feed_forward(state, f"l{layer}")), f"l{layer}.oln")
    model = ov.Model([_unit_mean(state, mask)], [words, mask], "multilingual-e5-small")
    model.outputs[0].get_tensor().set_names({"vectors"})
    return model


class _Layers:
    """The building blocks of a BERT layer over named weights."""

    def __init__(self, weights: Weights | TaughtWeights) -> None:
        self._get = weights.tensor
        self._shape: Shape = weights.shape

    def positions(self, mask: Node) -> Node:
        """Position embeddings of as many tokens as the batch is long, with the only token type used added."""
        shape = self._shape
        table = (
            self._get("emb.pos", shape.positions, shape.hidden)
            + self._get("emb.type", shape.token_types, shape.hidden)[:1]
        )
        length = op.gather(op.shape_of(mask), _ints(1), np.int64(0))
        return op.slice(op.constant(table), _ints(0), length, _ints(1), _ints(0))

    def norm(self, state: Node, name: str) -> Node:
        gain, shift = (self._get(f"{name}.{part}", self._shape.hidden) for part in "wb")
        centred = op.mvn(state, _ints(-1), True, self._shape.layer_norm_epsilon, "INSIDE_SQRT")
        return op.add(op.multiply(centred, op.constant(gain)), op.constant(shift))

    def linear(self, state: Node, name: str, rows: int, columns: int) -> Node:
        weight, shift = self._get(f"{name}.w", rows, columns), self._get(f"{name}.b", rows)
        return op.add(op.matmul(state, op.constant(weight), False, True), op.constant(shift))

    def attention(self, state: Node, bias: Node, layer: str) -> Node:
        hidden, heads = self._shape.hidden, self._shape.heads
        query, key, value = (
            self._heads(self.linear(state, f"{layer}.{part}", hidden, hidden), heads) for part in "qkv"
        )
        mixed = op.scaled_dot_product_attention(query, key, value, bias)
        joined = op.reshape(op.transpose(mixed, _ints(0, 2, 1, 3)), _ints(0, 0, hidden), True)
        return self.linear(joined, f"{layer}.ao", hidden, hidden)

    @staticmethod
    def _heads(state: Node, heads: int) -> Node:
        return op.transpose(op.reshape(state, _ints(0, 0, heads, -1), True), _ints(0, 2, 1, 3))

    def feed_forward(self, state: Node, layer: str) -> Node:
        hidden, inner = self._shape.hidden, self._shape.feed_forward
        return self.linear(
            op.gelu(self.linear(state, f"{layer}.fi", inner, hidden), "erf"), f"{layer}.fo", hidden, inner
        )


def _unit_mean(state: Node, mask: Node) -> Node:
    """The sum over the tokens, scaled to length 1: the mean's divisor would cancel out."""
    total = op.reduce_sum(op.multiply(state, op.unsqueeze(mask, _ints(2))), _ints(1), False)
    return op.normalize_l2(total, _ints(-1), 1e-12, "max")


def _ints(*values: int) -> Node:
    return op.constant(np.array(values, dtype=np.int64))
