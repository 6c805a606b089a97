-- name: chunks
SELECT c.chunk_id + %(first)s AS chunk_id, c.document_id::text, d.path, d.title, d.identifiers, c.heading_path, c.page_first, c.page_last,
       c.page_starts, c.text, c.state
FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
WHERE c.project_id = %(project)s AND c.chunk_id = ANY(%(ids)s::int[])
