"""Teaches the question's side of the encoder; the chunks' vectors stay. Resumes where it was stopped.

    nice python -m training.teach --collections DUMP… --lessons FILE… --kept FILE… --out DIR [--epochs 6]

The loss is InfoNCE over every chunk of all documents with lessons (so each question meets the hardest wrong passages),
with several right chunks where the words of the answer stand in several, plus a pull towards the untaught vector that
keeps plain questions, identifiers and other languages where they were. Figures of the kept questions after each epoch
go to DIR/figures.jsonl; the weights of the epoch that serves the kept questions best are DIR/best.pt.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from rag_system.embeddings.weights import Weights, find_weights
from training.lessons import Collection, Lesson, as_typed, batches, read_lessons
from training.measure import PREFIX, measure
from training.network import Encoder, Reader

TEMPERATURE = 0.02
BATCH = 32


def main() -> None:
    options = _options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    collection = Collection(options.collections)
    kept = {path.stem: list(read_lessons(path, collection)) for path in options.kept}
    lessons = _share([lesson for path in options.lessons for lesson in read_lessons(path, collection)], options)
    options.out.mkdir(parents=True, exist_ok=True)
    teacher = Teacher(collection, options)
    teacher.prepare(lessons)
    if teacher.epoch == 0:
        teacher.report(kept, before=True)
    while teacher.epoch < options.epochs:
        teacher.teach(lessons)
        teacher.report(kept)
        teacher.save()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("collections", "lessons", "kept"):
        parser.add_argument(f"--{name}", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--pull", type=float, default=2.0)
    parser.add_argument("--frozen", type=int, default=0, help="lower layers that are not taught")
    parser.add_argument("--share", type=float, default=1.0, help="of the lessons, for a learning curve")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _share(lessons: Sequence[Lesson], options: argparse.Namespace) -> list[Lesson]:
    chosen = random.Random(options.seed).sample(list(lessons), round(len(lessons) * options.share))
    print(f"{len(chosen)} lessons", flush=True)
    return chosen


class Teacher:
    """A model that learns, epoch after epoch, and its state on disk."""

    def __init__(self, collection: Collection, options: argparse.Namespace) -> None:
        weights = Weights(find_weights())
        self._options = options
        self._read = Reader(weights)
        self._model = Encoder(weights)
        self._untaught: dict[str, torch.Tensor] = {}  # question, well typed → its vector before all lessons
        for layer in self._model.layers[: options.frozen]:
            layer.requires_grad_(False)
        self._taught = [weight for weight in self._model.parameters() if weight.requires_grad]
        self._optimiser = torch.optim.AdamW(self._taught, options.rate, weight_decay=0.01)
        self._vectors = torch.from_numpy(collection.vectors)
        self._collection = collection
        self._documents = np.array([f"{chunk['collection']}/{chunk['path']}" for chunk in collection.chunks])
        self.epoch, self._best = 0, 0.0
        if (last := options.out / "last.pt").exists():
            state = torch.load(last)
            self.epoch, self._best = state["epoch"], state["best"]
            self._model.load_state_dict(state["model"])
            self._optimiser.load_state_dict(state["optimiser"])

    def prepare(self, lessons: Sequence[Lesson]) -> None:
        """The vectors that the pull is towards, before anything is learned; and which chunks are rivals.

        Chunks of documents without a lesson are none: always wrong, those of the kept documents would be unlearned.
        """
        taught = np.isin(self._documents, list({lesson.document for lesson in lessons}))
        self._unseen = torch.from_numpy(np.where(taught, 0.0, -1e4).astype(np.float32))
        encoder = Encoder(Weights(find_weights())).eval()
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            for group in batches(lessons, 2 * BATCH, random.Random(0)):
                vectors = encoder(*self._read([PREFIX + lesson.question for lesson in group])).float()
                self._untaught.update(zip((lesson.question for lesson in group), vectors, strict=True))

    def teach(self, lessons: Sequence[Lesson]) -> None:
        """One epoch."""
        chance = random.Random(1000 * self._options.seed + self.epoch)
        self._model.train()
        steps = -(-len(lessons) // BATCH)
        for step, group in enumerate(batches(lessons, BATCH, chance)):
            self._set_rate((self.epoch + step / steps) / self._options.epochs)
            ids, mask = self._read([PREFIX + as_typed(lesson.question, chance) for lesson in group])
            before = torch.stack([self._untaught[lesson.question] for lesson in group])
            loss = self._loss(ids, mask, [lesson.right for lesson in group], before)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._taught, 1.0)
            self._optimiser.step()
            self._optimiser.zero_grad()
        self.epoch += 1

    def _set_rate(self, done: float) -> None:
        """Up over the first twentieth, then down to a tenth."""
        factor = min(done / 0.05, 1.0) * (1 - 0.9 * done)
        for group in self._optimiser.param_groups:
            group["lr"] = self._options.rate * factor

    def _loss(
        self, ids: torch.Tensor, mask: torch.Tensor, right: Sequence[tuple[int, ...]], untaught: torch.Tensor
    ) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            asked = self._model(ids, mask)
        asked = asked.float()
        logits = (asked @ self._vectors.T) / TEMPERATURE + self._unseen
        answers = torch.zeros_like(logits, dtype=torch.bool)
        for place, chunks in enumerate(right):
            answers[place, list(chunks)] = True
        found = torch.logsumexp(logits, 1) - torch.logsumexp(logits.masked_fill(~answers, -1e4), 1)
        return found.mean() + self._options.pull * (1 - (asked * untaught).sum(-1)).mean()

    def report(self, kept: dict[str, list[Lesson]], *, before: bool = False) -> None:
        """Measure the kept questions, vectors alone, and keep the best weights (by the mean of everyday MRRs)."""
        self._model.eval()
        figures = measure(self._model, self._read, self._collection, kept)
        row = {"epoch": 0 if before else self.epoch, **figures}
        with (self._options.out / "figures.jsonl").open("a") as handle:
            handle.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)
        everyday = [kinds["everyday"]["MRR"] for kinds in figures.values() if "everyday" in kinds]
        if not before and float(np.mean(everyday)) > self._best:
            self._best = float(np.mean(everyday))
            torch.save(self._model.state_dict(), self._options.out / "best.pt")

    def save(self) -> None:
        """All that a resumed run needs, replaced in one step."""
        state = {
            "epoch": self.epoch,
            "best": self._best,
            "model": self._model.state_dict(),
            "optimiser": self._optimiser.state_dict(),
        }
        torch.save(state, self._options.out / "last.tmp")
        (self._options.out / "last.tmp").replace(self._options.out / "last.pt")


if __name__ == "__main__":
    main()
