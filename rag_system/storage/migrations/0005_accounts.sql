-- Accounts: how a person is told to be who they say. Who keeps accounts (`Database.as_keeper`) reads and changes these
-- tables, and of projects nothing but who is a member. Secrets are kept as what they are recognised by, never themselves.

ALTER TABLE people ADD is_administrator boolean NOT NULL DEFAULT false;

CREATE TABLE passwords (
    person_id  text PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    hash       text NOT NULL CHECK (hash LIKE '$argon2id$%'),
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sessions (
    secret_hash text PRIMARY KEY,    -- SHA-256, as of every secret here
    person_id   text NOT NULL REFERENCES people ON DELETE CASCADE,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    ended_at    timestamptz
);
CREATE INDEX sessions_person ON sessions (person_id);

-- To choose a password, once: of somebody new, or whose password an administrator reset.
CREATE TABLE invitations (
    person_id   text PRIMARY KEY REFERENCES people ON DELETE CASCADE,
    secret_hash text NOT NULL UNIQUE,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL
);

-- Who somebody is at a provider of OpenID Connect: the pair never changes, an e-mail address may.
CREATE TABLE identities (
    issuer     text NOT NULL,
    subject    text NOT NULL,
    person_id  text NOT NULL REFERENCES people ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject),
    UNIQUE (person_id, issuer)
);

-- Names as they were typed may be passwords: only their digest is kept, and for as long as it is counted.
CREATE TABLE login_attempts (
    attempt_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name_hash    text NOT NULL,
    address_hash text NOT NULL,
    attempted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX login_attempts_name ON login_attempts (name_hash, attempted_at);
CREATE INDEX login_attempts_address ON login_attempts (address_hash, attempted_at);

-- ---------------------------------------------------------------- policies

CREATE FUNCTION keeping_accounts() RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT current_setting('legajo.keeper', true) = 'on' $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['passwords', 'sessions', 'invitations', 'identities', 'login_attempts'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY kept ON %I USING ((SELECT keeping_accounts()))', name);
    END LOOP;
END
$$;
CREATE POLICY kept ON people USING ((SELECT keeping_accounts()));
CREATE POLICY kept ON memberships USING ((SELECT keeping_accounts()));

-- Each transaction of a session looks whether it goes on.
CREATE POLICY own ON sessions FOR SELECT USING (person_id = acting_person());

-- What somebody said is theirs to take along, also out of a project that they may no longer use.
CREATE POLICY to_take_along ON conversations FOR SELECT
    USING (person_id = acting_person() AND (SELECT keeping_accounts()));

-- Only who has an account makes projects; `people` shows everybody themselves.
DROP POLICY make ON projects;
CREATE POLICY make ON projects FOR INSERT WITH CHECK (EXISTS (SELECT FROM people WHERE person_id = acting_person()));

-- Editors count chunks on the row of a project; what is set in it is its owners'. Policies know rows and no columns.
DO $$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION let_owners_set() RETURNS trigger LANGUAGE plpgsql SET search_path = %I, pg_temp AS
        $body$
        BEGIN
            IF acting_person() IS NOT NULL AND NEW.project_id <> ALL (acting_projects('owner')) THEN
                RAISE insufficient_privilege;
            END IF;
            RETURN NEW;
        END
        $body$
    $function$, current_schema());
END
$$;
CREATE TRIGGER let_owners_set BEFORE UPDATE OF recipe, instructions, facts, assistant_name, hide_model ON projects
    FOR EACH ROW EXECUTE FUNCTION let_owners_set();

-- ---------------------------------------------------------------- the role of the application

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON passwords, sessions, invitations, identities, login_attempts TO legajo_app;
        GRANT USAGE ON SEQUENCE login_attempts_attempt_id_seq TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
