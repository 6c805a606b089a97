-- name: add_chunk
INSERT INTO chunk_entities (project_id, chunk_id, entities) VALUES (%s, %s, %s)

-- name: gather
-- The chunk ids of a document are consecutive.
INSERT INTO entity_chunks (project_id, entity, document_id, chunk_ids)
SELECT e.project_id, named.entity, d.document_id, array_agg(e.chunk_id ORDER BY e.chunk_id)
FROM (
    SELECT document_id, first_chunk_id, first_chunk_id + chunk_count AS stop_chunk_id
    FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s OFFSET 0
) AS d
JOIN chunk_entities e ON e.project_id = %(project)s
    AND e.chunk_id >= d.first_chunk_id AND e.chunk_id < d.stop_chunk_id
CROSS JOIN LATERAL unnest(e.entities) AS named (entity)
GROUP BY e.project_id, named.entity, d.document_id

-- name: move
UPDATE entity_chunks SET document_id = %(heir)s WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: count
INSERT INTO entities (project_id, entity, chunk_count)
SELECT project_id, entity, cardinality(chunk_ids)
FROM entity_chunks WHERE project_id = %(project)s AND document_id = %(document_id)s
ON CONFLICT (project_id, entity) DO UPDATE SET chunk_count = entities.chunk_count + excluded.chunk_count

-- name: uncount
-- Those that only this document mentions are forgotten.
WITH leaving AS (
    SELECT entity, cardinality(chunk_ids) AS chunk_count
    FROM entity_chunks WHERE project_id = %(project)s AND document_id = %(document_id)s
), forgotten AS (
    DELETE FROM entities e USING leaving l
    WHERE e.project_id = %(project)s AND e.entity = l.entity AND e.chunk_count <= l.chunk_count
)
UPDATE entities e SET chunk_count = e.chunk_count - l.chunk_count
FROM leaving l
WHERE e.project_id = %(project)s AND e.entity = l.entity AND e.chunk_count > l.chunk_count
