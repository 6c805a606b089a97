-- A question is kept once by a person: two pages that keep it at the same moment keep one.

ALTER TABLE saved_questions NO FORCE ROW LEVEL SECURITY;  -- the tables' owner acts for nobody
DELETE FROM saved_questions AS later USING saved_questions AS first
WHERE later.project_id = first.project_id AND later.person_id = first.person_id AND later.question = first.question
    AND (later.saved_at, later.question_id) > (first.saved_at, first.question_id);
ALTER TABLE saved_questions FORCE ROW LEVEL SECURITY;

-- The digest, because a question may be longer than an index takes.
CREATE UNIQUE INDEX saved_questions_once ON saved_questions (project_id, person_id, md5(question));
DROP INDEX saved_questions_of;
