"""Words: from numbered evidence to an answer whose every citation can be followed.

`context` numbers the evidence, `prompt` asks, `providers` chooses who answers, `markers` and `grounding` read the
answer. Language models are imported only when one is used.
"""

from rag_system.generation.abstention import ABSTENTION, abstain, is_abstention
from rag_system.generation.answerability import NormsElsewhere, named_gap, norms_not_searched, norms_only_mentioned
from rag_system.generation.answering import fail, say, write
from rag_system.generation.citation_label import inert, nearest_label, section_label
from rag_system.generation.confidence import Doubt, read_doubt
from rag_system.generation.context import build_context
from rag_system.generation.credentials import Credentials, Key, settings_credentials
from rag_system.generation.cuts import GAP
from rag_system.generation.figures import read_figures
from rag_system.generation.grounding import Grounding, ground
from rag_system.generation.markers import clean_answer, marker_numbers, renumbered, strip_markers, written_at
from rag_system.generation.passages import CELL, Kind, read_passage
from rag_system.generation.prompt import SOURCES_SHARE, build_messages
from rag_system.generation.prompt_budget import estimate_tokens
from rag_system.generation.prompt_injection import is_injection
from rag_system.generation.protocol import Answerer
from rag_system.generation.provider_redaction import redact_provider, without_provider
from rag_system.generation.providers import (
    PROVIDERS,
    Provider,
    Resolved,
    build_answerer,
    offered_providers,
    resolve_fallback,
    resolve_provider,
    try_key,
)
from rag_system.generation.remembered import as_sources, telling
from rag_system.generation.rewriting import rewrite
from rag_system.generation.sanitizing import AnswerFilter, disarm

__all__ = [
    "ABSTENTION",
    "CELL",
    "GAP",
    "PROVIDERS",
    "SOURCES_SHARE",
    "AnswerFilter",
    "Answerer",
    "Credentials",
    "Doubt",
    "Grounding",
    "Key",
    "Kind",
    "NormsElsewhere",
    "Provider",
    "Resolved",
    "abstain",
    "as_sources",
    "build_answerer",
    "build_context",
    "build_messages",
    "clean_answer",
    "disarm",
    "estimate_tokens",
    "fail",
    "ground",
    "inert",
    "is_abstention",
    "is_injection",
    "marker_numbers",
    "named_gap",
    "nearest_label",
    "norms_not_searched",
    "norms_only_mentioned",
    "offered_providers",
    "read_doubt",
    "read_figures",
    "read_passage",
    "redact_provider",
    "renumbered",
    "resolve_fallback",
    "resolve_provider",
    "rewrite",
    "say",
    "section_label",
    "settings_credentials",
    "strip_markers",
    "telling",
    "try_key",
    "without_provider",
    "write",
    "written_at",
]
