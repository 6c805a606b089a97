"""Answers that need no search: courtesy, questions about the assistant, and the list of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_system.query.identifiers import kind, same_identifier
from rag_system.query.text import query_terms
from rag_system.storage.documents import DocumentRow
from rag_system.types import Courtesy, InventoryFilter, QueryPlan

__all__ = ["courtesy", "inventory"]

LISTED = 50  # documents named in an answer, at most

COURTESIES: Mapping[Courtesy, str] = {
    "about": "Soy Legajo. Respondo preguntas a partir de los documentos de este proyecto y cito la página de donde "
    "sale cada dato. Cuando no encuentro la respuesta en ellos, lo digo. "
    "Pregúnteme, por ejemplo, qué plazo da una ley o qué dice un autor.",
    "farewell": "Hasta luego. Sus documentos y esta conversación quedan guardados.",
    "thanks": "Con gusto. Si tiene otra pregunta sobre sus documentos, aquí estoy.",
    "greeting": "Hola. ¿Qué desea saber de sus documentos?",
    "acknowledgement": "De acuerdo. ¿Qué más desea saber de sus documentos?",
    "nothing": "No encontré una pregunta en su mensaje. Escriba qué desea saber de sus documentos.",
}


def courtesy(plan: QueryPlan, name: str = "Legajo") -> str:
    """A short reply in the tone of a trivial message. `name` is the assistant's."""
    return COURTESIES[plan.courtesy or "acknowledgement"].replace("Legajo", name)


def inventory(documents: Sequence[DocumentRow], plan: QueryPlan) -> str:
    """The documents that fit what is asked, as a Markdown list, or a sentence that says there are none."""
    searchable = [d for d in documents if d.status == "indexed"]
    fitting = [d for d in searchable if _fits(d, plan.inventory) and _is_named(d, plan.identifiers)]
    if not searchable:
        return "Todavía no hay documentos. Agregue los suyos y vuelva a preguntar."
    if not fitting:
        return f"Ninguno de los {len(searchable)} documentos corresponde a lo que pide."
    lines = [f"Tengo {_count(len(fitting))}{_of_total(len(fitting), len(searchable))}:", ""]
    lines += [_line(d) for d in fitting[:LISTED]]
    if len(fitting) > LISTED:
        lines.append(f"- … y {len(fitting) - LISTED} más.")
    return "\n".join(lines)


def _fits(document: DocumentRow, asked: InventoryFilter) -> bool:
    if asked.formats and document.format not in asked.formats:
        return False
    if asked.kinds and not any(kind(identifier) in asked.kinds for identifier in document.identifiers):
        return False
    words = set(
        query_terms(f"{document.title} {document.path} {document.category}".replace("/", " ").replace("_", " "))
    )
    return not asked.topic or bool(words & set(query_terms(asked.topic)))


def _is_named(document: DocumentRow, identifiers: Sequence[str]) -> bool:
    own = document.identifiers
    return not identifiers or any(same_identifier(asked, each) for asked in identifiers for each in own)


def _line(document: DocumentRow) -> str:
    title = document.title or document.path
    details = [document.path.rsplit("/", 1)[-1]]
    if document.pages:
        details.append("1 página" if document.pages == 1 else f"{document.pages} páginas")
    return f"- **{title}** ({', '.join(details)})"


def _count(number: int) -> str:
    return "1 documento" if number == 1 else f"{number} documentos"


def _of_total(number: int, total: int) -> str:
    if number == total:
        return ""
    return f", de {total}, que {'corresponde' if number == 1 else 'corresponden'} a lo que pide"
