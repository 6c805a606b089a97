-- name: count
SELECT count(*) FROM documents WHERE project_id = %(project)s

-- name: worker_is_alive
SELECT EXISTS (SELECT FROM procrastinate_workers WHERE last_heartbeat > now() - interval '10 seconds')

-- name: targets
-- The other projects that who acts may add to.
SELECT project_id FROM memberships
WHERE person_id = acting_person() AND role IN ('owner', 'editor') AND project_id <> %(project)s
ORDER BY project_id

-- name: may_change
SELECT WHERE %(project)s = ANY (acting_projects('owner', 'editor'))
