-- fragment: told
-- Where an ingestion stands, but for what was read from its file: that may be large.
i.project_id, i.ingestion_id::text, i.path, i.origin, i.source, i.container, i.given_title, i.sha256, i.size_bytes, i.target_model, i.status,
       CASE WHEN p.attempt IS NULL THEN i.stage ELSE 'publish' END AS stage, coalesce(p.done, i.done) AS done,
       coalesce(p.total, i.total) AS total,
       CASE WHEN p.attempt IS NULL THEN i.rate ELSE p.done / extract(epoch FROM clock_timestamp() - p.began_at)::real END
           AS rate,
       i.attempt, i.outcome, i.error, i.code, i.document_id::text, i.copy_of,
       CASE WHEN i.status = 'queued' AND i.error <> '' THEN (
           SELECT min(j.scheduled_at) FROM procrastinate_jobs j
           WHERE j.queueing_lock = i.ingestion_id::text AND j.status = 'todo'
       ) END AS retry_at

-- fragment: standing
-- What a publication that is under way tells of itself stands beside it.
ingestions i LEFT JOIN publications p
    ON p.project_id = i.project_id AND p.ingestion_id = i.ingestion_id AND p.attempt = i.attempt AND i.status = 'working'

-- name: take_turns
-- Two programs that accept the same path at once.
SELECT pg_advisory_xact_lock(hashtextextended(%(project)s || '/' || %(path)s, 0))

-- name: is_anothers
-- Whether another file's document has a path, or is on its way to it, or what another archive or message brought lies
-- below it. The same bytes are no other's.
SELECT EXISTS (
    SELECT FROM documents
    WHERE project_id = %(project)s AND %(path)s IN (path, container) AND source NOT IN ('', %(source)s) AND sha256 <> %(sha256)s
    UNION ALL
    SELECT FROM ingestions
    WHERE project_id = %(project)s AND %(path)s IN (path, container) AND source NOT IN ('', %(source)s) AND sha256 <> %(sha256)s
    AND status NOT IN ('done', 'removed')
)

-- name: withdraw_missing
-- What an archive or a message was to bring before it changed.
DELETE FROM ingestions
WHERE project_id = %(project)s AND container = %(container)s AND path <> ALL (%(paths)s) AND status <> 'done' RETURNING sha256

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
-- What a person calls a document goes on to what takes its place.
INSERT INTO ingestions (project_id, ingestion_id, path, origin, source, container, sha256, size_bytes, target_model, given_title)
VALUES (%(project)s, %(ingestion_id)s, %(path)s, %(origin)s, %(source)s, %(container)s, %(sha256)s, %(size)s, %(target_model)s,
    coalesce(nullif(%(given_title)s, ''), (SELECT given_title FROM documents WHERE project_id = %(project)s AND path = %(path)s), ''))

-- name: get
SELECT {told}, i.extracted
FROM {standing} WHERE i.project_id = %(project)s AND i.ingestion_id = %(ingestion_id)s

-- name: live
-- What is under way for a path, and the same model.
SELECT {told}, i.extracted
FROM {standing} WHERE i.project_id = %(project)s AND i.path = %(path)s AND i.target_model = %(target_model)s
AND i.status IN ('queued', 'working', 'ready')

-- name: awaits_other
-- Whether other bytes that were accepted for a path are still to become its document, or failed to.
SELECT EXISTS (
    SELECT FROM ingestions
    WHERE project_id = %(project)s AND path = %(path)s AND sha256 <> %(sha256)s AND status NOT IN ('done', 'removed')
)

-- name: list
-- What is under way or went wrong, in the order in which it was accepted.
SELECT {told}, NULL AS extracted
FROM {standing} WHERE i.project_id = %(project)s AND i.status NOT IN ('done', 'removed')
ORDER BY i.accepted_at, i.path

-- name: built
-- What is ready for the switch to another model.
SELECT {told}, i.extracted
FROM {standing} WHERE i.project_id = %(project)s AND i.target_model = %(model)s AND i.status = 'ready'
ORDER BY i.path

-- name: start
-- The number of the attempt keeps an earlier worker from writing any more.
UPDATE ingestions
SET status = 'working', attempt = attempt + 1, crashes = crashes + 1,
    stage = CASE WHEN extracted IS NULL THEN 'read' ELSE 'embed' END, done = 0, total = 0, rate = NULL, error = '',
    started_at = now()
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND status IN ('queued', 'working')
RETURNING attempt, crashes, tries

-- name: advance
-- What an attempt says first of its chunks is what it found done. Who embeds more makes headway: a crash afterwards is
-- the first one again. The rate moves with each batch, by a third.
UPDATE ingestions
SET stage = %(stage)s, done = %(done)s, total = %(total)s,
    rate = CASE WHEN total > 0 AND %(done)s > done
        THEN (coalesce(2 * rate, 0) + (%(done)s - done) / greatest(extract(epoch FROM clock_timestamp() - advanced_at), 0.001))
            / CASE WHEN rate IS NULL THEN 1 ELSE 3 END
        ELSE rate END,
    advanced_at = clock_timestamp(),
    crashes = CASE WHEN total > 0 AND %(done)s > done THEN 1 ELSE crashes END,
    tries = CASE WHEN total > 0 AND %(done)s > done THEN 0 ELSE tries END
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'
RETURNING attempt

-- name: extracted
UPDATE ingestions SET extracted = %(extracted)s
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'
RETURNING attempt

-- name: finish
WITH told AS (DELETE FROM publications WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s)
UPDATE ingestions
SET status = %(status)s, stage = '', outcome = %(outcome)s, error = %(error)s, code = %(code)s,
    document_id = %(document_id)s, copy_of = %(copy_of)s
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'
RETURNING attempt

-- name: release
UPDATE ingestions SET status = 'queued', stage = '', crashes = 0, tries = tries + %(tried)s, error = %(error)s
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND attempt = %(attempt)s AND status = 'working'

-- name: tell_publication
INSERT INTO publications AS p (project_id, ingestion_id, attempt, done, total)
VALUES (%(project)s, %(ingestion_id)s, %(attempt)s, %(done)s, %(total)s)
ON CONFLICT (project_id, ingestion_id) DO UPDATE
SET attempt = excluded.attempt, done = excluded.done, total = excluded.total,
    began_at = CASE WHEN p.attempt = excluded.attempt THEN p.began_at ELSE now() END,
    cancelled = p.cancelled AND p.attempt = excluded.attempt
RETURNING cancelled

-- name: limit_waiting
-- Who holds what this waits for may wait for the publication, which waits for this: the server sees no circle there.
SET LOCAL lock_timeout = '1s'

-- fragment: stop
-- All that is embedded is being published, or about to be: it need not have told so yet.
INSERT INTO publications AS p (project_id, ingestion_id, attempt, done, total, cancelled)
SELECT project_id, ingestion_id, attempt, 0, total, true FROM ingestions
WHERE project_id = %(project)s AND status = 'working' AND 0 < total AND total = done

-- fragment: stopped
FOR KEY SHARE
ON CONFLICT (project_id, ingestion_id) DO UPDATE
SET attempt = greatest(p.attempt, excluded.attempt), cancelled = true

-- name: stop_publication
{stop} AND ingestion_id = %(ingestion_id)s {stopped}

-- name: stop_others
-- Of other bytes that were accepted for the same path.
{stop} AND path = %(path)s AND sha256 <> %(sha256)s {stopped}

-- name: cancel
DELETE FROM ingestions
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND status IN ('queued', 'working', 'ready', 'failed')
RETURNING sha256

-- name: forget_done
-- What came of a file is told for as long as its document is there.
DELETE FROM ingestions WHERE project_id = %(project)s AND path = %(path)s AND status = 'done'

-- name: keep_removed
-- A document that is about to be taken out: what it takes to bring it back. To be read anew, it would come back unasked.
WITH anew AS (
    DELETE FROM ingestions i USING documents d
    WHERE d.project_id = %(project)s AND d.document_id = %(document_id)s
    AND i.project_id = d.project_id AND i.path = d.path AND i.sha256 = d.sha256 AND i.status IN ('queued', 'working', 'ready')
)
INSERT INTO ingestions (project_id, ingestion_id, path, origin, source, container, sha256, size_bytes, given_title, status)
SELECT project_id, gen_random_uuid(), path, origin, source, container, sha256, size_bytes, given_title, 'removed'
FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: restore_removed
-- A document, and what came in it, unless something else stands in its place or is on its way there.
UPDATE ingestions i SET status = 'queued', accepted_at = now()
WHERE project_id = %(project)s AND %(path)s IN (path, container) AND status = 'removed' AND accepted_at > now() - %(kept)s
AND NOT EXISTS (SELECT FROM documents d WHERE d.project_id = i.project_id AND d.path = i.path)
AND NOT EXISTS (
    SELECT FROM ingestions o
    WHERE o.project_id = i.project_id AND o.path = i.path AND o.status IN ('queued', 'working', 'ready')
)
RETURNING ingestion_id::text, path, size_bytes

-- name: forget_removed
DELETE FROM ingestions
WHERE project_id = %(project)s AND status = 'removed' AND accepted_at <= now() - %(kept)s RETURNING sha256

-- name: removed_long_ago
SELECT DISTINCT project_id FROM ingestions WHERE status = 'removed' AND accepted_at <= now() - %(kept)s

-- name: retry
UPDATE ingestions
SET status = 'queued', stage = '', done = 0, total = 0, crashes = 0, tries = 0, error = '', code = ''
WHERE project_id = %(project)s AND ingestion_id = %(ingestion_id)s AND status = 'failed'
RETURNING size_bytes

-- name: among
-- How the given ones stand that have left the queue, or wait in it for another try.
SELECT {told}, i.extracted
FROM {standing} WHERE i.project_id = %(project)s AND i.ingestion_id = ANY(%(ids)s) AND (i.status <> 'queued' OR i.error <> '')

-- name: statuses
-- Another word for those that wait for another try: something is to be told of them.
SELECT ingestion_id::text, CASE WHEN status = 'queued' AND error <> '' THEN 'waiting' ELSE status END
FROM ingestions WHERE project_id = %(project)s AND ingestion_id = ANY(%(ids)s)

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
