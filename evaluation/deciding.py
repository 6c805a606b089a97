"""Whether the words that stand out in the first quote are those that answer.

    python -m evaluation.deciding [--set preguntas manuales tesis]

Of the questions that ask for a number or a time: how often the first quote holds the known answer (`right`), how often
something stands out in it (`shown`), and how often that is of the answer (`of it`).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping

from assistant.project_assistant import ProjectAssistant
from evaluation.measure import Row, flat, folders_of, opened, quotes, read_set
from rag_system.generation.deciding import deciding_words
from rag_system.generation.sentence_ranking import asked_for
from rag_system.scope import Scope
from rag_system.types import Finished

__all__ = ["counted"]


def counted(project: ProjectAssistant, rows: list[Row]) -> Mapping[str, int]:
    """How many of the rows are asked, quoted right, and shown."""
    seen: Counter[str] = Counter()
    for row in rows:
        if not (row["answer"] and any(asked_for(row["question"]))):
            continue
        events = project.pipeline.stream(row["question"], scope=Scope(provider="extractive"))
        answer = next(event.answer for event in events if isinstance(event, Finished))
        quote = "".join(quotes(answer)[:1]).rpartition("«")[2]
        known, found = flat(row["answer"]), deciding_words(row["question"], quote)
        words = flat(quote[slice(*found)]) if found else ""
        right = known in flat(quote)
        seen.update({"asked": 1, "right": right, "shown": right and bool(words)})
        seen.update({"of it": right and bool(words) and (words in known or known in words)})
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", dest="sets", nargs="+", default=["preguntas", "manuales", "tesis"])
    sets = parser.parse_args().sets
    with opened({name: folders_of(name) for name in sets}) as projects:
        for name in sets:
            print(json.dumps({name: counted(projects[name], read_set(name))}, ensure_ascii=False))


if __name__ == "__main__":
    main()
