"""Text of DOS programs that was read in another encoding and saved so: «resoluci¢n», «resoluci├│n», «ÔÇ£».

Either CP850 or CP437 was read as Windows-1252 or ISO 8859-1, or UTF-8 was read as CP850 or CP437. A text is mended
where it holds signs that no text means: «¢» between two letters, «├│» outside of drawn boxes. The other signs may mean
something else («15 µm», «PéREZ», a space), and are mended only beside such ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

__all__ = ["mend_dos"]

_SAID = "áéíóúüñÁÉÍÓÚÜÑ¿¡ºª°«»–—“”‘’…•\xa0"
_AS_DOS = {said.encode().decode(encoding): said for said in _SAID for encoding in ("cp850", "cp437")}
_AS_DOS_FIRST = re.compile("[├┬ÔΓ]")
_PIECE = re.compile("|".join(map(re.escape, _AS_DOS)))
_BOX = "\u2500-\u259f"
_DRAWN = re.compile(f"[{_BOX}]")
_RUN = re.compile(rf"(?:{_PIECE.pattern}|[{_BOX}])+")

_LETTER = r"[^\W\d_]"
_SIGN = re.compile("[¢£¤‚¥à\x82]")
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


def mend_dos(text: str) -> str:
    """The text as it was first saved."""
    if _AS_DOS_FIRST.search(text):
        text = _RUN.sub(_without_boxes, text)
    if _SIGN.search(text) and _is_of_dos(text):
        for place, letters in _RULES:
            text = place.sub(partial(_meant, letters), text)
    return text


def _without_boxes(run: re.Match[str]) -> str:
    """The letters that a run of signs became; the run itself where it is part of a drawn box."""
    said = _PIECE.sub(partial(_meant, _AS_DOS), run[0])
    return run[0] if _DRAWN.search(said) else said


def _is_of_dos(text: str) -> bool:
    if _RIGHT.search(text):
        return False
    return _SURE.search(text) is not None or len(_LIKELY.findall(text)) >= _MIN_LIKELY


def _meant(letters: Mapping[str, str], sign: re.Match[str]) -> str:
    return letters[sign[0]]
