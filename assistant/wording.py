"""The Spanish words for what the search calls by a name: one table for every front end. A new name shows as it is
until it has a word here."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "CEDED",
    "GUARANTEED",
    "POINTS",
    "REASONS",
    "ROUTES",
    "STRATEGIES",
    "identifier_name",
    "reason_name",
    "strategy_name",
]

ROUTES: Mapping[str, str] = {"trivial": "cortesía", "inventory": "lista de documentos", "retrieve": "búsqueda"}

STRATEGIES: Mapping[str, str] = {
    "semantic": "significado",
    "cosine": "parecido sin ajustar",
    "lexical": "palabras",
    "metadata": "título o nombre",
    "expansion": "palabras afines",
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

GUARANTEED = "tiene un lugar asegurado: la pregunta lo nombra"
CEDED = "cedió el paso a otro documento: del suyo ya había varios pasajes"

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


def strategy_name(name: str) -> str:
    """«semantic» → «significado»."""
    return STRATEGIES.get(name, name.replace("_", " "))


def reason_name(name: str) -> str:
    """«near_duplicate» → «repiten otro pasaje»."""
    return REASONS.get(name, name.replace("_", " "))


def identifier_name(canonical: str) -> str:
    """«ds:003-2013-jus» → «D.S. 003-2013-JUS», «iso:27001@2022» → «ISO 27001:2022»."""
    kind, _, number = canonical.partition(":")
    name, _, edition = kind.partition("@")
    written = _KINDS.get(name, name.upper())
    return " ".join(filter(None, (written, edition, number.replace("@", ":").upper())))
