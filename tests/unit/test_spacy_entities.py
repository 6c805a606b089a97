"""spaCy's names beside those of the rules: sentences kept whole, keys that questions share, and what it is worth."""

from __future__ import annotations

import sys

import pytest

from rag_system.errors import ConfigurationError
from rag_system.ingestion import spacy_entities as room
from rag_system.ingestion.report import index_version
from rag_system.ingestion.spacy_entities import RELATING, entities_in_use, entity_extractor, pipeline, spacy_entities
from rag_system.query.entities import extract_entities
from rag_system.search.recipes import RECIPES
from rag_system.settings import EntityMode, Settings

# The persons, organisations and places that a reader would underline, as keys.
SENTENCES = [
    (
        "El Ministerio de Salud aprobó el convenio con la Universidad Nacional de Trujillo.",
        "ministerio salud; universidad nacional trujillo",
    ),
    ("La Sra. Rosa Mamani Condori presentó la solicitud en la ciudad de Puno.", "rosa mamani condori; puno"),
    ("Don Ernesto Salas firmó por la Cooperativa Agraria Los Andes.", "ernesto salas; cooperativa agraria andes"),
    ("El expediente viene del distrito de Breña y lo revisa el Dr. Luis Ochoa.", "breña; luis ochoa"),
    (
        "Se notificó a la Municipalidad Provincial de Arequipa y a la Defensoría del Pueblo.",
        "municipalidad provincial arequipa; defensoria pueblo",
    ),
    ("Los trabajadores de la provincia de San Martín recibirán el bono en marzo.", "san martin"),
    (
        "El alcalde Jorge Ruiz Vega inauguró el Hospital Regional de Loreto.",
        "jorge ruiz vega; hospital regional loreto",
    ),
    ("En el departamento de Cusco rige otro horario.", "cusco"),
    ("El Tribunal Constitucional declaró fundada la demanda.", "tribunal constitucional"),
    ("La profesora Elena Torres enseña en el Colegio Santa Rosa.", "elena torres; colegio santa rosa"),
    ("La lista la publican la SUNAT y el OSCE.", "sunat; osce"),
    ("La empresa se inscribió en la región de Madre de Dios.", "madre dios"),
    ("El ingeniero Pablo Neyra supervisa la obra del puerto de Paita.", "pablo neyra; paita"),
    ("Lo resolvió el Consejo Nacional de Educación, según el Art. 5 de su reglamento.", "consejo nacional educacion"),
    ("El señor Quispe no asistió a la audiencia.", ""),
    ("Los plazos se cuentan en días hábiles.", ""),
    ("Toda persona puede pedir copia de su expediente.", ""),
    (
        "La Dirección General de Trabajo remite lo actuado al Juzgado Civil de Huaraz.",
        "direccion general trabajo; juzgado civil huaraz",
    ),
    ("Participaron Carmen Flores Díaz y Raúl Paredes.", "carmen flores diaz; raul paredes"),
    (
        "El Banco de la Nación y el Ministerio de Economía y Finanzas suscribieron el acta.",
        "banco nacion; ministerio economia finanzas",
    ),
    ("Vive en la avenida Arequipa, en el distrito de San Isidro.", "arequipa; san isidro"),
    ("CAPÍTULO III\nDE LAS VACACIONES ANUALES\nEl descanso es anual.", ""),
    (
        "La Fundación Niños del Norte donó los equipos a la Escuela de Enfermería.",
        "fundacion niños norte; escuela enfermeria",
    ),
    (
        "El ciudadano Mario Vargas Peña apeló ante la Corte Superior de Lima Norte.",
        "mario vargas peña; corte superior lima norte",
    ),
    ("Se viaja al valle del Colca desde la ciudad de Chivay.", "colca; chivay"),
    ("La Oficina de Tecnologías atiende de lunes a viernes.", "oficina tecnologias"),
    ("Según informó el Sindicato de Maestros, el paro empieza en abril.", "sindicato maestros"),
    ("Queda prohibido fumar en los ambientes cerrados.", ""),
    (
        "La abogada Silvia Rojas Prado representa a la Asociación de Usuarios de Agua.",
        "silvia rojas prado; asociacion usuarios agua",
    ),
    ("El Comité de Seguridad y Salud se reúne en la localidad de Mala.", "comite seguridad salud; mala"),
]


def measured(found_in: object) -> tuple[float, float]:
    """Precision and recall over the sentences."""
    right = found = named = 0
    for text, keys in SENTENCES:
        expected = {key for key in keys.split("; ") if key}
        said = set(found_in(text))  # type: ignore[operator]
        right, found, named = right + len(said & expected), found + len(said), named + len(expected)
    return right / found, right / named


def test_without_spacy_the_rules_are_used_and_its_choice_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    assert entity_extractor(Settings(entities="rules")) is extract_entities
    monkeypatch.setitem(sys.modules, "spacy", None)
    pipeline.cache_clear()
    with pytest.raises(ConfigurationError, match="--with spacy"):
        entity_extractor(Settings(entities="spacy"))("El Ministerio de Salud")


@pytest.mark.parametrize(
    ("recipe", "entities", "used"),
    [
        ("default", "auto", "none"),
        ("rrf", "auto", "none"),
        ("lume", "auto", "rules"),
        ("default", "rules", "rules"),
        ("default", "spacy", "spacy"),
    ],
)
def test_entities_are_kept_only_for_who_asks_for_them(recipe: str, entities: EntityMode, used: str) -> None:
    settings = Settings(recipe=recipe, entities=entities)
    assert entities_in_use(settings) == used
    assert bool(entity_extractor(Settings(recipe=recipe, entities=entities))("la Ley N.° 27444")) is (used != "none")


def test_the_recipes_that_look_at_entities_are_known_where_files_are_read() -> None:
    assert {recipe.name for recipe in RECIPES.values() if recipe.uses("graph")} == RELATING


def test_documents_are_due_again_when_a_recipe_asks_for_entities() -> None:
    assert index_version(Settings(recipe="lume")) == index_version(Settings(entities="rules"))
    assert index_version(Settings(recipe="lume")) != index_version(Settings())


def test_spacy_is_not_loaded_before_it_is_asked() -> None:
    assert not hasattr(room, "spacy")


def test_a_sentence_does_not_end_at_an_abbreviation() -> None:
    pytest.importorskip("spacy")
    text = (
        "Según el Art. 5, inc. b) y núm. 3 del D.S. N.° 003-2013-JUS, el Sr. Juan Pérez Ríos pagó. La Dra. Quispe no."
    )
    assert [sentence.text for sentence in pipeline()(text).sents] == [text[:-18].rstrip(), text[-18:]]


def test_names_have_the_keys_that_questions_have() -> None:
    pytest.importorskip("spacy")
    found = spacy_entities("El Sr. Juan Pérez vive en la provincia de San Martín; lo cita la Ley N.° 27444.")
    assert {"ley:27444", "juan perez", "san martin"} <= set(found)


def test_with_spacy_more_is_found_and_little_of_it_is_wrong() -> None:
    pytest.importorskip("spacy")
    (rules_precision, rules_recall), (precision, recall) = measured(extract_entities), measured(spacy_entities)
    assert recall >= rules_recall + 0.1
    assert precision >= rules_precision - 0.05
