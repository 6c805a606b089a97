-- name: around
-- Chunks by id, without the document's columns: the hit beside them has these.
SELECT chunk_id, document_id::text, heading_path, page_first, page_last, page_starts, text
FROM chunks WHERE project_id = %(project)s AND chunk_id = ANY(%(ids)s)
