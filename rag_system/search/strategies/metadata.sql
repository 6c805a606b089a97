-- name: named
-- Documents that carry an identifier of the question, whatever the edition; those that are it first.
SELECT d.document_id::text, i.identifier, i.own, d.first_chunk_id, d.chunk_count
FROM document_identifiers i
JOIN documents d ON d.project_id = %(project)s AND d.document_id = i.document_id
WHERE i.project_id = %(project)s AND i.base = ANY(%(bases)s) AND d.chunk_count > 0
ORDER BY i.own DESC, d.path
LIMIT %(limit)s

-- name: titled
-- Documents whose title, file name or folder share words with the question.
SELECT d.document_id::text, array_agg(t.term) AS terms, d.first_chunk_id, d.chunk_count
FROM document_terms t
JOIN documents d ON d.project_id = %(project)s AND d.document_id = t.document_id
WHERE t.project_id = %(project)s AND t.term = ANY(%(terms)s) AND d.chunk_count > 0
GROUP BY d.document_id, d.first_chunk_id, d.chunk_count
ORDER BY count(*) DESC
LIMIT %(limit)s

-- name: document_frequency
SELECT t.term, count(*)
FROM document_terms t WHERE t.project_id = %(project)s AND t.term = ANY(%(terms)s) GROUP BY t.term
