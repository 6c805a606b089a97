"""Whether two stems are of one family: «votar» and «votación», «reelegirse» and «reelección», «nulo» and «nulidad».

Stemming takes the endings of inflection; what is left of a verb and of the noun derived from it still differs by an
ending of derivation, by the consonant before it, or by the vowel that changes under stress: «pierde», «perderá».
"""

from __future__ import annotations

from functools import lru_cache

from rag_system.query.text import stem

__all__ = ["are_kin", "beginning"]

_SHORTEST_SHORTENED = 5  # letters from which the beginning of a word stands for it: «grati»
_SHORTEST_CHANGED = 4  # letters that two words share before a consonant that changes
_SHORTEST_BARE = 3  # letters of a stem that one of these endings makes a noun of
_BARE_ENDINGS = frozenset("acion icion amient imient ador".split())
_QUALITY = "id"  # «nulidad», of an adjective in -l; elsewhere it is a participle's: «decir, decidir»
# Stems of common words that a noun of another family only looks derived from: «caso» is no «casación», «este» no
# «estación», «forma» no «formación», «presente» no «presencia», «agente» no «agencia».
_LOOK_ALIKE = frozenset(
    """agent cal cas cient colect comit definit disposit est form format impart line marc med polit pos posit present
    proyect relat remot sujet vari""".split()
)
# The last consonant of a verb's stem, and what becomes of it before «-ión» and «-encia»: «suspender, suspensión».
_CHANGES = frozenset(
    tuple(change.split("-"))
    for change in "g-ccion b-pcion d-sion t-sion t-cion r-sion n-sicion y-ccion v-cion t-cial".split()
)
# Verbs whose last vowel changes under stress: «pierde», «aprueba»; «pide». Not those whose stem is also another word's:
# «contar» and «cuenta», «soler» and «suelo», «gobernar» and «gobierno», «quebrar» and «quebrada», «morir» and «mora».
_TO_A_DIPHTHONG = """
    acertar acrecentar apretar arrendar calentar cerrar comenzar confesar despertar empezar encerrar encomendar enmendar
    fregar invernar manifestar negar denegar pensar recomendar renegar sembrar subarrendar temblar tropezar ascender
    atender condescender defender descender encender entender extender perder transcender verter adherir adquirir
    advertir conferir convertir deferir diferir digerir divertir herir hervir inferir ingerir inquirir interferir
    invertir preferir referir requerir sugerir transferir acordar acostar almorzar aprobar avergonzar colgar comprobar
    concordar costar demostrar desaprobar descolgar encontrar esforzar forzar mostrar probar recordar reforzar renovar
    reprobar revolcar rogar soltar soñar tostar volar conmover devolver disolver envolver llover morder mover promover
    remover resolver retorcer revolver torcer volver dormir""".split()
_TO_I = """
    competir concebir corregir derretir despedir elegir embestir impedir investir medir pedir perseguir proseguir
    reelegir regir rendir repetir seguir servir""".split()
_INFINITIVES = frozenset((*_TO_A_DIPHTHONG, *_TO_I))
_OF_A_DIPHTHONG = frozenset(map(stem, _TO_A_DIPHTHONG))
_OF_I = frozenset(stem(verb) for verb in _INFINITIVES if verb.endswith("ir"))  # «advierte», «advirtió» too
_UNSTRESSED = (("ie", "e", _OF_A_DIPHTHONG), ("ue", "o", _OF_A_DIPHTHONG), ("i", "e", _OF_I))
_OF_A_STATE = {"t", "ci"}  # «vigente, vigencia»: after an n; «política» is no «policía»


def beginning(word: str) -> str:
    """The first letters of a stem, which all its kin share; of a verb whose vowel changes, those of its infinitive."""
    return _root(word)[:_SHORTEST_BARE]


def are_kin(one: str, other: str) -> bool:
    """The same stem, a shortened one, or two that derive one from the other.

    >>> are_kin("reeleg", "reeleccion"), are_kin("pierd", "perder"), are_kin("contrat", "contrari")
    (True, True, False)
    """
    if one == other:
        return True
    short, long = sorted((_root(one), _root(other)), key=len)
    if short == long:
        return True
    if not short.isalpha() or short[:_SHORTEST_BARE] != long[:_SHORTEST_BARE]:
        return False
    if len(short) >= _SHORTEST_SHORTENED and long.startswith(short):
        return True
    return _derive(short, long)


@lru_cache(maxsize=65_536)
def _root(word: str) -> str:
    """The stem of the infinitive, of a form of a verb whose vowel changes: «pierd» and «perder» are «perd»."""
    if word in _INFINITIVES:  # the stem of «perderá», whose accent folding took
        return word[:-2]
    first, rest = word[:1], word[1:]  # of no verb the vowel that it begins with
    changed = ((first + bare.join(rest.rsplit(sign, maxsplit=1)), verbs) for sign, bare, verbs in _UNSTRESSED)
    return next((each for each, verbs in changed if each in verbs), word)


def _derive(short: str, long: str) -> bool:
    letters = enumerate(zip(short, long, strict=False))
    shared = next((place for place, (mine, theirs) in letters if mine != theirs), len(short))
    left, right = short[shared:], long[shared:]
    if short in _LOOK_ALIKE:
        return False
    if not left:
        made = right in _BARE_ENDINGS or (right == _QUALITY and short.endswith("l"))
        return len(short) >= _SHORTEST_BARE and made
    if shared < _SHORTEST_CHANGED:
        return False
    if {left, right} == _OF_A_STATE:
        return short[shared - 1] == "n"
    return (left, right) in _CHANGES or (right, left) in _CHANGES
