"""The values that travel between the steps. All frozen: a step returns a new value, it never edits an earlier one."""

from rag_system.types.answer import Answer, AnswerRequest, Assignment, Citation, Evidence, Payer, Usage, mark
from rag_system.types.document import Chunk, ChunkDraft, Concept, ConceptTag, DocumentMetadata, Fact, Passage
from rag_system.types.events import Event, Finished, Planned, Progress, Retrieved, Token
from rag_system.types.question import (
    Courtesy,
    DocumentFact,
    InventoryFilter,
    Message,
    QueryPlan,
    Route,
    Task,
    TaskKind,
    TaskObject,
)
from rag_system.types.retrieval import Candidate, Funnel, NearWord, Reading, Rejection, SearchResult, Survivor
from rag_system.types.state import StateKind, TextState

__all__ = [
    "Answer",
    "AnswerRequest",
    "Assignment",
    "Candidate",
    "Chunk",
    "ChunkDraft",
    "Citation",
    "Concept",
    "ConceptTag",
    "Courtesy",
    "DocumentFact",
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
    "Progress",
    "QueryPlan",
    "Reading",
    "Rejection",
    "Retrieved",
    "Route",
    "SearchResult",
    "StateKind",
    "Survivor",
    "Task",
    "TaskKind",
    "TaskObject",
    "TextState",
    "Token",
    "Usage",
    "mark",
]
