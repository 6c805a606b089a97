-- name: postings
SELECT term, chunk_ids, weights FROM postings WHERE project_id = %(project)s AND term = ANY(%(terms)s)

-- name: removed
-- Ids whose postings wait for the next merge.
SELECT first_chunk_id, stop_chunk_id FROM removed_chunks WHERE project_id = %(project)s
