-- name: nearest
-- {dimension} is a literal of the model's manifest, so that the partial index of that dimension serves. More is taken than
-- is wanted, and ordered anew: within a batch of the index alone is the nearest the first. "+ 0", or it were trusted.
SELECT chunk_id, distance FROM (
    SELECT chunk_id, embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}) AS distance FROM embeddings
    WHERE project_id = %(project)s AND vector_dims(embedding) = {dimension}
    ORDER BY distance
    LIMIT current_setting('legajo.taken')::integer
) AS taken
ORDER BY distance + 0
LIMIT %(limit)s

-- name: nearest_exact
-- Without the approximate index, which a small project would share with bigger ones: the uncast column keeps it out.
SELECT chunk_id, embedding <=> %(vector)s::halfvec AS distance FROM embeddings
WHERE project_id = %(project)s /* about */
ORDER BY distance
LIMIT %(limit)s

-- name: nearest_spoken
SELECT chunk_id, distance FROM (
    SELECT chunk_id, embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}) AS distance FROM embeddings
    WHERE project_id = %(project)s AND language = %(language)s AND vector_dims(embedding) = {dimension}
    ORDER BY distance
    LIMIT current_setting('legajo.taken')::integer
) AS taken
ORDER BY distance + 0
LIMIT %(limit)s

-- name: nearest_foreign
-- The second condition on the language is that of the partial index.
SELECT chunk_id, distance FROM (
    SELECT chunk_id, embedding::halfvec({dimension}) <=> %(vector)s::halfvec({dimension}) AS distance FROM embeddings
    WHERE project_id = %(project)s AND language = %(language)s AND language <> 'es'
        AND vector_dims(embedding) = {dimension}
    ORDER BY distance
    LIMIT current_setting('legajo.taken')::integer
) AS taken
ORDER BY distance + 0
LIMIT %(limit)s

-- name: nearest_spoken_exact
SELECT chunk_id, embedding <=> %(vector)s::halfvec AS distance FROM embeddings
WHERE project_id = %(project)s AND language = %(language)s /* about */
ORDER BY distance
LIMIT %(limit)s

-- name: nearest_in_other_languages
-- Languages of a few documents each.
SELECT chunk_id, embedding <=> %(vector)s::halfvec AS distance FROM embeddings
WHERE project_id = %(project)s AND language <> ALL(%(languages)s) /* about */
ORDER BY distance
LIMIT %(limit)s

-- name: language_sums
SELECT language, vectors, total FROM language_means
WHERE project_id = %(project)s AND language = ANY(%(languages)s)

-- name: nearest_within_named
-- Inside the documents that carry an identifier of the question, exactly: a document's chunk ids are consecutive. Where they
-- stop is added up first: under a policy an addition, which may fail, is no condition of an index.
SELECT e.chunk_id, e.embedding <=> %(vector)s::halfvec AS distance
FROM (
    SELECT d.first_chunk_id, d.first_chunk_id + d.chunk_count AS stop_chunk_id
    FROM unnest(%(bases)s::text[]) AS asked (base)
    CROSS JOIN LATERAL (
        SELECT document_id, own FROM document_identifiers
        WHERE project_id = %(project)s AND base = asked.base
        ORDER BY own DESC, document_id
        LIMIT %(documents)s
    ) AS i
    JOIN documents d ON d.project_id = %(project)s AND d.document_id = i.document_id
    WHERE d.chunk_count > 0
    GROUP BY d.first_chunk_id, d.chunk_count  -- those of copies are the same
    ORDER BY bool_or(i.own) DESC, d.first_chunk_id
    LIMIT %(documents)s
) AS named
JOIN embeddings e ON e.project_id = %(project)s
    AND e.chunk_id >= named.first_chunk_id AND e.chunk_id < named.stop_chunk_id /* about */
ORDER BY distance
LIMIT %(limit)s

-- name: tune
-- The wider the search, the more vectors the index has, whoever's they are: as many as PostgreSQL last counted. As many of
-- the project's own are taken as it may find in a batch, and those that are wanted: so the index begins a second batch, at
-- what it left aside in the first (docs/decisions/0010).
WITH counted AS (
    SELECT greatest(reltuples, %(chunks)s)::real AS vectors FROM pg_class WHERE oid = 'embeddings'::regclass
), chosen AS (
    SELECT vectors, round(least(greatest(
        %(wanted)s::real, %(ef_search)s * (greatest(vectors, 10000) / 10000) ^ %(growth)s
    ), 1000)) AS ef_search FROM counted
)
SELECT set_config('hnsw.ef_search', ef_search::text, true),
       set_config('legajo.taken', ceil(%(wanted)s + ef_search * %(chunks)s / vectors)::text, true),
       set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.max_scan_tuples', %(max_scan_tuples)s, true),
       set_config('hnsw.scan_mem_multiplier', %(scan_mem_multiplier)s, true)
FROM chosen
