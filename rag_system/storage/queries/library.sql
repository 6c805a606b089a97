-- name: count
SELECT count(*) FROM documents WHERE project_id = %(project)s

-- name: worker_is_alive
SELECT EXISTS (SELECT FROM procrastinate_workers WHERE last_heartbeat > now() - interval '10 seconds')

-- name: queue
-- How many files of all projects wait, and whether some worker attends to them.
SELECT (SELECT count(*) FROM ingestions WHERE status IN ('queued', 'working', 'ready')),
       EXISTS (SELECT FROM procrastinate_workers WHERE last_heartbeat > now() - interval '10 seconds')

-- name: may_change
SELECT WHERE %(project)s = ANY (acting_projects('owner', 'editor'))
