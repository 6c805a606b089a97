"""Writes what the product ships of a taught encoder: the difference of its weights, of low rank, in 8 bits.

    python -m training.export --weights DIR/last.pt… --collections DUMP… --kept FILE… [--rank 48] [--share 0.7]
        [--write]

Of several runs (other seeds) the mean of the weights is taken, which costs nothing at run time (Wortsman et al. 2022,
«Model soups»).
`--share` is how far to go from the untaught weights to the taught ones (0…1): on the way the new questions are found
nearly as well as at its end, and the others lose less (Wortsman et al. 2022, «Robust fine-tuning of zero-shot models»).
Without `--write` only the figures of the kept questions are told, for each rank and share given.
"""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from rag_system.embeddings.taught import DIFFERENCE, TaughtWeights
from rag_system.embeddings.weights import Weights, find_weights
from training.lessons import Collection, read_lessons
from training.measure import measure
from training.network import LINEAR, Encoder, Reader

FloatArray = npt.NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--collections", type=Path, nargs="+", required=True)
    parser.add_argument("--kept", type=Path, nargs="+", required=True)
    parser.add_argument("--rank", type=int, nargs="+", default=[48])
    parser.add_argument("--share", type=float, nargs="+", default=[1.0])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    weights = Weights(find_weights())
    collection = Collection(options.collections)
    kept = {path.stem: list(read_lessons(path, collection)) for path in options.kept}
    difference = _difference(Encoder(weights).state_dict(), _mean(options.weights))
    for rank in options.rank:
        for share in options.share:
            packed = _packed({name: share * value for name, value in difference.items()}, rank=rank)
            encoder = _moved(weights, packed)
            row = {
                "rank": rank,
                "share": share,
                "bytes": len(packed),
                **measure(encoder, Reader(weights), collection, kept),
            }
            print(json.dumps(row), flush=True)
            if options.write:
                DIFFERENCE.write_bytes(packed)


def _mean(runs: Sequence[Path]) -> Mapping[str, torch.Tensor]:
    """Of the weights of runs."""
    loaded = [torch.load(path, map_location="cpu") for path in runs]
    taught = [each.get("model", each) for each in loaded]  # of `last.pt`, with the optimiser's state beside it
    return {name: torch.stack([each[name] for each in taught]).mean(0) for name in taught[0]}


def _difference(before: Mapping[str, torch.Tensor], after: Mapping[str, torch.Tensor]) -> dict[str, FloatArray]:
    """What was learned, by the wheel's names: «l0.q.w», «l0.q.b», «l0.aln.w»…"""
    learned = {}
    for name, value in after.items():
        _, layer, part, kind = name.split(".")
        learned[f"l{layer}.{part}.{'w' if kind == 'weight' else 'b'}"] = (value - before[name]).numpy()
    return learned


def _packed(difference: Mapping[str, FloatArray], *, rank: int) -> bytes:
    """The difference as it is shipped; of matrices the best approximation of that rank (Eckart & Young 1936)."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, value in difference.items():
        if value.ndim == 1:
            arrays[name] = value.astype(np.float16)
            continue
        left, strength, right = np.linalg.svd(value, full_matrices=False)
        root = np.sqrt(strength[:rank])
        for side, factor in (("left", left[:, :rank] * root), ("right", right[:rank].T * root)):
            scale = np.abs(factor).max(axis=0) / 127 + 1e-12
            arrays[f"{name}.{side}"] = np.round(factor / scale).astype(np.int8)
            arrays[f"{name}.{side}.scale"] = scale.astype(np.float32)
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    return packed.getvalue()


def _moved(weights: Weights, packed: bytes) -> Encoder:
    """An encoder with the weights as the product reads them."""
    taught = TaughtWeights(weights, packed)
    encoder = Encoder(weights).eval()
    with torch.no_grad():
        for number, layer in enumerate(encoder.layers):
            for part in (*LINEAR, "aln", "oln"):
                module = getattr(layer, part)
                for kind, parameter in (("w", module.weight), ("b", module.bias)):
                    parameter.copy_(torch.from_numpy(taught.tensor(f"l{number}.{part}.{kind}", *parameter.shape)))
    return encoder


if __name__ == "__main__":
    main()
