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
FROM (
    SELECT first_chunk_id, first_chunk_id + chunk_count AS stop_chunk_id
    FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s AND copy_of IS NULL OFFSET 0
) AS d
JOIN embeddings e ON e.project_id = %(project)s AND e.chunk_id >= d.first_chunk_id AND e.chunk_id < d.stop_chunk_id
