-- fragment: told
-- Where an ingestion stands, but for what was read from its file: that may be large.
project_id, ingestion_id::text, path, origin, sha256, size_bytes, target_model, status, stage, done, total, reused,
       attempt, outcome, error, document_id::text, copy_of, accepted_at, started_at, finished_at

-- name: take_turns
-- Two programs that accept the same path at once.
SELECT pg_advisory_xact_lock(hashtextextended(%(project)s || '/' || %(path)s, 0))

-- name: withdraw
-- What was accepted for the same path before: a newer version takes its place, and what had ended is told no more. A
-- rebuild, which is of the bytes that a document has, only takes another's place: newer ones go on waiting.
DELETE FROM ingestions
WHERE project_id = %(project)s AND path = %(path)s AND %(target_model)s IN ('', target_model) RETURNING sha256

-- name: withdraw_others
-- Other bytes that were accepted for the same path. Who publishes them right now is waited for.
DELETE FROM ingestions
WHERE project_id = %(project)s AND path = %(path)s AND sha256 <> %(sha256)s RETURNING sha256

-- name: accept
INSERT INTO ingestions (project_id, ingestion_id, path, origin, sha256, size_bytes, target_model)
VALUES (%(project)s, %(ingestion_id)s, %(path)s, %(origin)s, %(sha256)s, %(size)s, %(target_model)s)

-- name: get
SELECT {told}, extracted
FROM ingestions WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s

-- name: live
-- What is under way for a path, and the same model.
SELECT {told}, extracted
FROM ingestions WHERE project_id = %(project)s AND path = %(path)s AND target_model = %(target_model)s
AND status IN ('queued', 'working', 'ready')

-- name: list
-- What is under way or went wrong, in the order in which it was accepted.
SELECT {told}, NULL AS extracted
FROM ingestions WHERE project_id = %(project)s AND status <> 'done'
ORDER BY accepted_at, path

-- name: built
-- What is ready for the switch to another model.
SELECT {told}, extracted
FROM ingestions WHERE project_id = %(project)s AND target_model = %(model)s AND status = 'ready'
ORDER BY path

-- name: start
-- The number of the attempt keeps an earlier worker from writing any more.
UPDATE ingestions
SET status = 'working', attempt = attempt + 1, crashes = crashes + 1,
    stage = CASE WHEN extracted IS NULL THEN 'read' ELSE 'embed' END, done = 0, total = 0, reused = 0, error = '',
    started_at = now()
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND status IN ('queued', 'working')
RETURNING attempt, crashes, tries

-- name: advance
-- What an attempt says first of its chunks is what it found done. Who embeds more makes headway: a crash afterwards is
-- the first one again.
UPDATE ingestions
SET stage = %(stage)s, done = %(done)s, total = %(total)s,
    reused = CASE WHEN total = 0 THEN %(done)s ELSE reused END,
    crashes = CASE WHEN total > 0 AND %(done)s > done THEN 1 ELSE crashes END,
    tries = CASE WHEN total > 0 AND %(done)s > done THEN 0 ELSE tries END
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'
RETURNING attempt

-- name: extracted
UPDATE ingestions SET extracted = %(extracted)s
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'
RETURNING attempt

-- name: finish
UPDATE ingestions
SET status = %(status)s, stage = '', outcome = %(outcome)s, error = %(error)s, document_id = %(document_id)s,
    copy_of = %(copy_of)s, finished_at = now()
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'
RETURNING attempt

-- name: release
UPDATE ingestions SET status = 'queued', stage = '', crashes = 0, tries = tries + %(tried)s, error = %(error)s
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'

-- name: cancel
DELETE FROM ingestions
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND status IN ('queued', 'working', 'ready', 'failed')
RETURNING sha256

-- name: forget_done
-- What came of a file is told for as long as its document is there.
DELETE FROM ingestions WHERE project_id = %(project)s AND path = %(path)s AND status = 'done'

-- name: retry
UPDATE ingestions
SET status = 'queued', stage = '', done = 0, total = 0, crashes = 0, tries = 0, error = '', finished_at = NULL
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND status = 'failed'
RETURNING size_bytes

-- name: among
-- How the given ones stand that have left the queue.
SELECT {told}, extracted
FROM ingestions WHERE project_id = %(project)s AND ingestion_id = ANY(%(ids)s) AND status <> 'queued'

-- name: statuses
SELECT ingestion_id::text, status FROM ingestions WHERE project_id = %(project)s AND ingestion_id = ANY(%(ids)s)

-- name: unattended
-- Accepted, and no job will do it: the program died between both, or the job was lost.
SELECT i.project_id, i.ingestion_id::text, i.size_bytes
FROM ingestions i
WHERE i.status IN ('queued', 'working') AND NOT EXISTS (
    SELECT FROM procrastinate_jobs j
    WHERE j.status IN ('todo', 'doing') AND j.args ->> 'ingestion_id' = i.ingestion_id::text
)

-- name: anything_due
SELECT EXISTS (SELECT FROM ingestions WHERE status IN ('queued', 'working'))

-- name: pace
-- Seconds of work that a byte took lately.
SELECT coalesce(sum(extract(epoch FROM finished_at - started_at)) / nullif(sum(size_bytes), 0), 0)::float8
       AS seconds_a_byte
FROM (
    SELECT finished_at, started_at, size_bytes FROM ingestions
    WHERE project_id = %(project)s AND status = 'done' ORDER BY finished_at DESC LIMIT 50
) AS lately
