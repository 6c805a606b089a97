"""Spanish questions over a project that holds several languages, with the real embedding model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from psycopg import Connection

from rag_system.embeddings import E5Embeddings
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.search.strategies import semantic
from rag_system.search.strategies.semantic import spoken_languages
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.projects import get_project
from rag_system.storage.publishing import remove_document
from tests.indexing import Indexing

SPANISH = {
    "equipos.md": """# Directiva de equipos de cómputo

## Artículo 1. Asignación
La oficina de informática entrega a cada trabajador una computadora portátil y lleva el inventario de los equipos.

## Artículo 2. Compra
La compra de equipos se hace una vez al año, según el plan que aprueba la gerencia y con tres cotizaciones.

## Artículo 3. Devolución
El trabajador que cesa devuelve el equipo en su último día y firma el acta de entrega con su jefe.

## Artículo 4. Reparación
El área de soporte recibe los equipos dañados y los envía al taller que gana el concurso de cada año.
""",
    "viajes.md": """# Reglamento de viajes

## Artículo 1. Autorización
Los viajes en comisión de servicio se autorizan por escrito, con el destino y los días que durará la comisión.

## Artículo 2. Pasajes
La oficina de logística compra los pasajes en clase económica por el medio de transporte que resulte conveniente.

## Artículo 3. Informe
Al volver del viaje, el trabajador presenta un informe de las actividades que realizó y de sus resultados.

## Artículo 4. Hospedaje
El hospedaje se elige entre los hoteles con los que la entidad tiene convenio en cada ciudad.
""",
    "laboratorio.md": """# Manual del laboratorio

## 1. Ingreso
El personal entra al laboratorio con mandil y guantes, y anota su nombre y la hora en el cuaderno de visitas.

## 2. Limpieza
Las mesas se limpian al empezar y al terminar cada turno; los residuos se separan en bolsas de colores.

## 3. Vacunas
El almacén recibe las vacunas del proveedor y revisa que las cajas lleguen cerradas y con su guía de remisión.

## 4. Emergencias
En un derrame se avisa al responsable de turno, se aísla la zona y se ventila el ambiente.
""",
    "claves.md": """# Política de acceso a los sistemas

## 1. Cuentas
Cada usuario tiene una cuenta personal; el jefe del área pide su creación y su baja a la mesa de ayuda.

## 2. Claves
Las claves son secretas y no se comparten con los compañeros ni se escriben en papeles.

## 3. Acceso remoto
El acceso remoto se concede a quien teletrabaja, previa solicitud de su jefe y firma de un compromiso.

## 4. Copias
Las copias de respaldo de los servidores se guardan en otro local, bajo llave.
""",
}
ENGLISH = {
    "warranty.md": """# Laptop warranty terms

## Coverage
The manufacturer covers defects in the laptop and its battery for thirty-six months from the date of delivery.

## Exclusions
Damage by liquids, by drops or by repairs that were done in other workshops is not covered by the warranty.

## Claims
To make a claim, send the serial number and a photo of the defect to the support address of the vendor.
""",
    "travel.md": """# Travel expense policy of the programme

## Meals
Travellers are paid a daily allowance of fifty-five dollars for meals, and no receipts are needed for it.

## Deadline
Expenses that are claimed later than ten days after the end of the trip will not be reimbursed to the traveller.

## Cars
The use of a private car is paid at forty cents for each kilometre that was driven for the programme.
""",
    "coldchain.md": """# Cold chain guideline

## Storage
Vaccines are kept in the refrigerator between two and eight degrees, and the temperature is read twice a day.

## Power cuts
If the power is out for more than four hours, the vaccines are moved to the cold box and the centre is told.

## Discarding
Opened vials are to be discarded at the end of the session, and this is written in the register of the day.
""",
    "security.md": """# Information security standard

## Passwords
Passwords have at least fourteen characters, and they are changed when there is a sign that they were stolen.

## Lockout
After five failed attempts the account is locked for thirty minutes and an alert is sent to the security team.

## Backups
A restore of the backups is to be tested every quarter, and the result of the test is kept for two years.
""",
}
# Each is answered by one English section alone; Spanish documents speak of the same things.
QUESTIONS = {
    "¿Cuánto dura la garantía de la computadora portátil?": "thirty-six months",
    "¿Qué daños del equipo no cubre la garantía?": "Damage by liquids",
    "¿Cuánto me dan por día para comer cuando viajo?": "fifty-five dollars",
    "¿Hasta cuándo puedo pedir que me devuelvan los gastos del viaje?": "ten days",
    "¿Cuánto pagan por usar mi propio auto en un viaje?": "forty cents",
    "¿A qué temperatura se guardan las vacunas?": "eight degrees",
    "¿Qué se hace con las vacunas si se va la luz?": "cold box",
    "¿Cuántos caracteres debe tener una clave?": "fourteen characters",
    "¿Qué pasa si me equivoco de clave varias veces?": "thirty minutes",
    "¿Cada cuánto se prueban las copias de respaldo?": "every quarter",
}
SAME_LANGUAGE = {
    "¿Qué firma el trabajador que devuelve su equipo?": "acta de entrega",
    "¿En qué clase se compran los pasajes?": "clase económica",
    "¿Qué debo ponerme para entrar al laboratorio?": "mandil y guantes",
    "¿Quién pide que se cree la cuenta de un usuario?": "mesa de ayuda",
}


def write(folder: Path, documents: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def e5(server_home: Path) -> E5Embeddings:
    return E5Embeddings(cache_dir=server_home / "cache")


Read = Callable[[dict[str, str], EmbeddingModel], RAGPipeline]


@pytest.fixture
def read(database: Database, settings: Settings, tmp_path: Path) -> Read:
    def build(documents: dict[str, str], embeddings: EmbeddingModel) -> RAGPipeline:
        indexer = Indexing(database=database, embeddings=embeddings, settings=settings, project="general")
        folder = write(tmp_path / "docs", documents)
        assert {report.status for report in indexer.run(folder)} == {"indexed"}
        return RAGPipeline(
            database=database,
            settings=settings,
            embeddings=lambda: embeddings,
            answerer=build_answerer,
            project="general",
        )

    return build


@pytest.fixture
def pipeline(read: Read, e5: E5Embeddings) -> RAGPipeline:
    return read(SPANISH | ENGLISH, e5)


def rank(pipeline: RAGPipeline, question: str, phrase: str, recipe: str) -> int:
    _, found = pipeline.search(question, scope=Scope(recipe=recipe, top_k=20))
    texts = [" ".join(c.chunk.text.split()) for c in found.candidates]
    return next((n for n, text in enumerate(texts, 1) if phrase in text), len(texts) + 1)


def test_a_spanish_question_finds_the_english_answer_first(pipeline: RAGPipeline) -> None:
    for recipe in ("default", "tomori"):
        ranks = {question: rank(pipeline, question, phrase, recipe) for question, phrase in QUESTIONS.items()}
        assert max(ranks.values()) <= 3, ranks
        assert sum(1 / rank for rank in ranks.values()) / len(ranks) >= 0.7, ranks  # raw cosines: below 0.51
        assert all(rank(pipeline, question, phrase, recipe) == 1 for question, phrase in SAME_LANGUAGE.items())


def test_large_languages_are_searched_by_index(pipeline: RAGPipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = {question: rank(pipeline, question, phrase, "default") for question, phrase in QUESTIONS.items()}
    monkeypatch.setattr(semantic, "EXACT_IN_LANGUAGE", 0)
    assert {question: rank(pipeline, question, phrase, "default") for question, phrase in QUESTIONS.items()} == exact


def test_both_cosines_are_told_and_the_main_language_keeps_its_own(pipeline: RAGPipeline, database: Database) -> None:
    with database.connection() as connection:
        project = get_project(connection, "general")
    assert project.languages["es"] > project.languages["en"] > 0
    _, found = pipeline.search("¿A qué temperatura se guardan las vacunas?", scope=Scope(top_k=20))
    gains = {c.chunk.path: round(c.scores["semantic"] - c.scores["cosine"], 4) for c in found.candidates}
    spanish, english = ([gains[path] for path in gains if path in pool] for pool in (SPANISH, ENGLISH))
    assert set(spanish) == {0}
    assert len(set(english)) == 1
    assert english[0] > 0  # 0.006; the encoder of questions preferred Spanish more before it was taught


def test_a_handful_of_chunks_is_no_language_of_the_project() -> None:
    def spoken(**chunks: int) -> list[str]:
        return list(spoken_languages(chunks))

    assert spoken() == spoken(es=5_000) == spoken(es=5_000, en=49) == []
    assert spoken(es=5_000, en=51) == ["es", "en"]
    assert spoken(en=9, es=10, pt=8, fr=7, it=6) == ["es", "en", "pt", "fr"]  # the fifth shares the search of the rest


# ---------------------------------------------------------------- the sums, with the hashed embeddings


def index(database: Database, settings: Settings, folder: Path) -> None:
    embeddings = HashEmbeddings()
    list(Indexing(database=database, embeddings=embeddings, settings=settings, project="p").run(folder))


def means_are_exact(connection: Connection) -> bool:
    """The stored sums against the vectors themselves, to the last bit."""
    totals = connection.execute("SELECT language, vectors, total FROM language_means WHERE project_id = 'p'").fetchall()
    rows = connection.execute("SELECT language, embedding FROM embeddings WHERE project_id = 'p'").fetchall()
    languages = {language for language, _ in rows}
    summed = {
        language: np.sum([e.to_list() for spoken, e in rows if spoken == language], axis=0, dtype=np.float64).tolist()
        for language in languages
    }
    counted = {language: sum(spoken == language for spoken, _ in rows) for language in languages}
    return {row[0]: row[2] for row in totals} == summed and {row[0]: row[1] for row in totals} == counted


def test_sums_follow_documents_that_come_change_and_go(database: Database, settings: Settings, tmp_path: Path) -> None:
    folder = write(tmp_path / "docs", SPANISH | ENGLISH)
    index(database, settings, folder)
    with database.connection() as connection:
        assert set(get_project(connection, "p").languages) == {"es", "en"}
        assert means_are_exact(connection)
    write(folder, {"travel.md": SPANISH["viajes.md"], "claves.md": ENGLISH["security.md"]})  # they change language
    index(database, settings, folder)
    with database.connection() as connection:
        assert means_are_exact(connection)
        for document in list_documents(connection, "p"):
            if document.language == "en":
                remove_document(connection, "p", document.document_id)
                assert means_are_exact(connection)
        assert set(get_project(connection, "p").languages) == {"es"}


def test_one_language_is_searched_as_ever(database: Database, settings: Settings, tmp_path: Path) -> None:
    index(database, settings, write(tmp_path / "docs", SPANISH))
    embeddings = HashEmbeddings()
    pipeline = RAGPipeline(
        database=database, settings=settings, embeddings=lambda: embeddings, answerer=build_answerer, project="p"
    )
    _, found = pipeline.search("clase económica de los pasajes")
    assert found.candidates
    assert all("cosine" not in candidate.scores for candidate in found.candidates)


@pytest.mark.parametrize(("documents", "silent"), [(SPANISH, True), (ENGLISH, False), (SPANISH | ENGLISH, True)])
def test_words_that_no_document_has_silence_no_collection_in_another_language(
    read: Read, documents: dict[str, str], *, silent: bool
) -> None:
    pipeline = read(documents, HashEmbeddings())
    assert pipeline.query("¿Cuántos satélites tiene Saturno?")["answer"].startswith("No encontré") is silent
