"""The values that travel between the steps. All frozen: a step returns a new value, it never edits an earlier one."""

from rag_system.types.answer import Answer, AnswerRequest, Citation, Evidence, Payer, Usage, chunks_of, mark
from rag_system.types.document import Chunk, ChunkDraft, Concept, ConceptTag, DocumentMetadata, Fact, Passage
from rag_system.types.events import Event, Finished, Planned, Retrieved, Token
from rag_system.types.question import Courtesy, InventoryFilter, Message, QueryPlan, Route
from rag_system.types.retrieval import Candidate, Funnel, NearWord, Reading, Rejection, SearchResult, Survivor
from rag_system.types.state import StateKind, TextState

__all__ = [
    "Answer",
    "AnswerRequest",
    "Candidate",
    "Chunk",
    "ChunkDraft",
    "Citation",
    "Concept",
    "ConceptTag",
    "Courtesy",
    "DocumentMetadata",
    "Event",
    "Evidence",
    "Fact",
    "Finished",
    "Funnel",
    "InventoryFilter",
    "Message",
    "NearWord",
    "Passage",
    "Payer",
    "Planned",
    "QueryPlan",
    "Reading",
    "Rejection",
    "Retrieved",
    "Route",
    "SearchResult",
    "StateKind",
    "Survivor",
    "TextState",
    "Token",
    "Usage",
    "chunks_of",
    "mark",
]
