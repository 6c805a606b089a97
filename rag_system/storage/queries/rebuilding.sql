-- name: forget_others
-- What was begun for a model that nobody asks for any more, or built by another version of the program.
DELETE FROM ingestions WHERE project_id = %(project)s AND target_model <> ''
AND (target_model <> %(model)s OR (status = 'ready' AND extracted ->> 'index_version' <> %(index_version)s))

-- name: waiting
-- The newest bytes of each path that is going to be taken in.
SELECT path, sha256 FROM ingestions
WHERE project_id = %(project)s AND target_model = '' AND status IN ('queued', 'working')

-- name: detach_copies
UPDATE documents SET copy_of = NULL WHERE project_id = %(project)s AND copy_of IS NOT NULL

-- name: empty
-- Documents with their chunks, vectors, words and identifiers; copies only lose what they point at.
DELETE FROM documents WHERE project_id = %(project)s AND document_id <> ALL (%(copies)s::uuid[])

-- name: empty_postings
DELETE FROM postings WHERE project_id = %(project)s

-- name: empty_segments
DELETE FROM segments WHERE project_id = %(project)s

-- name: empty_removed
DELETE FROM removed_chunks WHERE project_id = %(project)s

-- name: empty_means
DELETE FROM language_means WHERE project_id = %(project)s

-- name: empty_entities
-- The last of what is counted over a project; its own counters start again, but for ids, which are never used twice.
WITH counted AS (UPDATE projects SET chunk_count = 0, term_count = 0 WHERE project_id = %(project)s)
DELETE FROM entities WHERE project_id = %(project)s

-- name: attach_copies
UPDATE documents c SET copy_of = o.document_id, first_chunk_id = o.first_chunk_id, chunk_count = o.chunk_count,
       index_version = o.index_version
FROM documents o
WHERE c.project_id = %(project)s AND c.document_id = ANY (%(copies)s::uuid[])
AND o.project_id = %(project)s AND o.sha256 = c.sha256 AND o.document_id <> ALL (%(copies)s::uuid[])

-- name: forget_built
DELETE FROM ingestions WHERE project_id = %(project)s AND ingestion_id = ANY (%(ids)s::uuid[])
