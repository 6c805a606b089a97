-- name: about
-- Takes the place of the mark «about» in the queries of a search that is confined to concepts.
AND chunk_id IN (SELECT chunk_id FROM chunk_concepts WHERE project_id = %(project)s AND concept_id = ANY(%(concepts)s))

-- name: within
-- Likewise where the search is confined to documents.
AND chunk_id IN (SELECT chunk_id FROM chunks WHERE project_id = %(project)s AND document_id = ANY(%(within)s::uuid[]))
