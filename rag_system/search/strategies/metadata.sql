-- name: named
-- Documents that carry an identifier of the question, whatever the edition; those that are it first. Of each, the first
-- few in the order of their index: thousands may mention the same law. A copy's chunks are its original's.
SELECT coalesce(d.copy_of, d.document_id)::text AS document_id, i.identifier, i.own, d.identifiers, d.first_chunk_id,
       d.chunk_count
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
-- Documents whose title, file name or folder share words with the question, those that share the rarest first, each with its
-- share of what the question's words weigh. Words that very many titles have only count for documents found by another.
WITH counted AS MATERIALIZED (
    SELECT term, (
        SELECT count(*)
        FROM (
            SELECT FROM document_terms t WHERE t.project_id = %(project)s AND t.term = terms.term LIMIT %(common)s
        ) AS counted
    ) AS documents
    FROM unnest(%(terms)s::text[]) AS terms (term)
), asked AS MATERIALIZED (  -- a word of no title weighs 1, as one of a single title does
    SELECT term, documents, 1 / (1 + ln(greatest(documents, 1))) AS weight FROM counted
), telling AS (
    SELECT term, weight FROM asked
    WHERE documents > 0 AND (documents < %(common)s OR documents = (SELECT min(documents) FROM asked WHERE documents > 0))
), found AS (
    SELECT t.document_id, array_agg(telling.term) AS terms, sum(telling.weight) AS weight
    FROM telling
    CROSS JOIN LATERAL (
        SELECT document_id FROM document_terms t
        WHERE t.project_id = %(project)s AND t.term = telling.term
        LIMIT %(common)s
    ) AS t
    GROUP BY t.document_id
    ORDER BY sum(telling.weight) DESC, t.document_id
    LIMIT %(limit)s
)
SELECT coalesce(d.copy_of, d.document_id)::text AS document_id, (found.weight + coalesce((
        SELECT sum(asked.weight) FROM asked JOIN document_terms t ON t.term = asked.term COLLATE "C"
        WHERE t.project_id = %(project)s AND t.document_id = found.document_id AND asked.documents = %(common)s
            AND asked.term <> ALL(found.terms)
    ), 0)) / (SELECT sum(weight) FROM asked) AS share, d.first_chunk_id, d.chunk_count
FROM found
JOIN documents d ON d.project_id = %(project)s AND d.document_id = found.document_id
WHERE d.chunk_count > 0
