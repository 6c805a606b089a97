"""The ways to find chunks for a question: small classes with one protocol, each with its own SQL file."""

from rag_system.search.strategies.angles import Angles
from rag_system.search.strategies.article import Article
from rag_system.search.strategies.citation import CitationCue
from rag_system.search.strategies.conversation import Conversation
from rag_system.search.strategies.definition import Definition
from rag_system.search.strategies.graph import Graph
from rag_system.search.strategies.heading import Heading
from rag_system.search.strategies.lexical import Expansion, Lexical
from rag_system.search.strategies.metadata import Metadata
from rag_system.search.strategies.protocol import Strategy
from rag_system.search.strategies.semantic import Cosine, Semantic

__all__ = [
    "Angles",
    "Article",
    "CitationCue",
    "Conversation",
    "Cosine",
    "Definition",
    "Expansion",
    "Graph",
    "Heading",
    "Lexical",
    "Metadata",
    "Semantic",
    "Strategy",
]
