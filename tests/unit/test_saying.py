"""What the engine and the accounts say in Spanish is told in the language of who looks."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from assistant.wording import REASONS, STRATEGIES, page_ranges, remarks
from rag_system.errors import LegajoError
from rag_system.generation.abstention import abstain
from rag_system.generation.extractive import NEAREST
from rag_system.generation.failures import Failure, Kind, Subject
from rag_system.generation.provider_redaction import redact_provider
from rag_system.generation.replies import COURTESIES
from rag_system.ingestion.report import IngestReport
from rag_system.types import StateKind, TextState
from ui.texts import catalogue, saying
from ui.texts.saying import SAID, around_quotes, translated

ROOT = Path(__file__).parents[2]
# What is said to who starts the program or types commands, in a terminal, which speaks Spanish.
IN_A_TERMINAL = (
    "assistant/commands",
    *(
        f"assistant/{name}.py"
        for name in ("answers", "doctor", "evaluation", "gold", "ingesting", "mcp_server", "questions", "watching")
    ),
    "rag_system/embeddings",
    "rag_system/search/reranking.py",
    "rag_system/settings.py",
    "rag_system/ingestion/spacy_entities.py",
    *(
        f"rag_system/storage/{name}.py"
        for name in ("account", "backup", "cluster", "diagnosis", "embedded", "migrate", "opening", "run_paths")
    ),
)
# The same, in rooms that say other things to people.
ONLY_TYPED = re.compile(
    r"legajo (?:conversations|feedback) list|--(?:document|unanswerable)|comienzan con|letras del identificador"
    r"|LEGAJO_ACCOUNTS=|https://».|LEGAJO_WEB_ALLOW contiene|archivo de texto UTF-8|Si ningún documento responde"
    r"|pool_mode|Se dejó de atender la cola|anotar cómo terminó|numbers do not end|es propietario de"
)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saying, "language", lambda: "en")


def test_in_spanish_there_is_nothing_to_be_told_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saying, "language", lambda: "es")
    assert translated(LegajoError.__doc__ or "") == LegajoError.__doc__


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Busqué «acciones» en lugar de «aciones».", "I searched for “acciones” instead of “aciones”."),
        ("Busqué solo en «palabras» y «b.docx».", "I searched only “palabras” and “b.docx”."),  # a name stays one
        (
            "OpenRouter recibió demasiadas consultas y pide esperar 60 s. Espere un momento y pregunte de nuevo, o "
            "cambie de proveedor. Esta respuesta es de Servidor local.",
            "OpenRouter got too many requests and asks to wait 60 s. Wait a moment and ask again, or change the "
            "provider. This answer is by Local server.",
        ),
        ("propuesto por: significado, palabras", "proposed by: meaning, words"),
        ("¿Qué dice la Ley 29733 sobre palabras?", "What does Ley 29733 say about palabras?"),
        ("¿Qué dice «Guía» sobre el plazo?", "What does “Guía” say about el plazo?"),
        (
            f"Las páginas {page_ranges([1, 3, 4, 5, 8])} se leyeron con OCR: puede haber errores de lectura.",
            "Pages 1, 3–5 and 8 were read with OCR: there may be errors.",
        ),
        (
            "Entre sus documentos no está la Ley 30407: la respuesta sale de otros que la mencionan.",
            "Among your documents, la Ley 30407 is missing: the answer comes from others that mention it.",
        ),
        ("No es de las nuestras.", "No es de las nuestras."),
    ],
)
def test_a_sentence_is_told_with_its_names_and_numbers(sentence: str, told: str) -> None:
    assert translated(sentence) == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "Según Ley 27444, artículo 7 (p. 3): «El plazo: diez días.» [1]\n\nTambién: «Según el juez:» [1]",
            "According to Ley 27444, artículo 7 (p. 3): «El plazo: diez días.» [1]\n\nAlso: «Según el juez:» [1]",
        ),
        (
            f"{NEAREST}\n\nSegún el mismo documento, artículo 5: «Diez días.» [2]",
            "This is the nearest that I found:\n\nAccording to the same document, artículo 5: «Diez días.» [2]",
        ),
        (
            abstain("entre ellos no está la Ley 30407", searched=["protección", "animal"]),
            "I found nothing about that in your documents: la Ley 30407 is not among them. "
            "I searched for: protección, animal.",
        ),
        (COURTESIES["greeting"], "Hello. What would you like to know of your documents?"),
        (
            "Según el anexo: «Se divide en:\nSegún el juez:\nPunto» [1]",
            "According to el anexo: «Se divide en:\nSegún el juez:\nPunto» [1]",
        ),
        (
            "Revisé las 2 secciones de Ley 1 (todo el documento), tablas incluidas, y encontré 1 frase o fila:\n\n"
            "- Artículo 5, p. 3: «Punto: diez días.» [1]\n\nNo quedó ningún texto sin revisar; lo que se dice con "
            "otras palabras no está en la lista. No se pudo leer el texto de 3 páginas.",
            "I went through the 2 sections of Ley 1 (the whole document), tables included, and found 1 sentence or row:"
            "\n\n- Artículo 5, p. 3: «Punto: diez días.» [1]\n\nNo text was left out; what is said in other words is "
            "not in the list. The text of 3 pages could not be read.",
        ),
        (
            "| Punto | **Ley 1** | **Ley 2** |\n| --- | --- | --- |\n| De qué trata | «Punto» [1] | — (no lo dice) |",
            "| Point | **Ley 1** | **Ley 2** |\n| --- | --- | --- |\n| What it is about | «Punto» [1] | — (it does not "
            "say) |",
        ),
        (
            "Índice de **Ley 1**:\n\n- **Punto** [1]\n  - **Plazos**: «Diez.» [2] (tabla de 3 filas)",
            "Contents of **Ley 1**:\n\n- **Punto** [1]\n  - **Plazos**: «Diez.» [2] (table of 3 rows)",
        ),
        ("**Ley 1** indica su fecha: «3 de mayo» [1]", "**Ley 1** tells its date: «3 de mayo» [1]"),
        ("**Ley 1** tiene 12 páginas.", "**Ley 1** has 12 pages."),
        (
            "Para dar un ejemplo hace falta un modelo de lenguaje: elija uno en «Ajustes» o defina LLM_PROVIDER.",
            "To give an example takes a language model: choose one in “Settings” or set LLM_PROVIDER.",
        ),
        (
            "Tengo 2 documentos, de 9, que corresponden a lo que pide:\n\n- **Punto** (a.md, 4 páginas)",
            "I have 2 documents, of 9, that fit what you ask for:\n\n- **Punto** (a.md, 4 pages)",
        ),
        (
            "El documento que eligió no corresponde a lo que pide.",
            "The document that you chose is not what you ask for.",
        ),
    ],
)
def test_what_stands_around_quotes_is_told_and_the_quotes_stay(answer: str, told: str) -> None:
    assert around_quotes(answer) == told


def test_every_courtesy_is_told() -> None:
    assert [each for each in COURTESIES.values() if around_quotes(each) == each] == []


def kinds(kind: type[LegajoError] = LegajoError) -> list[type[LegajoError]]:
    below = [each for each in kind.__subclasses__() if each.__module__ == LegajoError.__module__]
    return [kind, *(each for child in below for each in kinds(child))]


def failures() -> Iterator[str]:
    for status, wait in ((None, None), (429, 60.0)):
        for payer in ("settings", "person", "project"):
            subject = Subject(label="Groq", variable="GROQ_API_KEY", model="m", local=status is None, payer=payer)
            for kind in Kind:
                yield str(Failure(kind=kind, status=status, retry_after_s=wait).error(subject))


def states() -> Iterator[str]:
    for kind in StateKind:
        for by, year in (("", None), ("Ley 1", None), ("", 2018), ("Ley 1", 2018)):
            yield TextState(kind=kind, told="…", by=by, year=year).label


def of_documents() -> Iterator[str]:
    for pages in ((3,), (3, 5)):
        yield from remarks(IngestReport(path="a", status="indexed", empty_pages=pages, hidden_pages=pages, copy_of="b"))
        yield from remarks(IngestReport(path="a", status="indexed", empty_pages=pages, blank_pages=pages, beside="b"))
        yield from remarks(IngestReport(path="a", status="indexed", ocr_pages=pages, hidden_pages=(0,)))


def test_everything_of_a_kind_is_told() -> None:
    said = [
        *STRATEGIES.values(),
        *REASONS.values(),
        *states(),
        *failures(),
        *map(redact_provider, failures()),
        *of_documents(),
    ]
    said += [kind.__doc__ or "" for kind in kinds()]
    assert sorted({each for each in said if translated(each) == each}) == []


def template(node: ast.expr, constants: dict[str, str]) -> str:
    """A sentence with a number for each of its braces; empty where it is not written there."""
    match node:
        case ast.Constant(value=str(words)):
            return re.sub(r"\{\w*(?:\[0\])?\}", "7", words)
        case ast.JoinedStr(values=parts):
            return "".join(str(each.value) if isinstance(each, ast.Constant) else "7" for each in parts)
        case ast.Name(id=name):
            return constants.get(name, "")
        case ast.Call(func=ast.Attribute(value=words, attr="format")):
            return template(words, constants)
    return ""


def raised(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id: template(each.value, {})
        for each in tree.body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[words, *_]) if name.endswith("Error") and not hasattr(
                builtins, name
            ):
                yield template(words, constants)


def in_the_chat() -> Iterator[Path]:
    for root in ("rag_system", "assistant"):
        for path in sorted((ROOT / root).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(IN_A_TERMINAL):
                yield path


def test_what_is_raised_where_people_read_it_in_the_chat_is_told() -> None:
    said = {words for path in in_the_chat() for words in raised(path) if " " in words and not ONLY_TYPED.search(words)}
    assert len(said) > 100
    assert sorted(each for each in said if translated(each) == each) == []


@cache
def written() -> frozenset[str]:
    """Every two words that stand together in the program's texts, and in how it speaks of who is not to be named."""
    pieces = [page_ranges(range(1, 99, 2)), *states(), *of_documents(), *map(redact_provider, failures())]
    pieces += map(
        redact_provider, ("falta la clave de Groq: agréguela", "no se puede abrir su clave de Groq: «legajo»")
    )
    for root in ("rag_system", "assistant"):
        for path in (ROOT / root).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            constants = (each.value for each in ast.walk(tree) if isinstance(each, ast.Constant))
            pieces += [each for each in constants if isinstance(each, str)]
    return frozenset(pair for piece in pieces for pair in pairs(piece))


def pairs(words: str) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(re.findall(r"[^\W\d_]+", words.lower()))]


def test_no_sentence_is_told_that_nobody_says() -> None:
    keys = [key.removeprefix(SAID) for key in catalogue("en") if key.startswith(SAID)]
    unsaid = {key: [each for part in re.split(r"\{[\w:]+\}", key) for each in pairs(part)] for key in keys}
    assert {
        key: lacking for key, said in unsaid.items() if (lacking := [each for each in said if each not in written()])
    } == {}


def test_what_fills_a_sentence_fills_the_other() -> None:
    said = {key.removeprefix(SAID): told for key, told in catalogue("en").items() if key.startswith(SAID)}
    assert len(said) > 250
    braces = re.compile(r"\{(\w+)")
    assert [key for key, told in said.items() if not {*braces.findall(told)} <= {*braces.findall(key)}] == []
    assert [key for key, told in said.items() if "«" in told or not told.strip()] == []
