"""The Spanish words for what a search did: one table of names and one set of sentences for every front end. A new name
shows as it is until it has a word here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rag_system.types import ConceptTag, Rejection, Survivor

__all__ = [
    "POINTS",
    "REASONS",
    "ROUTES",
    "STRATEGIES",
    "identifier_name",
    "in_favour",
    "objection",
    "reason_counts",
    "reason_name",
    "strategy_counts",
]

ROUTES: Mapping[str, str] = {"trivial": "cortesía", "inventory": "lista de documentos", "retrieve": "búsqueda"}

STRATEGIES: Mapping[str, str] = {
    "semantic": "significado",
    "cosine": "parecido sin ajustar",
    "lexical": "palabras",
    "metadata": "título o nombre",
    "expansion": "palabras afines",
    "angles": "otros ángulos",
    "article": "artículo citado",
    "graph": "nombres relacionados",
    "quality": "forma de respuesta",
    "citation": "autor y año",
    "length": "extensión",
    "rerank": "segunda lectura",
}

REASONS: Mapping[str, str] = {
    "off_topic": "tratan de otra norma",
    "below_min_score": "puntuación demasiado baja",
    "below_min_similarity": "significado demasiado lejano",
    "near_duplicate": "repiten otro pasaje",
    "same_passage": "ya están dentro de otro pasaje",
    "beyond_top_k": "quedaron detrás de los elegidos",
}

POINTS = (
    "Los puntos van de 0 a 100 y solo sirven para ordenar: 100 en el total, el significado y las palabras es el mejor "
    "candidato de esta pregunta. No son la probabilidad de que la respuesta sea correcta."
)

SEEN = 0.05  # a level below says nothing

_KINDS: Mapping[str, str] = {
    "ley": "Ley",
    "lo": "Ley Orgánica",
    "ds": "D.S.",
    "dl": "D.Leg.",
    "dley": "D.Ley",
    "rm": "R.M.",
    "rs": "R.S.",
    "du": "D.U.",
    "rd": "R.D.",
    "resolucion": "Resolución",
    "decreto": "Decreto",
}


def reason_name(name: str) -> str:
    """«near_duplicate» → «repiten otro pasaje»."""
    return REASONS.get(name, name.replace("_", " "))


def strategy_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """What each strategy proposed, those that proposed nothing left out."""
    return [(_strategy(name), counts[name]) for name in _in_order(counts, STRATEGIES) if counts[name]]


def reason_counts(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """How many each reason rejected, by its key; reasons without any left out."""
    return [(name, counts[name]) for name in _in_order(counts, REASONS) if counts[name]]


def in_favour(survivor: Survivor) -> list[str]:
    """What speaks for a passage, a line each: points, words, who proposed it, and why it stands where it stands."""
    points = [(_strategy(name), survivor.levels[name]) for name in _in_order(survivor.levels, STRATEGIES)]
    lines = [
        " · ".join(f"{name} {100 * level:.0f}" for name, level in points if level >= SEEN),
        _matched(survivor),
        _about(survivor.concepts),
        f"propuesto por: {', '.join(map(_strategy, _in_order(survivor.proposed_by, STRATEGIES)))}",
        "tiene un lugar asegurado: la pregunta lo nombra" if survivor.guaranteed else "",
        "cedió el paso a otro documento: del suyo ya había varios pasajes" if survivor.ceded else "",
    ]
    return [line for line in lines if line]


def _about(concepts: Sequence[ConceptTag]) -> str:
    named = ", ".join(f"«{tag.name}» {100 * tag.confidence:.0f}" for tag in concepts)
    return f"trata de {named}" if named else ""


def _matched(survivor: Survivor) -> str:
    words = f"contiene {_quoted(survivor.words)}" if survivor.words else "no contiene ninguna palabra de la pregunta"
    return words + (f"; en sus títulos, {_quoted(survivor.heading_words)}" if survivor.heading_words else "")


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"«{word}»" for word in words)


def objection(rejection: Rejection) -> str:
    """What a rejected passage is instead; empty where its reason says it all."""
    if rejection.repeats:
        return f"repite {rejection.repeats}"
    if rejection.reason == "off_topic":
        return f"es {', '.join(map(identifier_name, rejection.identifiers))}"
    return ""


def _strategy(name: str) -> str:
    return STRATEGIES.get(name, name.replace("_", " "))


def _in_order(names: Iterable[str], table: Mapping[str, str]) -> list[str]:
    """As the table lists them, then the others: a stored mapping forgets its order."""
    places = {name: place for place, name in enumerate(table)}
    return sorted(names, key=lambda name: places.get(name, len(places)))


def identifier_name(canonical: str) -> str:
    """«ds:003-2013-jus» → «D.S. 003-2013-JUS», «iso:27001@2022» → «ISO 27001:2022»."""
    kind, _, number = canonical.partition(":")
    name, _, edition = kind.partition("@")
    written = _KINDS.get(name, name.upper())
    return " ".join(filter(None, (written, edition, number.replace("@", ":").upper())))
