"""Sentences that are made in Spanish, below the chat or long ago, in the language of who looks.

The engine and the accounts say what happened in Spanish, with names and numbers in it, and conversations keep it so.
The section `said` of a catalogue has the same sentences in its language, by the Spanish one, with a brace for what
changes; a sentence that none of them fits stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from ui.texts import DEFAULT_LANGUAGE, catalogue, language

__all__ = ["SAID", "around_quotes", "translated"]

SAID = "said."
_BRACE = re.compile(r"(«?)\{(\w+)(?::([ds]))?\}")
_VALUES = {"d": r"[\d .,–]+?", "s": r".*?", None: r".*?"}  # of «:d» numbers, of «:s» somebody's own words
_QUOTE, _CELL = ": «", " | "
_ROW = re.compile(r"\| (.*) \|")
_ITEM = re.compile(r" *(?:[-*]|\d+\.) ")
_KEPT = 4_096  # sentences
_ENGLISH_QUOTES = str.maketrans("«»", "“”")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """A Spanish sentence, to be recognised, and how it is told."""

    pattern: re.Pattern[str]
    told: str
    spoken: frozenset[str]  # its values that are ours, to be told in the language too

    def told_of(self, sentence: str, in_language: str) -> str | None:
        """The sentence, if it is of this form."""
        found = self.pattern.fullmatch(sentence)
        if found is None:
            return None
        values: Mapping[str, str] = found.groupdict()
        return self.told.format(**{n: _told(v, in_language) if n in self.spoken else v for n, v in values.items()})


def translated(sentence: str) -> str:
    """A sentence of ours as who looks reads it.

    >>> translated("Su sesión terminó. Entre de nuevo para continuar.")
    'Su sesión terminó. Entre de nuevo para continuar.'
    """
    spoken = language()
    return sentence if spoken == DEFAULT_LANGUAGE else _sentence(sentence, spoken)


def around_quotes(answer: str) -> str:
    """An answer that no model wrote, with what stands around its quotes, or instead of them, as who looks reads it.

    No quote has quotation marks of ours inside, so that what stands between two is never told anew.
    """
    if language() == DEFAULT_LANGUAGE:
        return answer
    lines, quoted = [], False
    for line in answer.split("\n"):
        lines.append(line if quoted else _around_quote(line))
        quoted = line.rfind("«") > line.rfind("»") or (quoted and "»" not in line)
    return "\n".join(lines)


def _around_quote(line: str) -> str:
    """«Según la Ley 1: «El plazo…» [1]»: what introduces the quote and what follows it; of a table's row every cell."""
    if row := _ROW.fullmatch(line):
        return f"| {_CELL.join(map(translated, row[1].split(_CELL)))} |"
    mark = item[0] if (item := _ITEM.match(line)) else ""
    line = line.removeprefix(mark)
    before, quote, quoted = line.partition(_QUOTE)
    if not quote:
        return mark + translated(line)
    end = quoted.rfind("»") + 1 or len(quoted)
    return f"{mark}{translated(before + ':')} «{quoted[:end]}{translated(quoted[end:])}"


@lru_cache(_KEPT)
def _sentence(sentence: str, in_language: str) -> str:
    forms = (form.told_of(sentence, in_language) for form in _forms(in_language))
    return next((told for told in forms if told is not None), sentence)


def _told(value: str, in_language: str) -> str:
    """What stands for a brace: a sentence or a name of ours, several names, or neither."""
    whole = _sentence(value, in_language)
    if whole == value and ", " in value:
        whole = ", ".join(_sentence(each, in_language) for each in value.split(", "))
    return whole.translate(_ENGLISH_QUOTES)


@cache
def _forms(in_language: str) -> tuple[_Form, ...]:
    """Those of a language, the one with most words of its own first."""
    said = {key.removeprefix(SAID): told for key, told in catalogue(in_language).items() if key.startswith(SAID)}
    return tuple(_form(key, said[key]) for key in sorted(said, key=lambda key: -len(_BRACE.sub("", key))))


def _form(key: str, told: str) -> _Form:
    pattern, spoken, end = "", set(), 0
    for brace in _BRACE.finditer(key):
        quoted, name, kind = brace.groups()
        pattern += re.escape(key[end : brace.start()] + quoted)
        pattern += f"(?P={name})" if f"(?P<{name}>" in pattern else f"(?P<{name}>{_VALUES[kind]})"
        end = brace.end()
        if not (quoted or kind):
            spoken.add(name)
    return _Form(pattern=re.compile(pattern + re.escape(key[end:]), re.DOTALL), told=told, spoken=frozenset(spoken))
