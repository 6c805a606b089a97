-- name: repealed
-- The documents that another one repeals, with what each is, which norm that names, the words that do, and what repeals it.
WITH found AS MATERIALIZED (
    SELECT d.project_id, d.document_id, d.identifiers, own.identifier, norm_base(own.identifier) AS base
    FROM documents d CROSS JOIN LATERAL unnest(d.identifiers) AS own (identifier)
    WHERE d.project_id = ANY(%(projects)s::text[]) AND d.document_id = ANY(%(documents)s::uuid[])
)
SELECT found.document_id::text, found.identifiers, r.identifier, r.told, n.identifiers, n.years
FROM found
JOIN repeals r ON r.project_id = found.project_id AND r.base = found.base AND r.document_id <> found.document_id
JOIN documents n ON n.project_id = found.project_id AND n.document_id = r.document_id
ORDER BY found.document_id, n.path
