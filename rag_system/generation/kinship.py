"""Whether two stems are of one family: «votar» and «votación», «reelegirse» and «reelección», «nulo» and «nulidad».

Stemming takes the endings of inflection; what is left of a verb and of the noun derived from it still differs by an
ending of derivation, or by the consonant before it.
"""

from __future__ import annotations

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
_OF_A_STATE = {"t", "ci"}  # «vigente, vigencia»: after an n; «política» is no «policía»


def beginning(stem: str) -> str:
    """The first letters of a stem, which all its kin share."""
    return stem[:_SHORTEST_BARE]


def are_kin(one: str, other: str) -> bool:
    """The same stem, a shortened one, or two that derive one from the other.

    >>> are_kin("reeleg", "reeleccion"), are_kin("contrat", "contrari")
    (True, False)
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if not short.isalpha() or beginning(short) != beginning(long):
        return False
    if len(short) >= _SHORTEST_SHORTENED and long.startswith(short):
        return True
    return _derive(short, long)


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
