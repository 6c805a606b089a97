"""What comes along when a question is pasted: signs that nobody sees, and HTML tags.

«<b>teletrabajo</b>» asks about one word. Only what is certainly a tag goes: the name of an element, then attributes
with a value, or nothing. «x < 5», «<ley>» and «a<b y c>d» stay.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["HTML_NAMES", "one_line", "strip_invisible", "strip_tags"]

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co"})  # controls, marks of direction, tags, halves of characters, private use

HTML_NAMES = (
    "a|abbr|address|area|article|aside|audio|b|base|bdi|bdo|big|blockquote|body|br|button|canvas|caption|center|cite|"
    "code|col|colgroup|dd|del|details|dialog|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|frame|"
    "frameset|h[1-6]|head|header|hr|html|i|iframe|image|img|input|ins|kbd|label|legend|li|link|main|map|mark|marquee|"
    "math|menu|meta|nav|noscript|object|ol|optgroup|option|p|param|picture|pre|q|s|samp|script|section|select|small|"
    "source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|title|tr|"
    "track|tt|u|ul|use|var|video|wbr"
)
_IN_A_WORD = frozenset(
    "a abbr b bdi bdo big cite code del em font i ins kbd label mark q s samp small span strike strong sub sup tt u "
    "var wbr".split()
)
_TAG = re.compile(
    rf"""< /? (?P<name>{HTML_NAMES})
         (?: \s+ [\w:-]+ \s* = \s* (?: "[^"<>]*" | '[^'<>]*' | [^\s<>]+ ) )*+   # possessive: read once, in linear time
         \s* /? >""",
    re.VERBOSE | re.IGNORECASE,
)


def strip_invisible(text: str, *, kept: str = "") -> str:
    """The text without the characters that nobody sees, in which words can be smuggled; lines and `kept` stay.

    >>> strip_invisible("plazo\\x00 para\\u200b apelar")
    'plazo para apelar'
    """
    hidden = {ord(char) for char in set(text).difference("\n\t", kept) if _is_unseen(char)}
    return text.translate(dict.fromkeys(hidden)) if hidden else text


def one_line(typed: str) -> str:
    """A name as it is kept: on one line with single spaces, without what nobody sees.

    >>> one_line(" Mi  carpeta ")
    'Mi carpeta'
    """
    return " ".join(strip_invisible(typed).split())


def _is_unseen(char: str) -> bool:
    """Also the selectors of variants, which are marks."""
    return unicodedata.category(char) in _UNSEEN or "\U000e0100" <= char <= "\U000e01ef"


def strip_tags(text: str) -> str:
    """The text without its tags, on one line when it had any; what stood between them stays, also a script's words.

    >>> strip_tags("¿Qué es el <b>tele</b>trabajo?<br/>Con un plazo < 5 días")
    '¿Qué es el teletrabajo? Con un plazo < 5 días'
    """
    bare = _TAG.sub(lambda tag: "" if tag["name"].lower() in _IN_A_WORD else " ", text)
    return text if bare == text else " ".join(bare.split())
