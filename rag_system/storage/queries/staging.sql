-- name: clear
DELETE FROM staged_chunks WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s

-- name: add_chunk
INSERT INTO staged_chunks (project_id, ingestion_id, ordinal, heading_path, page_first, page_last, page_starts, text,
    tokens, content_hash, state)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)

-- name: add_vector
INSERT INTO staged_vectors (project_id, ingestion_id, ordinal, embedding) VALUES (%s, %s, %s, %b)

-- name: copy
-- What another project holds of a document: in one statement, so that all of it is seen as it was at once.
WITH texts AS (
    INSERT INTO staged_chunks (project_id, ingestion_id, ordinal, heading_path, page_first, page_last, page_starts,
        text, tokens, content_hash, state)
    SELECT %(project)s, %(ingestion_id)s, ordinal, heading_path, page_first, page_last, page_starts, text, tokens,
           content_hash, state
    FROM chunks WHERE project_id = %(source)s AND chunk_id >= %(first)s AND chunk_id < %(stop)s
)
INSERT INTO staged_vectors (project_id, ingestion_id, ordinal, embedding)
SELECT %(project)s, %(ingestion_id)s, chunk_id - %(first)s, embedding
FROM embeddings WHERE project_id = %(source)s AND chunk_id >= %(first)s AND chunk_id < %(stop)s

-- name: count
-- A vector has its chunk, so there is nothing to join; a join of rows just written, not yet analysed, is quadratic.
SELECT
    (SELECT count(*) FROM staged_chunks WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s) AS chunks,
    (SELECT count(*) FROM staged_vectors WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s) AS vectors

-- name: reuse_vectors
-- Content that the project already holds keeps its vector: text that only moved is not embedded again.
INSERT INTO staged_vectors (project_id, ingestion_id, ordinal, embedding)
SELECT s.project_id, s.ingestion_id, s.ordinal, e.embedding
FROM staged_chunks s
CROSS JOIN LATERAL (
    SELECT c.chunk_id FROM chunks c
    WHERE c.project_id = s.project_id AND c.content_hash = s.content_hash LIMIT 1
) AS known
JOIN embeddings e ON e.project_id = s.project_id AND e.chunk_id = known.chunk_id
WHERE s.project_id = %(project)s AND s.ingestion_id = %(ingestion_id)s
ON CONFLICT DO NOTHING

-- name: without_vector
-- The next chunks to embed, behind `after`.
SELECT s.ordinal, s.heading_path, s.text, s.content_hash
FROM staged_chunks s
WHERE s.project_id = %(project)s AND s.ingestion_id = %(ingestion_id)s AND s.ordinal > %(after)s
AND NOT EXISTS (
    SELECT FROM staged_vectors v
    WHERE v.project_id = s.project_id AND v.ingestion_id = s.ingestion_id AND v.ordinal = s.ordinal
)
ORDER BY s.ordinal LIMIT %(limit)s

-- name: chunks
SELECT ordinal, heading_path, page_first, page_last, page_starts, text, tokens, content_hash, state
FROM staged_chunks WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s
AND ordinal >= %(from)s AND ordinal < %(to)s
ORDER BY ordinal

-- name: vectors
SELECT embedding FROM staged_vectors WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s
AND ordinal >= %(from)s AND ordinal < %(to)s
ORDER BY ordinal

-- name: publish_chunks
INSERT INTO chunks
    (project_id, chunk_id, document_id, ordinal, heading_path, page_first, page_last, page_starts, text, tokens,
     content_hash, state)
SELECT project_id, %(first)s + ordinal, %(document_id)s, ordinal, heading_path, page_first, page_last, page_starts,
       text, tokens, content_hash, state
FROM staged_chunks WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s
AND ordinal >= %(from)s AND ordinal < %(to)s

-- name: publish_vectors
INSERT INTO embeddings (project_id, chunk_id, language, embedding)
SELECT project_id, %(first)s + ordinal, %(language)s, embedding
FROM staged_vectors WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s
AND ordinal >= %(from)s AND ordinal < %(to)s
