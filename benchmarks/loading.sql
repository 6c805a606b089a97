-- name: analyze
-- Autovacuum sees nothing of a transaction that is not over; without statistics a foreign key is looked up in whatever
-- index begins with the project, document after document.
ANALYZE documents, chunks

-- name: copy_documents
COPY documents (project_id, document_id, path, sha256, status, format, title, identifiers, mentions, first_chunk_id, chunk_count)
FROM STDIN (FORMAT BINARY)

-- name: copy_terms
COPY document_terms (project_id, term, document_id) FROM STDIN (FORMAT BINARY)

-- name: copy_identifiers
COPY document_identifiers (project_id, base, identifier, document_id, own) FROM STDIN (FORMAT BINARY)

-- name: copy_acronyms
COPY acronyms (project_id, acronym, document_id, long_form) FROM STDIN (FORMAT BINARY)

-- name: copy_chunks
COPY chunks (project_id, chunk_id, document_id, ordinal, heading_path, text, tokens, content_hash)
FROM STDIN (FORMAT BINARY)

-- name: copy_embeddings
COPY embeddings (project_id, chunk_id, embedding) FROM STDIN (FORMAT BINARY)

-- name: complete_project
UPDATE projects SET embedding_model = %(model)s, embedding_dimension = %(dimension)s, next_chunk_id = %(chunks)s,
    next_segment = %(segments)s, chunk_count = %(chunks)s, term_count = %(terms)s
WHERE project_id = %(project)s

-- name: vector_indexes
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = current_schema() AND tablename = 'embeddings' AND indexdef LIKE '%% USING hnsw %%'
    AND indexdef LIKE '%%halfvec(' || %(dimension)s::text || ')%%'

-- name: sizes
SELECT relname, CASE WHEN relkind = 'i' THEN pg_relation_size(oid) ELSE pg_total_relation_size(oid) END
FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND (relname IN ('postings', 'chunks', 'embeddings') OR relname LIKE 'embeddings_hnsw_%%')
