-- name: postings
-- A term's segments in the order of their ids.
SELECT term, chunk_ids, weights, document_frequency
FROM postings WHERE project_id = %(project)s AND term = ANY(%(terms)s) ORDER BY term, segment

-- name: removed
-- Ids whose postings wait for the next merge.
SELECT first_chunk_id, stop_chunk_id FROM removed_chunks WHERE project_id = %(project)s
