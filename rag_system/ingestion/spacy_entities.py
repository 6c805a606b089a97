"""Persons, organisations and places as spaCy finds them, beside what the rules of `query/entities.py` find.

An extra (`scripts/setup --with spacy`), loaded where files are indexed, nowhere else (docs/decisions/0019). A trained
Spanish model is used where one is installed; without one a ruler of patterns, over sentences that do not end at «Art.».
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from rag_system.errors import ConfigurationError
from rag_system.query.entities import LONGEST_KEY, MOST_ENTITIES, extract_entities
from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS

if TYPE_CHECKING:
    from rag_system.settings import Settings

__all__ = ["RELATING", "EntityExtractor", "entities_in_use", "entity_extractor", "pipeline", "spacy_entities"]

RELATING = frozenset({"lume"})  # the recipes that look at entities
EntityExtractor = Callable[[str], list[str]]  # the distinct keys of what a text names

_MODELS = ("es_core_news_lg", "es_core_news_md", "es_core_news_sm")  # the best that is installed
_KINDS = {"PER": 2, "PERSON": 2, "ORG": 2, "LOC": 1, "GPE": 1}  # label → words at least that say something
_ABBREVIATIONS = (
    "Art. art. Arts. arts. inc. Inc. lit. num. Núm. núm. N.° N.º n.° n.º Nro. nro. Sr. Sra. Sres. Dr. Dra. Lic. Ing. "
    "Abog. Prof. Av. Jr. Cía. pág. págs. p. ej. cfr. Cfr. D.S. D.L. R.M. S.A. S.A.C. EE.UU."
).split()
_ORGANISATIONS = (
    "Academia Agencia Asamblea Asociación Autoridad Banco Biblioteca Caja Cámara Centro Clínica Colegio Comisión "
    "Comité Compañía Confederación Congreso Consejo Consorcio Contraloría Cooperativa Corte Cruz Defensoría Dirección "
    "Ejército Empresa Escuela Facultad Federación Fiscalía Fundación Gerencia Hospital Instituto Junta Juzgado "
    "Ministerio Museo Municipalidad Oficina Organización Policía Procuraduría Sala Secretaría Servicio Sindicato "
    "Superintendencia Tribunal Universidad Viceministerio"
).split()
_PERSONS = (
    "señor señora señores don doña doctor doctora ingeniero ingeniera licenciado licenciada abogado abogada profesor "
    "profesora presidente presidenta ministro ministra alcalde alcaldesa juez jueza gerente directora director "
    "ciudadano ciudadana sr. sra. dr. dra. lic. ing. abog. prof."
).split()
_PLACES = "departamento provincia distrito ciudad región regiones localidad puerto valle río cerro isla avenida".split()
_KINDS_OF_PLACE = frozenset(map(fold, _PLACES))
_CONNECTORS = "de del la las los y e".split()
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def entity_extractor(settings: Settings) -> EntityExtractor:
    """What finds the entities of chunks; nobody where no recipe asks for them."""
    return {"none": _no_entities, "rules": extract_entities, "spacy": spacy_entities}[entities_in_use(settings)]


def entities_in_use(settings: Settings) -> Literal["none", "rules", "spacy"]:
    """What `LEGAJO_ENTITIES` comes to."""
    if settings.entities != "auto":
        return settings.entities
    return "rules" if settings.recipe in RELATING else "none"


def _no_entities(_text: str) -> list[str]:
    """None."""
    return []


def spacy_entities(text: str) -> list[str]:
    """The keys that the rules find, then those of spaCy's names, which questions share with both."""
    found = dict.fromkeys([*extract_entities(text), *_names(text)])
    return [key for key in found if len(key) <= LONGEST_KEY][:MOST_ENTITIES]


def _names(text: str) -> Iterator[str]:
    for entity in pipeline()(text).ents:
        said = [word for word in _WORD.findall(fold(entity.text)) if word not in STOPWORDS]
        said = said[1:] if said and said[0] in _KINDS_OF_PLACE else said
        if len(said) >= _KINDS.get(entity.label_, len(said) + 1):
            yield " ".join(said)


@cache
def pipeline() -> Any:
    """The trained model, or the ruler; both keep abbreviations together. Takes seconds and 300 MB: once a process."""
    try:
        import spacy
    except ImportError:
        raise ConfigurationError(
            "LEGAJO_ENTITIES=spacy necesita spaCy. Instálelo con «scripts/setup --with spacy», o use rules."
        ) from None
    trained = next((model for model in _MODELS if spacy.util.is_package(model)), None)
    nlp: Any = spacy.load(trained, exclude=["lemmatizer"]) if trained else spacy.blank("es")
    for abbreviation in _ABBREVIATIONS:
        nlp.tokenizer.add_special_case(abbreviation, [{"ORTH": abbreviation}])
    if trained is None:
        nlp.add_pipe("sentencizer")
        nlp.add_pipe("entity_ruler").add_patterns(list(_patterns()))
    return nlp


def _patterns() -> Iterator[dict[str, Any]]:
    capital = {"TEXT": {"REGEX": r"^[A-ZÁÉÍÓÚÜÑ][\w'’-]*$"}}
    inside = {
        "TEXT": {"REGEX": rf"^(?:[A-ZÁÉÍÓÚÜÑ][\w'’-]*|{'|'.join(_CONNECTORS)})$", "NOT_IN": _ORGANISATIONS},
        "OP": "*",
    }
    yield {"label": "ORG", "pattern": [{"TEXT": {"IN": _ORGANISATIONS}}, inside, capital]}
    for word in _PERSONS:  # the post itself is no part of the name
        yield {"label": "TITLE", "pattern": [{"LOWER": word}]}
    name = {"TEXT": {"REGEX": r"^[A-ZÁÉÍÓÚÜÑ][a-záéíóúüñ'’-]+$"}}
    yield {"label": "PER", "pattern": [name, {**name, "OP": "+"}]}
    for word in _PLACES:
        yield {"label": "LOC", "pattern": [{"LOWER": word}, {"LOWER": "de", "OP": "?"}, inside, capital]}
