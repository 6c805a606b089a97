-- name: add_postings
INSERT INTO postings (project_id, term, segment, chunk_ids, weights, document_frequency)
SELECT %(project)s, term, %(segment)s, chunk_ids, weights, frequency
FROM unnest(%(terms)b::text[], %(chunk_ids)b::bytea[], %(weights)b::bytea[], %(frequencies)b::integer[])
    AS posting (term, chunk_ids, weights, frequency)

-- name: add
INSERT INTO segments (project_id, segment, first_chunk_id, stop_chunk_id, chunk_count)
VALUES (%(project)s, %(segment)s, %(first)s, %(stop)s, %(chunks)s)

-- name: count
SELECT count(*) FROM segments WHERE project_id = %(project)s

-- name: chunks
-- Those that the segments were written with, and those of them that were removed since.
SELECT (SELECT coalesce(sum(chunk_count), 0) FROM segments WHERE project_id = %(project)s),
       (SELECT coalesce(sum(stop_chunk_id - first_chunk_id), 0) FROM removed_chunks WHERE project_id = %(project)s)

-- name: list
-- From the oldest to the newest, with the chunks of each that are still there.
SELECT s.segment, s.first_chunk_id, s.stop_chunk_id, s.chunk_count AS chunks,
       greatest(s.chunk_count - coalesce(sum(r.stop_chunk_id - r.first_chunk_id), 0)::integer, 0) AS live,
       count(r.first_chunk_id) > 0 AS has_removed
FROM segments s
LEFT JOIN removed_chunks r ON r.project_id = %(project)s
    AND r.stop_chunk_id > s.first_chunk_id AND r.first_chunk_id < s.stop_chunk_id
WHERE s.project_id = %(project)s
GROUP BY s.segment, s.first_chunk_id, s.stop_chunk_id, s.chunk_count
ORDER BY s.segment

-- name: read_postings
SELECT term, chunk_ids, weights, document_frequency
FROM postings WHERE project_id = %(project)s AND segment >= %(segment)s ORDER BY term, segment

-- name: delete_postings
DELETE FROM postings WHERE project_id = %(project)s AND segment >= %(segment)s

-- name: delete
DELETE FROM segments WHERE project_id = %(project)s AND segment >= %(segment)s

-- name: removed
-- Documents that reach into the segments that begin there. Their outermost chunks may have no words, hence no postings.
SELECT first_chunk_id, stop_chunk_id
FROM removed_chunks WHERE project_id = %(project)s AND stop_chunk_id > %(first)s

-- name: remember_removed
INSERT INTO removed_chunks (project_id, first_chunk_id, stop_chunk_id) VALUES (%(project)s, %(first)s, %(stop)s)

-- name: forget_removed
DELETE FROM removed_chunks WHERE project_id = %(project)s AND stop_chunk_id > %(first)s
