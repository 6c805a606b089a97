-- name: create
-- One that is there is not inserted: that would wait for whoever publishes in it.
INSERT INTO projects (project_id)
SELECT %(project)s WHERE NOT EXISTS (SELECT FROM projects WHERE project_id = %(project)s)
ON CONFLICT DO NOTHING

-- name: names
SELECT project_id FROM projects ORDER BY project_id

-- name: list
SELECT p.project_id AS project, coalesce(nullif(name, ''), p.project_id) AS name, colour, role,
       (SELECT count(*) FROM documents d WHERE d.project_id = p.project_id) AS documents
FROM projects p LEFT JOIN memberships m ON m.project_id = p.project_id AND m.person_id = acting_person()
ORDER BY lower(coalesce(nullif(name, ''), p.project_id)), p.project_id

-- fragment: columns
project_id, name, colour, sample_questions, instructions, recipe, provider, model, temperature, top_k, similarity_floor,
       language, assistant_name, hide_model, embedding_model, embedding_dimension, next_chunk_id, next_segment,
       chunk_count, term_count,
       coalesce(
           (SELECT jsonb_object_agg(m.language, m.vectors) FROM language_means m WHERE m.project_id = p.project_id), '{}'
       ) AS languages,
       EXISTS (SELECT FROM concepts c WHERE c.project_id = p.project_id) AS has_concepts,
       EXISTS (SELECT FROM repeals r WHERE r.project_id = p.project_id) AS has_repeals

-- name: get
-- All that a question needs to know, in one statement: each further one is a round trip of every question.
SELECT {columns},
       (SELECT role FROM memberships m WHERE m.project_id = p.project_id AND m.person_id = acting_person()) AS role,
       coalesce(
           (SELECT jsonb_agg(jsonb_build_array(f.number, f.fact) ORDER BY f.number) FROM facts f
            WHERE f.project_id = p.project_id), '[]'
       ) AS facts
FROM projects p WHERE project_id = %(project)s

-- name: filled
-- All that who acts may read and that hold something, the one in which it is asked first.
SELECT {columns} FROM projects p WHERE chunk_count > 0 ORDER BY project_id <> %(project)s, project_id

-- name: lock
-- Publishers of one project take turns: ids and segments are counted on this row. Conversations need not wait.
SELECT project_id, embedding_model, embedding_dimension, next_chunk_id, next_segment,
       chunk_count, term_count
FROM projects WHERE project_id = %(project)s FOR NO KEY UPDATE

-- name: change
-- What `changed` does not name stays as it is.
UPDATE projects p SET
    (recipe, instructions, assistant_name, hide_model, name, colour, sample_questions, provider, model, temperature,
     top_k, similarity_floor, language) = (
        SELECT recipe, instructions, assistant_name, hide_model, name, colour, sample_questions, provider, model,
            temperature, top_k, similarity_floor, language
        FROM jsonb_populate_record(p, %(changed)s)
    )
WHERE project_id = %(project)s

-- name: delete
DELETE FROM projects WHERE project_id = %(project)s

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
