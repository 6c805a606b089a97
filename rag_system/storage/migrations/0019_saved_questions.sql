-- Questions that a person keeps in a project to ask them again: their own, and nobody else's.

CREATE TABLE saved_questions (
    project_id  text NOT NULL REFERENCES projects ON DELETE CASCADE,
    question_id uuid NOT NULL DEFAULT gen_random_uuid(),
    person_id   text NOT NULL DEFAULT acting_person() REFERENCES people ON DELETE CASCADE,
    name        text NOT NULL,                      -- under which it is listed
    question    text NOT NULL,
    saved_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, question_id)
);
CREATE INDEX saved_questions_of ON saved_questions (project_id, person_id);

ALTER TABLE saved_questions ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_questions FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON saved_questions USING (
    person_id = acting_person()
    AND project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[])
);
CREATE POLICY to_take_along ON saved_questions FOR SELECT
    USING (person_id = acting_person() AND (SELECT keeping_accounts()));

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON saved_questions TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
