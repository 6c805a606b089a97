"""Writes the chunks of a project and their vectors, which lessons are taught against:

python -m training.dump PROJECT OUT        # OUT.npy [chunks, 384] float16, OUT.jsonl {chunk_id, path, section, text}
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from rag_system import LOCAL_PERSON
from rag_system.settings import load_settings
from rag_system.storage.opening import open_database

_CHUNKS = """
select c.chunk_id, d.path, array_to_string(c.heading_path, ' › '), c.text, e.embedding::text
from chunks c
join documents d using (project_id, document_id)
join embeddings e using (project_id, chunk_id)
where c.project_id = %s
order by c.chunk_id
"""


def main(project: str, out: Path) -> None:
    with open_database(load_settings()).as_person(LOCAL_PERSON).connection() as connection:
        rows = connection.execute(_CHUNKS, (project,)).fetchall()
    np.save(out.with_suffix(".npy"), np.array([json.loads(row[4]) for row in rows], dtype=np.float16))
    with out.with_suffix(".jsonl").open("w", encoding="utf-8") as handle:
        for chunk_id, path, section, text, _ in rows:
            row = {"chunk_id": chunk_id, "path": path, "section": section, "text": text}
            handle.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
