"""Text that was read in another encoding than it was saved in, and saved again: «resoluciÃ³n», «resoluci├│n».

`ftfy` mends UTF-8 that was read as Windows-1252 or ISO 8859-1. What it does not know is here: UTF-8 that was read as
text of DOS, and text of DOS that was read as Windows-1252 («resoluci¢n»). The latter is mended only where it holds
signs that no text means, as «¢» between two letters; the others may mean themselves («15 µm», «PéREZ»).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from ftfy import TextFixerConfig, fix_encoding

__all__ = ["mend_encoding"]

_CONFIG = TextFixerConfig(restore_byte_a0=False, replace_lossy_sequences=False)
_SUSPECT = re.compile("[ÂÃâÅË][\u0080-\uffff]")  # begins what a letter beyond ASCII became
_LOST_QUOTE = re.compile("â€(?![\u0080-\uffff])")  # «”», whose last byte Windows-1252 leaves out and programs lose

_SAID = "áéíóúüñÁÉÍÓÚÜÑ¿¡ºª°«»–—“”‘’…•\xa0"
_AS_DOS = {said.encode().decode(encoding): said for said in _SAID for encoding in ("cp850", "cp437")}
_OF_DOS = re.compile("[├┬ÔΓ]")
_PIECE = re.compile("|".join(map(re.escape, _AS_DOS)))
_DRAWN = re.compile("[\u2500-\u259f]")  # lines and boxes

_LETTER = r"[^\W\d_]"
_SURE = re.compile(rf"{_LETTER}¤(?=[a-z])|[A-Z]¥(?=[A-Z])|i¢n|IàN")
_NEVER_AFTER_F = "[bcdgjkmnpqstvxz]"  # in «con£orme su£iciente» an «f» was recognised wrongly on paper
_LIKELY = re.compile(rf"{_LETTER}(?:[¢‚\x82](?=[a-z])|£(?={_NEVER_AFTER_F}))|[A-Z]{{2}}à(?=[A-Z])")
_MIN_LIKELY = 2  # one may be any letter that was recognised wrongly
_RIGHT = re.compile("[áíóúñÁÉÍÓÚÑ]")  # no letter of DOS is read as one of these
_SMALL = {"\xa0": "á", "‚": "é", "\x82": "é", "¡": "í", "¢": "ó", "£": "ú", "¤": "ñ", "¥": "Ñ", "\x81": "ü"}
_CAPITAL = {"µ": "Á", "\x90": "É", "Ö": "Í", "à": "Ó", "é": "Ú", "š": "Ü", "\x9a": "Ü"}
_RULES = (  # where a sign stands, and what it was; capitals first, for what is mended may be one of their signs
    (re.compile(rf"µ(?={_LETTER}{{2}})|(?<=[A-Z])[\x90Öàéš\x9a](?![a-z])|[\x90Öàé](?=[A-Z]{{2}})"), _CAPITAL),
    (re.compile(rf"(?<={_LETTER})[\xa0‚\x82¡¢£¤¥\x81]|[\xa0‚\x82¡¢£¤¥\x81](?={_LETTER})"), _SMALL),
    (re.compile(r"(?<=[\dNn.])[§¦]"), {"§": "º", "¦": "ª"}),
    (re.compile(rf"(?<!{_LETTER})[¨®](?={_LETTER})|(?<=[\w.])¯"), {"¨": "¿", "®": "«", "¯": "»"}),
)


def mend_encoding(text: str) -> str:
    """The text as it was first saved."""
    if _OF_DOS.search(text):
        said = _PIECE.sub(partial(_meant, _AS_DOS), text)
        text = text if _DRAWN.search(said) else said
    if _SUSPECT.search(text):
        text = fix_encoding(_LOST_QUOTE.sub("”", text), _CONFIG)
    if not _RIGHT.search(text) and (_SURE.search(text) or len(_LIKELY.findall(text)) >= _MIN_LIKELY):
        for place, letters in _RULES:
            text = place.sub(partial(_meant, letters), text)
    return text


def _meant(letters: Mapping[str, str], sign: re.Match[str]) -> str:
    return letters[sign[0]]
