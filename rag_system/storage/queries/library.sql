-- name: count
SELECT count(*) FROM documents WHERE project_id = %(project)s
