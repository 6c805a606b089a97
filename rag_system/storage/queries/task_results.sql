-- name: recall
UPDATE task_results SET used_at = now() WHERE project_id = %(project)s AND key = %(key)s RETURNING content

-- name: known
SELECT key FROM task_results WHERE project_id = %(project)s AND key = ANY(%(keys)s)

-- name: keep
INSERT INTO task_results (project_id, key, content, documents)
VALUES (%(project)s, %(key)s, %(content)s, %(documents)s::uuid[])
ON CONFLICT (project_id, key) DO UPDATE SET content = excluded.content, used_at = now()

-- name: forget
-- What nobody asked for in a while, and of too many those that nobody asked for the longest.
DELETE FROM task_results WHERE project_id = %(project)s AND (
    used_at < now() - %(kept)s::interval
    OR key IN (
        SELECT key FROM task_results WHERE project_id = %(project)s ORDER BY used_at DESC OFFSET %(most)s
    )
)

-- name: forget_document
DELETE FROM task_results WHERE project_id = %(project)s AND %(document_id)s::uuid = ANY(documents)
