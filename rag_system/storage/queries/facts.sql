-- name: list
SELECT number, fact AS text, added_by, added_at FROM facts WHERE project_id = %(project)s ORDER BY number

-- name: add
WITH counted AS (
    UPDATE projects SET next_fact = next_fact + 1 WHERE project_id = %(project)s RETURNING next_fact - 1 AS number
)
INSERT INTO facts (project_id, number, fact) SELECT %(project)s, number, %(fact)s FROM counted RETURNING number

-- name: forget
DELETE FROM facts WHERE project_id = %(project)s AND number = %(number)s
