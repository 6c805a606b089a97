-- name: create
-- One that is there is not inserted: that would wait for whoever publishes in it.
INSERT INTO projects (project_id)
SELECT %(project)s WHERE NOT EXISTS (SELECT FROM projects WHERE project_id = %(project)s)
ON CONFLICT DO NOTHING

-- name: names
SELECT project_id FROM projects ORDER BY project_id

-- fragment: row
SELECT project_id, instructions, facts, recipe, assistant_name, hide_model, embedding_model, embedding_dimension,
       next_chunk_id, next_segment, chunk_count, term_count,
       coalesce(
           (SELECT jsonb_object_agg(m.language, m.vectors) FROM language_means m WHERE m.project_id = p.project_id), '{}'
       ) AS languages,
       EXISTS (SELECT FROM concepts c WHERE c.project_id = p.project_id) AS has_concepts
FROM projects p

-- name: get
{row} WHERE project_id = %(project)s

-- name: filled
-- All that who acts may read and that hold something, the one in which it is asked first.
{row} WHERE chunk_count > 0 ORDER BY project_id <> %(project)s, project_id

-- name: lock
-- Publishers of one project take turns: ids and segments are counted on this row. Conversations need not wait.
SELECT project_id, instructions, facts, recipe, embedding_model, embedding_dimension, next_chunk_id, next_segment,
       chunk_count, term_count
FROM projects WHERE project_id = %(project)s FOR NO KEY UPDATE

-- name: set_recipe
UPDATE projects SET recipe = %(value)s WHERE project_id = %(project)s

-- name: set_instructions
UPDATE projects SET instructions = %(value)s WHERE project_id = %(project)s

-- name: set_assistant_name
UPDATE projects SET assistant_name = %(value)s WHERE project_id = %(project)s

-- name: set_hide_model
UPDATE projects SET hide_model = %(value)s WHERE project_id = %(project)s

-- name: set_model
UPDATE projects SET embedding_model = %(model)s, embedding_dimension = %(dimension)s WHERE project_id = %(project)s

-- name: advance
UPDATE projects
SET next_chunk_id = next_chunk_id + %(ids)s,
    next_segment = next_segment + %(segments)s,
    chunk_count = chunk_count + %(chunks)s,
    term_count = term_count + %(terms)s
WHERE project_id = %(project)s
RETURNING next_chunk_id - %(ids)s AS first_chunk_id, next_segment - %(segments)s AS segment, chunk_count, term_count
