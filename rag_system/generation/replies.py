"""Answers that need no search: courtesy, questions about the assistant, what is kept, and the list of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_system.generation.citation_label import inert
from rag_system.query.identifiers import kind, same_identifier
from rag_system.query.text import query_terms
from rag_system.storage.documents import DocumentRow
from rag_system.types import Courtesy, Fact, InventoryFilter, QueryPlan, mark

__all__ = ["courtesy", "inventory", "remembered"]

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
    "other_script": "No leo la escritura de su mensaje. Respondo en español a partir de sus documentos: escriba su "
    "pregunta en español.",
}


def courtesy(plan: QueryPlan, name: str = "Legajo") -> str:
    """A short reply in the tone of a trivial message. `name` is the assistant's."""
    return COURTESIES[plan.courtesy or "acknowledgement"].replace("Legajo", name)


def remembered(fact: Fact) -> str:
    """That something is kept, with the mark by which answers cite it."""
    return f"Lo recordaré en este proyecto: «{inert(fact.text)}» [{mark(-fact.number)}]"


def inventory(documents: Sequence[DocumentRow], plan: QueryPlan, *, chosen: Sequence[str] = ()) -> str:
    """The documents that fit what is asked, as a Markdown list, or a sentence that says there are none. Where they are
    of several projects, each says of which.

    chosen: the paths of the only ones that are listed; the others are counted. None: all.
    """
    searchable = [d for d in documents if d.status == "indexed"]
    if not searchable:
        return "Todavía no hay documentos. Agregue los suyos y vuelva a preguntar."
    every_fit = [d for d in searchable if _fits(d, plan.inventory) and _is_named(d, plan.identifiers)]
    fitting = [d for d in every_fit if not chosen or d.path in chosen]
    if chosen:
        listed = sum(d.path in chosen for d in searchable)
        opening = _of_chosen(len(fitting), listed, elsewhere=len(every_fit) - len(fitting), total=len(searchable))
    else:
        opening = _of_all(len(fitting), len(searchable))
    if not fitting:
        return f"{opening}."
    several = len({document.project for document in searchable}) > 1
    lines = [f"{opening}:", "", *(_line(document, tells_project=several) for document in fitting[:LISTED])]
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


def _line(document: DocumentRow, *, tells_project: bool) -> str:
    title = document.title or document.path
    details = [document.path.rsplit("/", 1)[-1]]
    if document.pages:
        details.append("1 página" if document.pages == 1 else f"{document.pages} páginas")
    if tells_project:
        details.append(f"en «{document.project}»")
    return f"- **{title}** ({', '.join(details)})"


def _count(number: int) -> str:
    return "1 documento" if number == 1 else f"{number} documentos"


def _of_all(number: int, total: int) -> str:
    if not number:
        return f"Ninguno de los {total} documentos corresponde a lo que pide"
    if number == total:
        return f"Tengo {_count(number)}"
    return f"Tengo {_count(number)}, de {total}, que {_fit(number)} a lo que pide"


def _of_chosen(number: int, chosen: int, *, elsewhere: int, total: int) -> str:
    """How many of the chosen fit; where none does, how many of the others do."""
    if not chosen:
        return "En los documentos que eligió no hay texto que leer"
    if number == chosen:
        return f"Eligió {_count(number)} de los {total} de su biblioteca"
    if number:
        return f"De los {chosen} documentos que eligió, {number} {_fit(number)} a lo que pide"
    none = "El documento que eligió no" if chosen == 1 else f"Ninguno de los {chosen} documentos que eligió"
    others = f"; entre los demás de su biblioteca hay {elsewhere} que sí" if elsewhere else ""
    return f"{none} corresponde a lo que pide{others}"


def _fit(number: int) -> str:
    return "corresponde" if number == 1 else "corresponden"
