-- name: headings
-- What stands above and in the passages of the documents that a search is confined to.
SELECT chunk_id, heading_path, text FROM chunks
WHERE project_id = %(project)s AND document_id = ANY(%(within)s::uuid[])
ORDER BY chunk_id
LIMIT %(passages)s
