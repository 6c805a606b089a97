-- What people thought of answers, what answers took, and who did what.

-- A thumb of a person under an answer, beside what was asked and answered: to give it is to show these to who owns the
-- project, who reads no conversation of others.
CREATE TABLE feedback (
    project_id      text NOT NULL,
    conversation_id uuid NOT NULL,
    ordinal         integer NOT NULL,
    person_id       text NOT NULL DEFAULT acting_person() REFERENCES people ON DELETE CASCADE,
    feedback_id     uuid NOT NULL DEFAULT gen_random_uuid(),
    up              boolean NOT NULL,
    reasons         text[] NOT NULL DEFAULT '{}' CHECK (
        reasons <@ ARRAY['wrong_passage', 'incomplete', 'outdated', 'invented', 'hard_to_read', 'other']),
    comment         text NOT NULL DEFAULT '',
    question        text NOT NULL,                  -- as it was understood, on its own
    answer          text NOT NULL,
    paths           text[] NOT NULL,                -- of the documents that the answer cited, in order
    quote           text NOT NULL,                  -- the first of its quotes
    rated_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, conversation_id, ordinal, person_id),
    UNIQUE (project_id, feedback_id),
    FOREIGN KEY (project_id, conversation_id, ordinal) REFERENCES messages ON DELETE CASCADE
);
CREATE INDEX feedback_rated ON feedback (project_id, rated_at);
CREATE INDEX feedback_person ON feedback (person_id);

-- A row an answer, of nobody and without a word of what was asked. NULL: not reported, or not reached.
CREATE TABLE answer_metrics (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    metrics_id     uuid NOT NULL DEFAULT gen_random_uuid(),
    answered_at    timestamptz NOT NULL DEFAULT now(),
    provider       text NOT NULL,
    phases         jsonb NOT NULL,                  -- milliseconds of each
    first_token_ms real,
    total_ms       real,
    tokens_in      integer,
    tokens_out     integer,
    cost_usd       double precision,
    proposed       integer NOT NULL,                -- candidates: of all strategies, …
    merged         integer NOT NULL,                -- … different ones, …
    rejected       integer NOT NULL,                -- … those of them that left, …
    returned       integer NOT NULL,                -- … and those that the answer was made from
    cited          integer NOT NULL,                -- sentences with a citation
    marked         integer NOT NULL,                -- sentences that no source supports
    abstained      boolean NOT NULL,
    incomplete     boolean NOT NULL,
    error          text NOT NULL,                   -- its code
    PRIMARY KEY (project_id, metrics_id)
);
CREATE INDEX answer_metrics_answered ON answer_metrics (project_id, answered_at);

-- Who did what. Added to and never changed; it goes with its project. No reference to people: who is gone did it, too.
CREATE TABLE audit (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    entry_id   uuid NOT NULL DEFAULT gen_random_uuid(),
    person_id  text NOT NULL DEFAULT coalesce(acting_person(), ''),    -- '': a job
    done_at    timestamptz NOT NULL DEFAULT now(),
    action     text NOT NULL CHECK (action ~ '^[a-z]+[.][a-z]+$'),
    object     text NOT NULL DEFAULT '',
    PRIMARY KEY (project_id, entry_id)
);
CREATE INDEX audit_done ON audit (project_id, done_at);

-- ---------------------------------------------------------------- policies

DO $$
DECLARE
    name text;
    member CONSTANT text := 'project_id = ANY ((SELECT acting_projects(''owner'', ''editor'', ''reader''))::text[])';
    owner  CONSTANT text := 'project_id = ANY ((SELECT acting_projects(''owner''))::text[])';
BEGIN
    FOREACH name IN ARRAY ARRAY['feedback', 'answer_metrics', 'audit'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    END LOOP;

    -- One rates what one can read: of messages, those of one's own conversations.
    EXECUTE 'CREATE POLICY own ON feedback USING (person_id = acting_person() AND ' || member || ')
        WITH CHECK (person_id = acting_person() AND ' || member || ' AND EXISTS (SELECT FROM messages m
            WHERE m.project_id = feedback.project_id AND m.conversation_id = feedback.conversation_id
            AND m.ordinal = feedback.ordinal AND m.role = ''assistant''))';
    EXECUTE 'CREATE POLICY of_an_own_project ON feedback FOR SELECT USING (' || owner || ')';

    FOREACH name IN ARRAY ARRAY['feedback', 'audit'] LOOP   -- as conversations are (0005)
        EXECUTE format('CREATE POLICY to_take_along ON %I FOR SELECT
            USING (person_id = acting_person() AND (SELECT keeping_accounts()))', name);
    END LOOP;

    EXECUTE 'CREATE POLICY read ON answer_metrics FOR SELECT USING (' || member || ')';
    EXECUTE 'CREATE POLICY add ON answer_metrics FOR INSERT WITH CHECK (answered_at = now() AND ' || member || ')';
    -- Whoever asks removes what is old enough; of today, nobody anything.
    EXECUTE 'CREATE POLICY forget ON answer_metrics FOR DELETE
        USING (answered_at < now() - interval ''1 day'' AND ' || member || ')';

    EXECUTE 'CREATE POLICY read ON audit FOR SELECT USING (' || owner || ')';
    EXECUTE 'CREATE POLICY add ON audit FOR INSERT
        WITH CHECK (person_id = coalesce(acting_person(), '''') AND done_at = now() AND ' || member || ')';
END
$$;

-- ---------------------------------------------------------------- the role of the application

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON feedback TO legajo_app;
        GRANT SELECT, INSERT, DELETE ON answer_metrics TO legajo_app;
        GRANT SELECT, INSERT ON audit TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
