-- name: list
-- Each tag with the documents that bear it and are there.
SELECT t.tag, array_agg(t.path ORDER BY t.path) FROM document_tags t
JOIN documents d ON d.project_id = t.project_id AND d.path = t.path
WHERE t.project_id = %(project)s GROUP BY t.tag ORDER BY lower(t.tag), t.tag

-- name: add
INSERT INTO document_tags (project_id, tag, path)
SELECT project_id, %(tag)s, path FROM documents WHERE project_id = %(project)s AND path = ANY (%(paths)s)
ON CONFLICT DO NOTHING RETURNING path

-- name: take
DELETE FROM document_tags WHERE project_id = %(project)s AND tag = %(tag)s AND path = ANY (%(paths)s) RETURNING path
