-- Tokens by which programs act for a person (`legajo tokens`). As of every secret, its SHA-256 alone is kept.

CREATE TABLE api_tokens (
    token_id     uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    secret_hash  text NOT NULL UNIQUE,
    person_id    text NOT NULL REFERENCES people ON DELETE CASCADE,
    name         text NOT NULL,                                     -- what the person calls it
    scopes       text[] NOT NULL CHECK (cardinality(scopes) > 0),
    project_id   text REFERENCES projects ON DELETE CASCADE,        -- the only one that it opens; NULL: all of the person's
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz                                        -- to the minute
);
CREATE INDEX api_tokens_person ON api_tokens (person_id);
CREATE INDEX api_tokens_project ON api_tokens (project_id);

ALTER TABLE api_tokens ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_tokens FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON api_tokens USING (person_id = acting_person());
CREATE POLICY kept ON api_tokens USING ((SELECT keeping_accounts()));

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON api_tokens TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
