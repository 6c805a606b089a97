"""What the check makes of answers whose sentences are judged: false marks, and mistakes that it catches, by kind.

    python -m evaluation.answers [--file FILE] [--part dev] [--show]

A line is one of `legajo check`, with `mistakes`: `[{"sentence", "kind", "why"}]`, and `part`: `dev` to work with,
`kept` to look at when all is done. A mark is false where it stands on none of the mistakes of its answer.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.answers import KeptAnswer, read_answers
from rag_system.query.text import fold

__all__ = ["FILE", "Judged", "Totals", "judged", "totals"]

FILE = Path(__file__).with_name("respuestas.jsonl")


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer beside what was planted in it and what the check marked."""

    id: str
    mistakes: Sequence[Mapping[str, str]]
    marks: Sequence[tuple[str, str]]  # a sentence, and why

    @property
    def false(self) -> list[tuple[str, str]]:
        """The marks on what is right."""
        return [mark for mark in self.marks if not any(_same(mark[0], each["sentence"]) for each in self.mistakes)]

    def is_caught(self, mistake: Mapping[str, str]) -> bool:
        return any(_same(sentence, mistake["sentence"]) for sentence, _ in self.marks)


@dataclass(slots=True)
class Totals:
    """Answers, and mistakes by kind."""

    flawless: int = 0  # answers without a mistake
    falsely_marked: int = 0  # of them, those with a mark
    false_marks: int = 0  # in all answers
    planted: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)

    @property
    def false_share(self) -> float:
        return self.falsely_marked / self.flawless

    @property
    def caught_share(self) -> float:
        return self.caught.total() / self.planted.total()


def judged(file: Path = FILE, part: str = "") -> Iterator[Judged]:
    """The answers of a judged file, checked; those of a part where one is named."""
    for kept in read_answers(file):
        if part in ("", kept.fields.get("part")):
            yield Judged(kept.id, _mistakes(kept), [(sentence, str(why)) for sentence, why in kept.check().doubts])


def totals(answers: Sequence[Judged]) -> Totals:
    """The sums."""
    found = Totals()
    for answer in answers:
        found.false_marks += len(answer.false)
        found.flawless += not answer.mistakes
        found.falsely_marked += not answer.mistakes and bool(answer.false)
        found.planted.update(mistake["kind"] for mistake in answer.mistakes)
        found.caught.update(mistake["kind"] for mistake in answer.mistakes if answer.is_caught(mistake))
    return found


def _mistakes(kept: KeptAnswer) -> list[dict[str, Any]]:
    """As told, or, where every sentence is judged, those that are not supported."""
    if "mistakes" in kept.fields:
        return list(kept.fields["mistakes"])
    wrong = [each for each in kept.fields["sentences"] if not each["supported"]]
    return [{**each, "kind": each["why"].partition(":")[0]} for each in wrong]


def _same(mark: str, sentence: str) -> bool:
    one, other = _bare(mark), _bare(sentence)
    return one in other or other in one


def _bare(text: str) -> str:
    """Its letters and digits alone, without markers."""
    return re.sub(r"\W", "", fold(re.sub(r"\[\d[\d, ]*\]", "", text)))


def _show(answer: Judged) -> Iterator[str]:
    yield from (f"{answer.id} FALSE  {sentence} ({why})" for sentence, why in answer.false)
    for mistake in answer.mistakes:
        state = "caught" if answer.is_caught(mistake) else "MISSED"
        yield f"{answer.id} {state} {mistake['sentence']} ({mistake['why']})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=FILE)
    parser.add_argument("--part", default="", help="dev or kept; all of them where none is named")
    parser.add_argument("--show", action="store_true", help="each false mark, and each mistake")
    options = parser.parse_args()
    answers = list(judged(options.file, options.part))
    if options.show:
        print("\n".join(line for answer in answers for line in _show(answer)))
    found = totals(answers)
    print(
        json.dumps(
            {
                "flawless": found.flawless,
                "falsely_marked": found.falsely_marked,
                "false_marks": found.false_marks,
                "planted": found.planted.total(),
                "caught": found.caught.total(),
                "by_kind": {kind: f"{found.caught[kind]}/{n}" for kind, n in sorted(found.planted.items())},
            },
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main()
