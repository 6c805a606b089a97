"""What of an answer may act where it is read: nothing.

A document can talk a model into writing an image or a link whose address carries data away as soon as it is shown or
clicked. So images keep their description, links their words, HTML tags go, and an address stays only when it stands
letter for letter in a source or in the question: then it tells nobody anything new. What still looks like Markdown for
a link, or like a tag, is parted by an invisible word joiner, so that no reader of Markdown finds one: neither in the
chat, nor in a copy or an export of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from rag_system.errors import ProviderError
from rag_system.generation.markers import clean_answer
from rag_system.query.markup import HTML_NAMES, strip_invisible
from rag_system.types import AnswerRequest

__all__ = ["OMITTED", "AnswerFilter", "addresses", "disarm"]

OMITTED = "(enlace omitido)"

_NOTICE = "Se omitieron de la respuesta imágenes o enlaces que no están en sus documentos."

_JOINER = "\u2060"  # invisible; grounding reads past it
_MOST_PASSES = 8  # what one removal joins, the next one finds
_HELD_CHARS = 1_500  # of a stream: longer constructs are shown as they are, disarmed

_SCHEMES = ("https", "http", "ftp", "file", "wss", "ws", "mailto", "javascript", "vbscript", "data", "www")
# «:», also as Markdown may write it: escaped, or as an entity.
_COLON = r"\\?(?::|&colon;|&#0{0,6}58;|&#[xX]0{0,6}3[aA];)"
_SLASHES = r"\\?[/\\]\\?[/\\]"
_ADDRESS = re.compile(
    rf"(?:(?:https?|ftp|file|wss?){_COLON}{_SLASHES}|(?:javascript|vbscript|mailto){_COLON}"
    rf"|data{_COLON}(?=[\w/+.-]{{0,60}}[;,])|(?<![\w.-])www\.(?=\w))[^\s<>]+",
    re.IGNORECASE,
)
_ADDRESS_END = ".,;:!?*_~'\"»”’)]}|`…"

_BREAK = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_TAG = re.compile(
    rf"<!--.{{0,2000}}?-->|</?(?:{HTML_NAMES})(?=[\s/>])[^<>]{{0,2000}}>|<[A-Za-z][^<>]{{0,200}}=[^<>]{{0,2000}}>",
    re.IGNORECASE | re.DOTALL,
)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,2000})>")
# Brackets that a backslash escapes are not told apart: what is then not read as a link is disarmed.
_LABEL = r"(?:[^\[\]]|\[[^\[\]]{0,100}\]){0,300}"
_TARGET = r"(?:[^()]|\([^()]{0,200}\)){0,1000}"
_IMAGE = re.compile(rf"!\[({_LABEL})\](?:\({_TARGET}\)|\[[^\[\]]{{0,200}}\])?", re.DOTALL)
_LINK = re.compile(rf"\[({_LABEL})\]\(({_TARGET})\)", re.DOTALL)
_DEFINITION = re.compile(
    r"^[ \t>]{0,6}\[([^\[\]\n]{1,200})\]:[ \t]{0,9}\n?[ \t]{0,9}<?(?:[a-z][a-z0-9+.-]{1,31}:|//|www\.)\S[^\n]*\n?",
    re.IGNORECASE | re.MULTILINE,
)
_REFERENCE = re.compile(rf"\[((?!\s{{0,3}}M?\d{{1,3}}\s{{0,3}}\]){_LABEL})\]\[([^\[\]]{{0,200}})\]", re.DOTALL)
_MARKER_LABEL = re.compile(r"\s*M?\d{1,3}\s*")
_LIVE = re.compile(r"(?<=\])(?=[(:])|(?<=<)(?=[A-Za-z/!?])")
_TERMINAL = re.compile(
    r"\x1b(?:\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|\[[0-?]{0,60}[ -/]{0,9}[@-~])"
)  # ECMA-48: OSC, CSI


def addresses(texts: Iterable[str]) -> frozenset[str]:
    """The web addresses that stand in texts, as they are compared."""
    return frozenset(_key(found[0]) for text in texts for found in _ADDRESS.finditer(text))


def disarm(text: str) -> str:
    """The same words without control characters, and without anything that Markdown or HTML would act on.

    Bare addresses stay: they are words.
    """
    return _LIVE.sub(_JOINER, _shown(text))


def _shown(text: str) -> str:
    return strip_invisible(_TERMINAL.sub("", text), kept=_JOINER)


class AnswerFilter:
    """Takes what could act out of one answer."""

    def __init__(self, request: AnswerRequest) -> None:
        self._request = request
        self._numbers = [item.n for item in request.sources]
        self._defined: set[str] = set()  # labels of links whose definition went
        self._omitted = False

    @property
    def notices(self) -> tuple[str, ...]:
        """What a person is told when anything went."""
        return (_NOTICE,) if self._omitted else ()

    @cached_property
    def _listed(self) -> frozenset[str]:
        """The addresses that may stay. The sources are searched for them only when an answer has one: few have."""
        asked = self._request.plan
        sources = (text for item in self._request.sources for text in (item.text, item.chunk.title, item.chunk.path))
        return addresses((*sources, asked.question, asked.standalone_question))

    def whole(self, text: str) -> str:
        """A finished answer, its markers in their normal form."""
        text = clean_answer(text, self._numbers)[0]
        return clean_answer(self._clean(text), self._numbers)[0]

    def pieces(self, stream: Iterable[str]) -> Iterator[str]:
        """The answer as it comes; what may become a link or a tag waits for the piece that tells.

        When the provider fails, what was held back comes before the error.
        """
        held = ""
        try:
            for piece in stream:
                held += piece
                cut = _certain(held)
                ready, held = held[:cut], held[cut:]
                if ready := self._clean(ready):
                    yield ready
        except ProviderError:
            if held := self._clean(held):
                yield held
            raise
        if held := self._clean(held):
            yield held

    def _clean(self, text: str) -> str:
        text = _shown(text)
        for _ in range(_MOST_PASSES):
            before = text
            if "<" in text:
                text = _TAG.sub("", _BREAK.sub(" ", _AUTOLINK.sub(r"\1", text)))
            if "]" in text:
                text = _LINK.sub(self._link, _IMAGE.sub(self._image, _DEFINITION.sub(self._definition, text)))
                text = _REFERENCE.sub(self._reference, text)
            text = _ADDRESS.sub(self._address, text)
            if text == before:
                break
        return _LIVE.sub(_JOINER, text)

    def _image(self, match: re.Match[str]) -> str:
        self._omitted = True
        return match[1]

    def _definition(self, match: re.Match[str]) -> str:
        self._omitted = True
        self._defined.add(match[1].casefold())
        return ""

    def _reference(self, match: re.Match[str]) -> str:
        return match[1] if (match[2] or match[1]).casefold() in self._defined else match[0]

    def _link(self, match: re.Match[str]) -> str:
        """The words; with the address after them where a source has it."""
        words, target = match[1], match[2].strip().removeprefix("<").split(">")[0].split()
        if _MARKER_LABEL.fullmatch(words):
            return f"[{words.strip()}]"
        if target and self._knows(target[0]):
            return words if self._knows(words) else f"{words} ({target[0]})"
        self._omitted = True
        return words

    def _address(self, match: re.Match[str]) -> str:
        found = match[0]
        if self._knows(found) or found == OMITTED:
            return found
        self._omitted = True
        return OMITTED + found[len(found.rstrip(_ADDRESS_END)) :]

    def _knows(self, address: str) -> bool:
        return _key(address) in self._listed


def _key(address: str) -> str:
    return address.rstrip(_ADDRESS_END).rstrip("/")


# ---------------------------------------------------------------- streams

_BEGUN_SCHEME = "|".join(sorted({s[:n] for s in _SCHEMES for n in range(1, len(s) + 1)}, key=len, reverse=True))
_OPEN_TAIL = re.compile(
    rf"<[^<>]{{0,2000}}$"  # a tag
    rf"|!?\[{_LABEL}(?:\[[^\[\]]{{0,100}})?$"  # the words of a link
    rf"|!?\[{_LABEL}\](?:\({_TARGET}(?:\([^()]{{0,200}})?|\[[^\[\]]{{0,200}})?$"  # its address
    rf"|(?<![^\n])[ \t>]{{0,6}}\[[^\[\]\n]{{1,200}}\]:[^\n]{{0,2000}}$"  # the definition of one
    rf"|(?<![^\W_])(?:{_BEGUN_SCHEME})(?:[\\:&.][^\s<>]{{0,2000}})?$"  # an address
    r"|[!\]\\]$",
    re.IGNORECASE | re.DOTALL,
)


def _certain(text: str) -> int:
    """How many characters no later piece can make part of a link or a tag."""
    if len(text) > _HELD_CHARS:
        return len(text)
    if "](" in text:
        text = _LINK.sub(lambda link: "_" * len(link[0]), text)  # whole already
    tail = _OPEN_TAIL.search(text)
    return tail.start() if tail else len(text)
