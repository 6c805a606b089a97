-- name: add
-- Counts and sums may be negative: what leaves is subtracted.
INSERT INTO language_means AS m (project_id, language, vectors, total)
VALUES (%(project)s, %(language)s, %(vectors)s, %(total)s)
ON CONFLICT (project_id, language) DO UPDATE
SET vectors = m.vectors + excluded.vectors,
    total = ARRAY(
        SELECT one + other FROM unnest(m.total, excluded.total) WITH ORDINALITY AS t (one, other, place) ORDER BY place
    )

-- name: forget_empty
DELETE FROM language_means WHERE project_id = %(project)s AND vectors = 0

-- name: vectors_of
-- A document's chunk ids are consecutive.
SELECT e.language, e.embedding
FROM documents d
JOIN embeddings e ON e.project_id = %(project)s
    AND e.chunk_id >= d.first_chunk_id AND e.chunk_id < d.first_chunk_id + d.chunk_count
WHERE d.project_id = %(project)s AND d.document_id = %(document_id)s AND d.copy_of IS NULL
