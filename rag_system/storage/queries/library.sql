-- name: count
SELECT count(*) FROM documents WHERE project_id = %(project)s

-- name: passages
SELECT c.chunk_id, d.path, c.heading_path, c.text
FROM documents d
JOIN chunks c ON c.project_id = %(project)s AND c.document_id = d.document_id
WHERE d.project_id = %(project)s AND d.path = ANY(%(paths)s)
ORDER BY c.chunk_id
