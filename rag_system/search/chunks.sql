-- name: hydrate
-- Everything the ranking and the reader need of a candidate, with the similarity that its own strategy may not have measured.
SELECT c.chunk_id, c.document_id::text, d.path, d.title, c.heading_path, c.page_first, c.page_last,
       c.page_starts, c.text, d.identifiers, 1 - (e.embedding <=> %(vector)s::halfvec) AS similarity,
       ARRAY(
           SELECT unnest(m.entities) FROM chunk_entities m
           WHERE %(with_entities)s AND m.project_id = %(project)s AND m.chunk_id = c.chunk_id
       ) AS entities,
       e.language
FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
JOIN embeddings e ON e.project_id = %(project)s AND e.chunk_id = c.chunk_id
WHERE c.project_id = %(project)s AND c.chunk_id = ANY(%(ids)s)

-- name: one
SELECT c.chunk_id, c.document_id::text, d.path, d.title, c.heading_path, c.page_first, c.page_last,
       c.page_starts, c.text
FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
WHERE c.project_id = %(project)s AND c.chunk_id = %(chunk_id)s
