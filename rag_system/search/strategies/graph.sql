-- name: neighbours
-- Of each entity that the question may name: in how many chunks it and others stand together, in a sample of its own
-- chunks. The row of an entity with itself has the size of its sample; chunk_ids only come where both may be asked for.
WITH asked AS (
    SELECT entity, chunk_count
    FROM entities
    WHERE project_id = %(project)s AND entity = ANY(%(keys)s) AND chunk_count <= %(hub)s
    ORDER BY chunk_count, entity
    LIMIT %(asked)s
)
SELECT asked.entity, asked.chunk_count, beside.entity AS neighbour, known.chunk_count, beside.together, beside.chunk_ids
FROM asked
CROSS JOIN LATERAL (
    SELECT named.entity, count(*) AS together,
           array_agg(named.chunk_id) FILTER (WHERE named.entity IN (SELECT entity FROM asked)) AS chunk_ids
    FROM (
        SELECT m.chunk_id, unnest(m.entities) AS entity
        FROM (
            SELECT unnest(e.chunk_ids[:%(per_document)s]) AS chunk_id
            FROM (
                SELECT chunk_ids FROM entity_chunks
                WHERE project_id = %(project)s AND entity = asked.entity
                ORDER BY document_id
                LIMIT %(sample)s
            ) AS e
            LIMIT %(sample)s
        ) AS sampled
        JOIN chunk_entities m ON m.project_id = %(project)s AND m.chunk_id = sampled.chunk_id
    ) AS named
    GROUP BY named.entity
    HAVING count(*) >= %(least)s OR named.entity IN (SELECT entity FROM asked)
    ORDER BY named.entity = asked.entity DESC, count(*) DESC, named.entity
    LIMIT %(beside)s
) AS beside
JOIN entities known ON known.project_id = %(project)s AND known.entity = beside.entity
