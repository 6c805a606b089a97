"""What the product runs with has licences that let anybody use it; each other one is told, with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

LOCK = Path(__file__).parents[2] / "requirements.lock"
PERMISSIVE = re.compile(
    r"(MIT(-0|-CMU)?|(3-Clause )?BSD|0?BSD(-[23]-Clause)?|Apache(-2\.0| Software| License 2\.0)?|PSF-2\.0|Zlib|"
    r"CC0-1\.0|CNRI-Python|dependency lic\w*)( License)?"
)
TOLD = {
    "certifi": "MPL-2.0: a list of certificates, used as it is",
    "locate": "MIT in the licence it ships; its metadata say «other»",
    "orjson": "MPL-2.0 in part, used as it is",
    "psycopg": "LGPL-3.0: a library, used as it is, and replaceable",
    "psycopg-binary": "LGPL-3.0, as psycopg",
    "psycopg-pool": "LGPL-3.0, as psycopg",
    "pyrage": "MIT in the licence it ships; its metadata say nothing",
}


def locked() -> Iterator[tuple[str, str]]:
    """The name of each package that is installed of the lock, and what its metadata say of its licence."""
    names = set(re.findall(r"^([\w.-]+)(?:\[[^\]]*\])?==", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    for each in distributions():
        if (name := re.sub(r"[-_.]+", "-", each.name.lower())) in names:
            classifiers = [line for line in each.metadata.get_all("Classifier", []) if line.startswith("License ::")]
            said = each.metadata["License-Expression"] or "; ".join(line.split(" :: ")[-1] for line in classifiers)
            yield name, said or (each.metadata["License"] or "")[:40]


def test_each_licence_is_permissive_or_told() -> None:
    found = dict(locked())
    assert len(found) > 80
    others = {
        name: said
        for name, said in found.items()
        if not all(PERMISSIVE.fullmatch(part) for part in re.split(r" AND | OR |; |, ", said))
    }
    assert set(others) == set(TOLD), others
