"""Why a sentence of an answer is marked."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Doubt"]


class Doubt(StrEnum):
    """Why a sentence is marked, as a person reads it."""

    NONE = ""
    IDENTIFIER = "la fuente citada no nombra esa norma"
    FIGURE = "la cifra o la fecha no está en la fuente citada"
    KIND = "la fuente citada cuenta otra clase de días"
    ANOTHER_FIGURE = "la fuente citada da esa cifra para otra cosa"
    ARTICLE = "la fuente citada lo dice en otro artículo"
    BOUND = "la fuente citada da esa cifra como límite contrario"
    SENSE = "la fuente citada dice lo contrario"
    GENERAL = "la fuente citada no lo dice de todos los casos"
    SUBJECT = "la fuente citada lo dice de otro"
    NAME = "la fuente citada no nombra eso"
    SOURCE = "lo dice otra fuente, no la citada"
    WORDS = "la fuente citada no lo dice"
