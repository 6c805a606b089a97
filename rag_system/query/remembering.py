"""«Recuerda que el expediente se presenta en mesa de partes»: what a message asks to be kept, as a sentence.

That it asks for it is told by `rag_system.query.kinds`; what goes on to ask is a question.
"""

from __future__ import annotations

import re
import unicodedata

from rag_system.query.asking import asking_stretch
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.kinds import read_kind

__all__ = ["fact_to_remember"]

_FEWEST_WORDS = 3  # that state something: «recuerda que sí» does not

# «por favor, quiero que siempre tengas en cuenta que», «toma nota de lo siguiente:»
_OPENING = re.compile(
    r"""\W* (?:[\w,]+\s+){0,8}?
    (?:recu?[eo]rd|anot|apunt|memori[zc]|olvid|nota|cuenta|presente|guard|acu?[eo]rd|grab|registr|agreg|consider|dato)\w*
    (?: \s+\w+ ){0,3}? (?: ,?\s+(?:de\s+)?que\s+ | \s*[:,;]\s* )
    (?: (?:por\s+favor|porfa|siempre|tambien)[,:]?\s+ (?:que\s+)? )?""",
    re.VERBOSE,
)
_WORD = re.compile(r"\w+")


def fact_to_remember(message: str) -> str:
    """What a message asks to be kept, as a sentence; empty where it asks for something else.

    >>> fact_to_remember("Por favor, recuerda que el expediente se presenta en mesa de partes.")
    'El expediente se presenta en mesa de partes.'
    >>> fact_to_remember("recuerda que te pregunté por el plazo, ¿cuál era?")
    ''
    """
    text = " ".join(unicodedata.normalize("NFC", message).split())
    if "?" in text or "¿" in text or read_kind(text).kind != "remember":
        return ""
    plain = aligned_fold(text)
    opening = _OPENING.match(plain)
    first, last = opening.end() if opening else 0, max(asking_stretch(plain)[1], opening.end() if opening else 0)
    if len(_WORD.findall(plain[first:last])) < _FEWEST_WORDS:
        return ""
    return text[first : first + 1].upper() + text[first + 1 : last].rstrip(" ,;:")
