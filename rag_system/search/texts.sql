-- name: pieces
-- Chunks by id, without their document's columns: several are of one document.
SELECT chunk_id, document_id::text, heading_path, page_first, page_last, page_starts, text
FROM chunks WHERE project_id = %(project)s AND chunk_id = ANY(%(ids)s::int[])

-- name: documents
SELECT document_id::text, path, title, identifiers
FROM documents WHERE project_id = %(project)s AND document_id = ANY(%(ids)s::uuid[])

-- name: one
SELECT c.chunk_id, c.document_id::text, c.heading_path, c.page_first, c.page_last, c.page_starts, c.text, d.path, d.title
FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
WHERE c.project_id = %(project)s AND c.chunk_id = %(chunk_id)s
