-- name: list
-- As they were written.
SELECT concept_id, name, parent_id, aliases, embedding, embedding_model, mean_cosine, cosine_spread, calibrated_on
FROM concepts WHERE project_id = %(project)s ORDER BY concept_id

-- name: names
SELECT concept_id, name, parent_id, aliases FROM concepts WHERE project_id = %(project)s ORDER BY concept_id

-- name: clear
-- The tags leave with their concepts.
DELETE FROM concepts WHERE project_id = %(project)s

-- name: add_concepts
-- All at once: a concept may come before the one above it.
INSERT INTO concepts (project_id, concept_id, name, parent_id, aliases, embedding, embedding_model, mean_cosine,
    cosine_spread, calibrated_on)
SELECT %(project)s, * FROM jsonb_to_recordset(%(rows)s) AS concept (
    concept_id integer, name text, parent_id integer, aliases text[], embedding halfvec, embedding_model text,
    mean_cosine real, cosine_spread real, calibrated_on integer
)

-- name: add_tags
INSERT INTO chunk_concepts (project_id, chunk_id, concept_id, confidence)
SELECT %(project)s, * FROM unnest(%(chunk_ids)s::integer[], %(concept_ids)s::integer[], %(confidences)s::real[])

-- name: chunks
-- What tagging reads, a batch at a time.
SELECT c.chunk_id, c.heading_path, c.text, e.embedding
FROM chunks c JOIN embeddings e ON e.project_id = %(project)s AND e.chunk_id = c.chunk_id
WHERE c.project_id = %(project)s AND c.chunk_id >= %(first)s AND c.chunk_id < %(stop)s
ORDER BY c.chunk_id
LIMIT %(limit)s

-- name: chunks_of_document
SELECT first_chunk_id, first_chunk_id + chunk_count
FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: sample
-- Always the same chunks of a project that does not change, from all over it.
SELECT embedding FROM embeddings WHERE project_id = %(project)s ORDER BY hashint4(chunk_id), chunk_id LIMIT %(limit)s

-- name: count_tags
-- Of the documents whose chunks these are: how many are about each concept or one below it. A page reads them often.
WITH RECURSIVE above (concept_id, ancestor) AS (
    SELECT concept_id, concept_id FROM concepts WHERE project_id = %(project)s
    UNION ALL
    SELECT above.concept_id, c.parent_id
    FROM above JOIN concepts c ON c.project_id = %(project)s AND c.concept_id = above.ancestor
    WHERE c.parent_id IS NOT NULL
)
INSERT INTO document_concepts (project_id, concept_id, document_id, chunks)
SELECT %(project)s, above.ancestor, c.document_id, count(DISTINCT t.chunk_id)
FROM chunk_concepts t
JOIN chunks c ON c.project_id = %(project)s AND c.chunk_id = t.chunk_id
JOIN above ON above.concept_id = t.concept_id
WHERE t.project_id = %(project)s AND t.chunk_id >= %(first)s AND t.chunk_id < %(stop)s
GROUP BY above.ancestor, c.document_id

-- name: counts
-- Of each concept and all below it: the chunks and the documents that are about one of them. Copies hold no chunks.
SELECT about.concept_id, sum(about.chunks)::integer, (count(*) + coalesce(sum(copies.documents), 0))::integer
FROM document_concepts about
LEFT JOIN (
    SELECT copy_of, count(*) AS documents FROM documents
    WHERE project_id = %(project)s AND copy_of IS NOT NULL GROUP BY copy_of
) AS copies ON copies.copy_of = about.document_id
WHERE about.project_id = %(project)s
GROUP BY about.concept_id

-- name: documents
-- The documents that are about a concept or one below it, copies too, with their chunks that are.
SELECT held.document_id::text, about.chunks
FROM document_concepts about
JOIN documents held
    ON held.project_id = %(project)s AND coalesce(held.copy_of, held.document_id) = about.document_id
WHERE about.project_id = %(project)s AND about.concept_id = %(concept)s

-- name: chunk_ids
-- Those that are about one of the concepts, ascending, as the bytes of 32-bit integers: there may be a hundred thousand.
SELECT coalesce(string_agg(int4send(chunk_id), '' ORDER BY chunk_id), '')
FROM (
    SELECT DISTINCT chunk_id FROM chunk_concepts WHERE project_id = %(project)s AND concept_id = ANY(%(concepts)s)
) AS tagged

-- name: tags
SELECT t.chunk_id, n.name, t.confidence
FROM chunk_concepts t JOIN concepts n ON n.project_id = %(project)s AND n.concept_id = t.concept_id
WHERE t.project_id = %(project)s AND t.chunk_id = ANY(%(ids)s)
ORDER BY t.chunk_id, t.confidence DESC, t.concept_id
