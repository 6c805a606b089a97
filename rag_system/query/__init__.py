"""What is being asked: routes, follow-ups, citations, identifiers, expansion, spelling and Spanish text analysis.

Pure functions: no model, no database, no network, no clock.
"""

from rag_system.query.accents import restore_accents
from rag_system.query.citations import CitationCue, find_citations, name_in_print
from rag_system.query.common_words import is_common
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.english import in_another_language, in_english
from rag_system.query.entities import Mention, extract_entities, possible_entities
from rag_system.query.everyday import everyday_words, relatives, with_written_words, written_for
from rag_system.query.expansion import expand, learn_acronyms
from rag_system.query.identifier_grammar import shadow
from rag_system.query.identifiers import (
    IdentifierMatch,
    article_references,
    by_name,
    extract_identifiers,
    family,
    find_identifiers,
    identifiers_in_name,
    kind,
    own_names,
    same_identifier,
    without_identifiers,
)
from rag_system.query.inventory import read_inventory
from rag_system.query.markup import strip_invisible
from rag_system.query.names import Name, find_names
from rag_system.query.phrases import phrase_terms
from rag_system.query.plan import analyze
from rag_system.query.reformulation import accept_rewrite, needs_context, standalone
from rag_system.query.rereading import dense_queries, spelled, with_rewrite
from rag_system.query.routing import route
from rag_system.query.sentences import Span, ends_in_abbreviation, sentence_end_before, split_sentences
from rag_system.query.spelling import Vocabulary, correct, corrections, rewrite_word, suspects, written
from rag_system.query.text import analyze_terms, fold, matching_words, query_terms, stem, tokens
from rag_system.query.typing_habits import written_out
from rag_system.query.word_lists import STOPWORDS, words

__all__ = [
    "STOPWORDS",
    "CitationCue",
    "IdentifierMatch",
    "Mention",
    "Name",
    "Span",
    "Vocabulary",
    "accept_rewrite",
    "analyze",
    "analyze_terms",
    "article_references",
    "by_name",
    "correct",
    "corrections",
    "dense_queries",
    "ends_in_abbreviation",
    "everyday_words",
    "expand",
    "extract_entities",
    "extract_identifiers",
    "family",
    "find_citations",
    "find_identifiers",
    "find_names",
    "fold",
    "identifiers_in_name",
    "in_another_language",
    "in_english",
    "is_common",
    "kind",
    "learn_acronyms",
    "matching_words",
    "name_in_print",
    "needs_context",
    "own_names",
    "phrase_terms",
    "possible_entities",
    "query_terms",
    "read_inventory",
    "relatives",
    "restore_accents",
    "rewrite_word",
    "route",
    "same_identifier",
    "sentence_end_before",
    "shadow",
    "spelled",
    "split_sentences",
    "standalone",
    "stem",
    "strip_courtesy",
    "strip_invisible",
    "suspects",
    "tokens",
    "with_rewrite",
    "with_written_words",
    "without_identifiers",
    "words",
    "written",
    "written_for",
    "written_out",
]
