"""Which words are Spanish, whatever the documents say: a form of a common verb, or a common word, is no slip.

«Nunca salí» is no «salvo» because no document has «salí». The words are in `data/comunes.toml`, which a person can
edit; their forms are told by rules: conjugation with its changes of spelling and vowel, plurals, gender, diminutives.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS, words

__all__ = ["is_common"]

_WORD_CACHE = 16_384

# ---------------------------------------------------------------- conjugation, folded

_ENDINGS_OF = {
    "ar": """
        o as a amos ais an aba abas abamos abais aban e aste asteis aron are aras ara aremos areis aran aria
        arias ariamos ariais arian es emos eis en aramos ase ases asemos asen ando ado ada ados adas ar ad
    """,
    "er": """
        o es e emos eis en ia ias iamos iais ian i iste io imos isteis ieron yo yeron ere eras era eremos ereis
        eran eria erias eriamos eriais erian a as amos ais an iera ieras ieramos ieran iese ieses iesemos iesen
        yera yeras yeran yese yesen eron eramos ese esen iendo yendo endo ido ida idos idas er ed
    """,
    "ir": """
        o es e en ia ias iamos iais ian i is iste io imos isteis ieron yo yeron a as amos ais an ire iras ira
        iremos ireis iran iria irias iriamos iriais irian iera ieras ieramos ieran iese ieses iesemos iesen yera
        yeras yeran yese yesen eron eras era eramos eran ese esen iendo yendo endo ido ida idos idas ir id
    """,
}
_ENDINGS = tuple((ending, of) for of, listed in _ENDINGS_OF.items() for ending in listed.split())
# Preterites whose stem is another, with what stands before it: «intervino», «contuvo», «tradujo».
_STRONG = {
    "dij": "decir", "hic": "hacer", "hiz": "hacer", "pus": "poner", "quis": "querer", "tuv": "tener", "estuv": "estar",
    "anduv": "andar", "hub": "haber", "sup": "saber", "cup": "caber", "pud": "poder", "vin": "venir", "traj": "traer",
    "duj": "ducir", "dr": "er", "habr": "haber", "sabr": "saber", "cabr": "caber", "querr": "querer", "har": "hacer",
    "dir": "decir", "podr": "poder", "hag": "hacer", "dig": "decir", "quep": "caber", "sep": "saber", "hay": "haber",
    "vay": "ir", "fu": "ir", "ib": "ir",
}  # fmt: skip
_PARTICIPLES = {
    "hech": "hacer", "dich": "decir", "vist": "ver", "puest": "poner", "scrit": "scribir", "biert": "brir",
    "rot": "romper", "muert": "morir", "vuelt": "volver", "suelt": "solver", "impres": "imprimir",
    "satisfech": "satisfacer", "frit": "freir",
}  # fmt: skip
# How a root is spelt before some endings, and the vowel that changes under stress.
_SPELT = {
    "ar": (("qu", "c"), ("gu", "g"), ("c", "z")),  # «publique», «pague», «empiece»
    "er": (("j", "g"), ("zc", "c"), ("z", "c"), ("y", ""), ("g", ""), ("ig", ""), ("g", "c")),  # «proteja», «salga»
    "ir": (("j", "g"), ("zc", "c"), ("z", "c"), ("y", ""), ("g", ""), ("ig", ""), ("g", "gu")),  # «exija», «siga»
}
_VOWELS = (("ie", "e"), ("ue", "o"), ("ue", "u"), ("i", "e"), ("u", "o"), ("ye", "e"), ("hue", "o"), ("ie", "i"))
_PRONOUNS = re.compile(r"(?:(?:[mts]e|nos)(?:l[oae]s?)?|l[oae]s?)$")
_TAKES_PRONOUNS = re.compile(r"(?:[aei]r|[aei]?ndo|[aeoiuns]|ad|ed|id|z)$")


def is_common(word: str) -> bool:
    """Whether a word, in any case and with or without its accents, is Spanish as people speak it.

    >>> [word for word in ("salí", "obligado", "vacasiones", "juntarme") if is_common(word)]
    ['salí', 'obligado', 'juntarme']
    """
    return _is_common(fold(word))


@lru_cache(maxsize=_WORD_CACHE)
def _is_common(word: str) -> bool:
    if _is_known(word) or _is_verb(word) or any(_is_known(base) or _is_verb(base) for base in _derived_from(word)):
        return True
    rest = _PRONOUNS.sub("", word)
    return rest != word and _TAKES_PRONOUNS.search(rest) is not None and (_is_verb(rest) or _is_verb(f"{rest}s"))


# ---------------------------------------------------------------- nouns, adjectives, adverbs


def _is_known(word: str) -> bool:
    known = _known_words()
    return word in known or word in STOPWORDS or any(base in known for base in _bases(word))


def _bases(word: str) -> Iterator[str]:
    """The words that one may be a form of: singular, masculine, of a diminutive, of an adverb in «-mente»."""
    singular = word
    if word.endswith("ces"):
        yield word[:-3] + "z"
    if word.endswith("s"):
        singular = word[:-2] if re.search(r"[lnrdzyx]es$", word) else word[:-1]
        yield from ((singular, f"{singular}e") if singular[-1:] not in "lnrdzbt" or word.endswith("es") else ())
    if singular.endswith(("a", "o")):
        yield from (singular[:-1] + "o", singular[:-1] + "a", singular[:-1] + "e")
    if singular.endswith(("ra", "la", "na", "sa", "za")):  # «autora», «española»
        yield singular[:-1]
    if small := re.fullmatch(r"(.{3,}?)(?:e?c)?(?:it|ill)[oa]", singular):
        root = re.sub(r"qu$", "c", re.sub(r"c$", "z", small[1]) if small[1].endswith("c") else small[1])
        yield from (root + ending for ending in ("o", "a", "e", ""))
    if singular.endswith("isimo") or singular.endswith("isima"):
        yield from (re.sub(r"qu$", "c", singular[:-5]) + ending for ending in ("o", "e", ""))


# What a noun, an adjective or an adverb is made of → endings of the words that it may be made of.
_DERIVED = (
    (r"mente", ("", "o")),
    (r"(?<=[aeiou])(?:cion|dora?|ble|nte|nza|dura|miento)", ("r",)),
    (r"i(?:cion|dora?|ble|ente|miento)", ("er", "ir")),
    (r"sion", ("so", "dir")),
    (r"bilidad", ("ble",)),
    (r"(?:e?dad|idad|ismo|ista|os[oa]|ic[oa]|al|ari[oa]|er[oa]|eria|iv[oa])", ("o", "a", "e", "")),
)  # fmt: skip
_MADE = tuple((re.compile(rf"(.{{4,}}?){ending}"), bases) for ending, bases in _DERIVED)
_BEFORE = re.compile(r"(?:re|sub|pre|auto|anti|contra|inter|super|sobre|multi)(?=.{4,})")


def _derived_from(word: str) -> Iterator[str]:
    """Words that one may be made of by an ending or by what stands before: «creación», «impago»."""
    singular = re.sub(r"(?:(?<=[lnrdz])es|s)$", "", word)
    for ending, bases in _MADE:
        if found := ending.fullmatch(singular):
            yield from (found[1] + base for base in bases)
    if before := _BEFORE.match(word):
        yield word[before.end() :]


# ---------------------------------------------------------------- verbs


def _is_verb(word: str) -> bool:
    known = _known_words()
    return any(infinitive in known for infinitive in _infinitives(word) if infinitive.endswith(("ar", "er", "ir")))


def _infinitives(word: str) -> Iterator[str]:
    yield word
    for ending, of in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            yield from (f"{root}{of}" for root in _roots(word[: -len(ending)], of, ending))
    yield from _irregular(word)


def _roots(root: str, of: str, ending: str) -> Iterator[str]:
    yield from _with_vowel(root)
    if of == "ar" and not ending.startswith("e"):  # «empiece», but no «bacación» of «bazar»
        return
    for written, meant in _SPELT[of]:
        if root.endswith(written):
            yield from _with_vowel(root[: -len(written)] + meant)


def _with_vowel(root: str) -> Iterator[str]:
    yield root
    for stressed, plain in _VOWELS:
        before, found, after = root.rpartition(stressed)
        if found and len(after) <= 3:
            yield before + plain + after


_AFTER_STRONG = re.compile(
    r"(?P<start>.*?)(?P<stem>{})(?:[eo]|iste|[ia]?mos|i?eron|i?er[a]s?|i?eran|i?eramos|i?es[e]n?|[aeo]s?|[ae]mos|[ae]n|ia[sn]?"
    r"|iamos|i|ba[sn]?|bamos|an|as|es|ui)".format("|".join(sorted(_STRONG, key=len, reverse=True)))
)
_OF_PARTICIPLE = re.compile(rf"(?P<start>.*?)(?P<stem>{'|'.join(sorted(_PARTICIPLES, key=len, reverse=True))})[oa]s?")


def _irregular(word: str) -> Iterator[str]:
    if strong := _AFTER_STRONG.fullmatch(word):
        infinitive = _STRONG[strong["stem"]]
        yield strong["start"] + infinitive
        if infinitive == "er":
            yield f"{strong['start']}ir"
    if participle := _OF_PARTICIPLE.fullmatch(word):
        yield participle["start"] + _PARTICIPLES[participle["stem"]]


@cache
def _known_words() -> frozenset[str]:
    """The words of both lists, folded."""
    listed = gzip.decompress((files("spellchecker") / "resources" / "es.json.gz").read_bytes())
    return frozenset(fold("\n".join(json.loads(listed))).split()).union(words("corrientes"))
