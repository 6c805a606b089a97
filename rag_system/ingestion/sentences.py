"""Cut Spanish text into sentences, without stumbling over «Art.», «N.°», «D.S.» or «Dr.»."""

from __future__ import annotations

import re

__all__ = ["split_sentences"]

_ABBREVIATIONS = frozenset(
    """
    art arts inc incs num núm núms nro n lit párr pág págs pag pp p cap caps tít sec secc fig tab vol ed eds
    cf cfr vid ob cit op ibid ibíd ej gr aprox máx mín tel telf km
    sr sra sres srta dr dra dres dña lic ing arq econ abog prof cnel gral tte mons rvdo
    s sac srl eirl cía cia ltda av jr ca urb dpto dto dist
    ds dl dleg du rm rs rd exp vs ee uu ss ii iii iv vi vii viii ix
    ene feb abr may jun jul ago sep sept oct nov dic
    """.split()
)
_BOUNDARY = re.compile(r"(?<=[.!?…;])[»”\"')\]]*\s+(?=[«“\"'(¿¡\[]?\s?[A-ZÁÉÍÓÚÜÑ0-9•—–-])|\n+")
_ITEM_MARK = re.compile(r"\(?(?:[a-zA-Zñ]|[ivxIVX]{1,4}|\d[\d.]{0,6})[.)]")
_LAST_WORD = re.compile(r"([^\W\d_]+)\.[»”\"')\]]*\s*$")


def split_sentences(text: str) -> list[str]:
    """The sentences in order; joined by one space each they give the text back, but for white space."""
    sentences, start = [], 0
    for boundary in _BOUNDARY.finditer(text):
        candidate = text[start : boundary.end()]
        if "\n" not in boundary.group() and _is_abbreviated(candidate):
            continue
        if sentence := candidate.strip():
            sentences.append(sentence)
        start = boundary.end()
    if rest := text[start:].strip():
        sentences.append(rest)
    return sentences


def _is_abbreviated(candidate: str) -> bool:
    """Whether the full stop at the end belongs to an abbreviation, an initial or a number being listed."""
    stripped = candidate.rstrip()
    if _ITEM_MARK.fullmatch(stripped):
        return True
    match = _LAST_WORD.search(stripped)
    if match is None:
        return False
    word = match.group(1)
    return (len(word) == 1 and word.isupper()) or word.lower() in _ABBREVIATIONS
