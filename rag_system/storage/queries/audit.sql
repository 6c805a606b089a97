-- name: write_down
INSERT INTO audit (project_id, action, object) VALUES (%(project)s, %(action)s, %(object)s)

-- name: list
-- The latest first.
SELECT person_id AS person, done_at, action, object FROM audit
WHERE project_id = %(project)s ORDER BY done_at DESC, entry_id LIMIT %(limit)s

-- name: is_owner
SELECT %(project)s = ANY (acting_projects('owner'))
