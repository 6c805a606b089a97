-- name: columns
-- What the ranking needs of every candidate, with the similarity that its own strategy may not have measured. What only some
-- questions look at is left out for the others. The ids stand twice, so that the vectors are read in one go, not one by one.
SELECT c.chunk_id + %(first)s AS chunk_id, c.document_id::text,
       1 - (e.embedding <=> %(vector)s::halfvec) AS similarity, e.language,
       coalesce(c.state ->> 'kind', '') AS state,
       CASE WHEN %(with_identifiers)s THEN (
           SELECT d.identifiers FROM documents d WHERE d.project_id = %(project)s AND d.document_id = c.document_id
       ) END AS identifiers,
       CASE WHEN %(with_headings)s THEN c.heading_path END AS heading_path,
       CASE WHEN %(with_texts)s THEN c.text END AS text,
       CASE WHEN %(with_entities)s THEN ARRAY(
           SELECT unnest(m.entities) FROM chunk_entities m
           WHERE m.project_id = %(project)s AND m.chunk_id = c.chunk_id
       ) END AS entities,
       CASE WHEN %(with_headings)s THEN (
           SELECT d.title || ' ' || d.path FROM documents d WHERE d.project_id = %(project)s AND d.document_id = c.document_id
       ) END AS title
FROM chunks c
JOIN embeddings e ON e.project_id = %(project)s AND e.chunk_id = c.chunk_id AND e.chunk_id = ANY(%(ids)s::int[])
WHERE c.project_id = %(project)s AND c.chunk_id = ANY(%(ids)s::int[])
ORDER BY c.chunk_id
