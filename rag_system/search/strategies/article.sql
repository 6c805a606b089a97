-- name: articles
-- Chunks under an article of that number, in the documents that are what the question names; where none is, in those that
-- mention it. A copy's chunks are its original's.
WITH named AS (
    SELECT coalesce(d.copy_of, d.document_id) AS document_id, bool_or(i.own) AS own
    FROM unnest(%(bases)s::text[]) AS asked (base)
    CROSS JOIN LATERAL (
        SELECT document_id, own FROM document_identifiers
        WHERE project_id = %(project)s AND base = asked.base
        ORDER BY own DESC, document_id
        LIMIT %(documents)s
    ) AS i
    JOIN documents d ON d.project_id = %(project)s AND d.document_id = i.document_id
    WHERE d.chunk_count > 0
    GROUP BY coalesce(d.copy_of, d.document_id)
    ORDER BY own DESC, document_id
    LIMIT %(documents)s
)
SELECT c.chunk_id
FROM named
CROSS JOIN LATERAL (  -- OFFSET 0: document by document, never the other way round
    SELECT chunk_id, heading_path FROM chunks
    WHERE project_id = %(project)s AND document_id = named.document_id OFFSET 0
) AS c
WHERE named.own = (SELECT bool_or(own) FROM named)
  AND EXISTS (SELECT FROM unnest(c.heading_path) AS heading WHERE heading ~* %(pattern)s) /* about */
ORDER BY c.chunk_id
LIMIT %(limit)s
