-- name: texts
SELECT text FROM chunks WHERE project_id = %(project)s AND chunk_id = ANY(%(ids)s)
ORDER BY array_position(%(ids)s, chunk_id)
