-- name: copy_postings
COPY postings (project_id, term, segment, chunk_ids, weights) FROM STDIN (FORMAT BINARY)

-- name: read_postings
SELECT term, chunk_ids, weights FROM postings WHERE project_id = %(project)s ORDER BY term, segment

-- name: delete_postings
DELETE FROM postings WHERE project_id = %(project)s

-- name: live_chunk_ids
SELECT chunk_id FROM chunks WHERE project_id = %(project)s ORDER BY chunk_id

-- name: remember_removed
INSERT INTO removed_chunks (project_id, first_chunk_id, stop_chunk_id) VALUES (%(project)s, %(first)s, %(stop)s)

-- name: forget_removed
DELETE FROM removed_chunks WHERE project_id = %(project)s
