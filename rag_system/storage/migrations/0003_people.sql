-- Who may see and change what. Every transaction says who acts (`Database.as_person`, `as_job`, `as_worker`), and the
-- policies below hold whatever a statement asks for. Nobody is told: nothing is seen.

CREATE TABLE people (
    person_id  text PRIMARY KEY CHECK (person_id <> ''),
    created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO people (person_id) VALUES ('local');    -- who sits at the computer, where there are no accounts

CREATE TABLE memberships (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    person_id  text NOT NULL REFERENCES people ON DELETE CASCADE,
    role       text NOT NULL CHECK (role IN ('owner', 'editor', 'reader')),
    PRIMARY KEY (project_id, person_id)
);
CREATE INDEX memberships_person ON memberships (person_id);
INSERT INTO memberships (project_id, person_id, role) SELECT project_id, 'local', 'owner' FROM projects;

-- ---------------------------------------------------------------- who acts

CREATE FUNCTION acting_person() RETURNS text LANGUAGE sql STABLE AS
$$ SELECT nullif(current_setting('legajo.person', true), '') $$;

-- The projects in which who acts has one of the roles; a job has that of an editor in its own. Once a statement:
-- policies ask for it in a subquery that depends on no row. It reads memberships with their owner's eyes.
DO $$
BEGIN
    EXECUTE format($function$
        CREATE FUNCTION acting_projects(VARIADIC roles text[]) RETURNS text[]
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = %I, pg_temp AS
        $body$
            SELECT coalesce(array_agg(project_id), '{}') FROM (
                SELECT project_id FROM memberships WHERE person_id = acting_person() AND role = ANY (roles)
                UNION
                SELECT current_setting('legajo.project', true)
                WHERE current_setting('legajo.project', true) <> '' AND 'editor' = ANY (roles)
            ) AS found
        $body$
    $function$, current_schema());
    EXECUTE format($function$
        CREATE FUNCTION own_new_project() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = %I, pg_temp AS
        $body$
        BEGIN
            INSERT INTO memberships (project_id, person_id, role)
            SELECT NEW.project_id, acting_person(), 'owner' WHERE acting_person() IS NOT NULL;
            RETURN NULL;
        END
        $body$
    $function$, current_schema());
END
$$;

CREATE TRIGGER own_new_project AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION own_new_project();

ALTER TABLE conversations ADD person_id text NOT NULL DEFAULT 'local' REFERENCES people ON DELETE CASCADE;
ALTER TABLE conversations ALTER person_id SET DEFAULT acting_person();

-- ---------------------------------------------------------------- policies

-- Only who owns these two tables reads all of them, in the functions above: to force the policies on it as well would
-- have them ask for themselves.
ALTER TABLE people ENABLE ROW LEVEL SECURITY;
CREATE POLICY oneself ON people FOR SELECT USING (person_id = acting_person());
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON memberships FOR SELECT USING (person_id = acting_person());
CREATE POLICY of_an_own_project ON memberships USING (project_id = ANY ((SELECT acting_projects('owner'))::text[]));

DO $$
DECLARE
    name text;
BEGIN
    FOR name IN
        SELECT c.table_name FROM information_schema.columns c
        JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND c.column_name = 'project_id' AND t.table_type = 'BASE TABLE'
        AND c.table_name NOT IN ('memberships', 'projects', 'conversations', 'messages', 'citations')
    LOOP
        EXECUTE format('CREATE POLICY read ON %I FOR SELECT USING (project_id = ANY ('
            '(SELECT acting_projects(''owner'', ''editor'', ''reader''))::text[]))', name);
        EXECUTE format('CREATE POLICY change ON %I USING (project_id = ANY ('
            '(SELECT acting_projects(''owner'', ''editor''))::text[]))', name);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    END LOOP;
END
$$;

CREATE POLICY read ON projects FOR SELECT
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[]));
CREATE POLICY make ON projects FOR INSERT WITH CHECK (acting_person() IS NOT NULL);
CREATE POLICY change ON projects FOR UPDATE
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor'))::text[]));
CREATE POLICY remove ON projects FOR DELETE USING (project_id = ANY ((SELECT acting_projects('owner'))::text[]));

-- A worker looks for what nobody works on, in all projects; it then works as the job of one.
CREATE POLICY look_for_work ON ingestions FOR SELECT USING (current_setting('legajo.worker', true) = 'on');

-- A conversation is of one person, also in a project of several.
CREATE POLICY own ON conversations USING (
    person_id = acting_person()
    AND project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[])
);
CREATE POLICY of_an_own_conversation ON messages USING (EXISTS (
    SELECT FROM conversations c
    WHERE c.project_id = messages.project_id AND c.conversation_id = messages.conversation_id
));
CREATE POLICY of_an_own_conversation ON citations USING (EXISTS (
    SELECT FROM conversations c
    WHERE c.project_id = citations.project_id AND c.conversation_id = citations.conversation_id
));
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['projects', 'conversations', 'messages', 'citations'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    END LOOP;
END
$$;

-- ---------------------------------------------------------------- the role of the application

-- It owns nothing and bypasses nothing. Transactions take it on, so that one login serves behind any pooler; where this
-- login may make no role, the policies hold for it all the same, as they are forced on the owner.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        CREATE ROLE legajo_app NOLOGIN;
    END IF;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN
    NULL;
END
$$;
DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
            EXECUTE format('GRANT legajo_app TO %I', current_user);
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO legajo_app', current_schema());
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO legajo_app', current_schema());
        EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO legajo_app', current_schema());
        REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
