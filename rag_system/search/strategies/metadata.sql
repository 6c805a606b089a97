-- name: named
-- Documents that carry an identifier of the question, whatever the edition; those that are it first. Of each, the first
-- few in the order of their index: thousands may mention the same law. A copy's chunks are its original's.
SELECT coalesce(d.copy_of, d.document_id)::text AS document_id, i.identifier, i.own, d.first_chunk_id, d.chunk_count
FROM unnest(%(bases)s::text[]) AS asked (base)
CROSS JOIN LATERAL (
    SELECT document_id, identifier, own FROM document_identifiers
    WHERE project_id = %(project)s AND base = asked.base
    ORDER BY own DESC, document_id
    LIMIT %(limit)s
) AS i
JOIN documents d ON d.project_id = %(project)s AND d.document_id = i.document_id
WHERE d.chunk_count > 0
ORDER BY i.own DESC, d.path
LIMIT %(limit)s

-- name: titled
-- Documents whose title, file name or folder share words with the question, those that share the rarest first. Words that
-- very many titles have only count for documents found by another.
WITH asked AS MATERIALIZED (
    SELECT term, (
        SELECT count(*)
        FROM (
            SELECT FROM document_terms t WHERE t.project_id = %(project)s AND t.term = terms.term LIMIT %(common)s
        ) AS counted
    ) AS documents
    FROM unnest(%(terms)s::text[]) AS terms (term)
), telling AS (
    SELECT term, documents FROM asked
    WHERE documents > 0 AND (documents < %(common)s OR documents = (SELECT min(documents) FROM asked WHERE documents > 0))
), found AS (
    SELECT t.document_id, array_agg(telling.term) AS terms
    FROM telling
    CROSS JOIN LATERAL (
        SELECT document_id FROM document_terms t
        WHERE t.project_id = %(project)s AND t.term = telling.term
        LIMIT %(common)s
    ) AS t
    GROUP BY t.document_id
    ORDER BY sum(1 / (1 + ln(telling.documents))) DESC, t.document_id
    LIMIT %(limit)s
)
SELECT coalesce(d.copy_of, d.document_id)::text AS document_id, found.terms || ARRAY(
        SELECT t.term FROM asked JOIN document_terms t ON t.term = asked.term COLLATE "C"
        WHERE t.project_id = %(project)s AND t.document_id = found.document_id AND asked.documents = %(common)s
            AND asked.term <> ALL(found.terms)
    ) AS terms, d.first_chunk_id, d.chunk_count
FROM found
JOIN documents d ON d.project_id = %(project)s AND d.document_id = found.document_id
WHERE d.chunk_count > 0

-- name: document_frequency
-- In how many titles each word is; very many are counted no further.
SELECT term, documents
FROM unnest(%(terms)s::text[]) AS terms (term)
CROSS JOIN LATERAL (
    SELECT count(*) AS documents
    FROM (SELECT FROM document_terms t WHERE t.project_id = %(project)s AND t.term = terms.term LIMIT %(common)s) AS counted
) AS counted
WHERE documents > 0
