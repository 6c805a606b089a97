-- name: articles
-- Chunks under an article of that number, in the documents that carry an identifier of the question.
SELECT c.chunk_id
FROM document_identifiers i
JOIN chunks c ON c.project_id = %(project)s AND c.document_id = i.document_id
WHERE i.project_id = %(project)s AND i.base = ANY(%(bases)s)
  AND EXISTS (SELECT FROM unnest(c.heading_path) AS heading WHERE heading ~* %(pattern)s)
GROUP BY c.chunk_id
ORDER BY bool_or(i.own) DESC, c.chunk_id
LIMIT %(limit)s
