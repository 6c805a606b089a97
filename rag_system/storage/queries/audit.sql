-- name: write_down
INSERT INTO audit (project_id, action, object) VALUES (%(project)s, %(action)s, %(object)s)

-- name: tell_role
-- In the project, by who keeps accounts and acts as nobody there.
INSERT INTO audit (project_id, person_id, action, object) VALUES (%(project)s, %(by)s, 'people.change', %(object)s)

-- name: list
-- The latest first.
SELECT person_id AS person, done_at, action, object FROM audit
WHERE project_id = %(project)s ORDER BY done_at DESC, entry_id LIMIT %(limit)s

-- name: write_down_of
INSERT INTO people_audit (person_id, action, object, detail) VALUES (%(by)s, %(action)s, %(object)s, %(detail)s)

-- name: list_people
-- The latest first.
SELECT person_id AS person, done_at, action, concat_ws(': ', object, nullif(detail, '')) AS object FROM people_audit
ORDER BY done_at DESC, entry_id LIMIT %(limit)s

-- name: is_owner
SELECT %(project)s = ANY (acting_projects('owner'))
