-- Keys for providers that a person or a project brings. They are sealed: what opens them is outside of the database.

CREATE TABLE provider_keys (
    project_id  text REFERENCES projects ON DELETE CASCADE,
    person_id   text REFERENCES people ON DELETE CASCADE,
    provider    text NOT NULL CHECK (provider IN ('google', 'groq', 'openrouter')),
    sealed      bytea NOT NULL,     -- nonce and AES-GCM's text; it opens in this row alone
    sealed_with text NOT NULL,      -- which sealing key, by its fingerprint
    added_at    timestamptz NOT NULL DEFAULT now(),
    added_by    text NOT NULL DEFAULT acting_person(),
    CHECK (num_nonnulls(project_id, person_id) = 1),
    UNIQUE NULLS NOT DISTINCT (project_id, person_id, provider)
);
CREATE INDEX provider_keys_person ON provider_keys (person_id);

CREATE POLICY own ON provider_keys USING (person_id = acting_person());
CREATE POLICY read_of_a_project ON provider_keys FOR SELECT USING (
    acting_person() IS NOT NULL     -- a job asks no provider
    AND project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[])
);
CREATE POLICY of_an_own_project ON provider_keys USING (
    acting_person() IS NOT NULL AND project_id = ANY ((SELECT acting_projects('owner'))::text[])
);
-- Who changes the sealing key seals all anew, and `doctor` looks whether all can be opened.
CREATE POLICY seal_anew ON provider_keys USING (current_setting('legajo.sealing', true) = 'on');

ALTER TABLE provider_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE provider_keys FORCE ROW LEVEL SECURITY;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON provider_keys TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
