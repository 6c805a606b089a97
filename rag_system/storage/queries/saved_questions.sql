-- name: list
SELECT question_id::text, name, question FROM saved_questions
WHERE project_id = %(project)s AND person_id = acting_person() ORDER BY lower(name), question_id

-- name: save
-- What is kept already stays as it is called.
INSERT INTO saved_questions (project_id, name, question) VALUES (%(project)s, %(name)s, %(question)s)
ON CONFLICT (project_id, person_id, md5(question)) DO NOTHING

-- name: count
SELECT count(*) FROM saved_questions WHERE project_id = %(project)s AND person_id = acting_person()

-- name: rename
UPDATE saved_questions SET name = %(name)s
WHERE project_id = %(project)s AND person_id = acting_person() AND question_id::text = %(question_id)s

-- name: remove
DELETE FROM saved_questions
WHERE project_id = %(project)s AND person_id = acting_person() AND question_id::text = %(question_id)s
