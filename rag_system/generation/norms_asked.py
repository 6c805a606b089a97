"""The norms that a question asks for: whether a passage is one of them or mentions one, and how a person calls them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag_system.query.identifiers import by_name, extract_identifiers, find_identifiers, own_names, same_identifier
from rag_system.query.text import fold
from rag_system.types import Evidence, QueryPlan

__all__ = ["NormsElsewhere", "as_written", "everything", "is_the_norm", "mentions", "named_in", "not_there", "pronoun"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NormsElsewhere:
    """Norms asked for that the library has, but not where the search was confined to."""

    norms: Sequence[str] = ()  # canonical
    searched: str = ""  # «entre los documentos elegidos»


def is_the_norm(item: Evidence, identifiers: Sequence[str]) -> bool:
    """Whether the document of a passage is one of the norms (canonical)."""
    chunk = item.chunk
    known = (*chunk.identifiers, *(own_names(chunk.title) if identifiers else ()))
    if any(same_identifier(own, asked) for own in known for asked in identifiers):
        return True
    return mentions("\n".join((chunk.title, chunk.path)), [asked for asked in identifiers if not by_name(asked)])


def named_in(item: Evidence) -> Iterator[str]:
    """The norms that a passage is or names."""
    yield from item.chunk.identifiers
    yield from extract_identifiers(everything(item))


def mentions(text: str, identifiers: Sequence[str]) -> bool:
    """Whether a text names one of the norms (canonical)."""
    found = extract_identifiers(text) if identifiers else ()
    return any(same_identifier(each, asked) for each in found for asked in identifiers)


def everything(item: Evidence) -> str:
    """A passage with its title, path and headings."""
    headings = [heading for chunk in item.chunks for heading in chunk.heading_path]
    return "\n".join((item.chunk.title, item.chunk.path, *headings, item.text))


def not_there(plan: QueryPlan, absent: Sequence[str], elsewhere: NormsElsewhere, among: str = "entre ellos") -> str:
    """«entre ellos no está la Ley 1»; «la Ley 2 está en su biblioteca, pero no entre los documentos elegidos»."""
    held = [asked for asked in absent if asked in elsewhere.norms]
    lost = [asked for asked in absent if asked not in held]
    missing = f"{among} no está {as_written(plan, lost)}"
    if not held:
        return missing
    are = "está" if len(held) == 1 else "están"
    told = f"{as_written(plan, held, joint='y')} {are} en su biblioteca, pero no {elsewhere.searched}"
    return f"{told}; {missing}" if lost else told


def as_written(plan: QueryPlan, identifiers: Sequence[str] = (), *, joint: str = "ni") -> str:
    """The norms, or those of `identifiers`, in the person's own spelling, with their article."""
    question = plan.standalone_question
    every = len(identifiers) in (0, len(plan.identifiers))
    named = [match for match in find_identifiers(question) if every or match.canonical in identifiers]
    written = (question[match.start : match.end].removeprefix("en ") for match in named)  # «en ISO 27002»
    return f" {joint} ".join(map(_with_article, written)) or "esa norma"


def pronoun(plan: QueryPlan, identifiers: Sequence[str]) -> str:
    """What stands for the norms: «la mencionan», «lo mencionan»; for several, «las» unless one of them is masculine."""
    named = as_written(plan, identifiers, joint="|").split("|")
    masculine = any(name.startswith("el ") for name in named)
    return f"{'lo' if masculine else 'la'}{'s' if len(named) > 1 else ''}"


_FEMININE = re.compile(
    r"(?:ley|resoluci|constituci|carta magna|ordenanza|directiva|circular|norma|iso|ntp|nom|r\.?\s?[mds]\b|nist|"
    r"l[a-z]{2,4}$)"
)
_MASCULINE = re.compile(r"(?:decreto|d\.?\s?(?:s|l|u|leg)\b|d\.?\s?[slu]\.|reglamento|codigo|convenio|rgpd|gdpr|tuo)")


def _with_article(norm: str) -> str:
    """«la Ley 30407», «el D.S. 044-2020-PCM»; other names stand alone."""
    plain = fold(norm)
    if _FEMININE.match(plain):
        return f"la {norm}"
    return f"el {norm}" if _MASCULINE.match(plain) else norm
