-- name: postings
SELECT term, chunk_ids, weights FROM postings WHERE project_id = %(project)s AND term = ANY(%(terms)s)
