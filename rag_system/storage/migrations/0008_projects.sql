-- What a project says of itself and of its answers, and what people asked to be remembered about it.

DROP TRIGGER let_owners_set ON projects;    -- it names columns that go or change

ALTER TABLE projects
    DROP facts,                                         -- a table of their own, below: nothing ever wrote them here
    ALTER hide_model TYPE text USING CASE WHEN hide_model THEN 'everybody' WHEN NOT hide_model THEN 'nobody' END,
    ADD CHECK (hide_model IN ('nobody', 'readers', 'everybody')),       -- from whom which provider and model answer
    ADD name             text NOT NULL DEFAULT '',      -- what people call it; '': its id
    ADD colour           text NOT NULL DEFAULT ''
        CHECK (colour IN ('', 'red', 'orange', 'yellow', 'green', 'blue', 'violet', 'grey')),
    ADD sample_questions text[] NOT NULL DEFAULT '{}',  -- of an empty chat; none: from the documents' headings
    ADD provider         text NOT NULL DEFAULT ''       -- who answers; '' and NULL leave it to the settings, as below
        CHECK (provider IN ('', 'extractive', 'google', 'groq', 'openrouter', 'local')),
    ADD model            text NOT NULL DEFAULT '',
    ADD temperature      double precision CHECK (temperature BETWEEN 0 AND 2),
    ADD top_k            integer CHECK (top_k BETWEEN 1 AND 20),
    ADD similarity_floor double precision CHECK (similarity_floor BETWEEN 0 AND 1),
    ADD language         text NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2})?$'),
    ADD next_fact        integer NOT NULL DEFAULT 1;    -- a number stays its fact's, also when that is forgotten

-- The number is what an answer cites: [M1]. A fact is never edited: what was cited stays what was said.
CREATE TABLE facts (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    number     integer NOT NULL CHECK (number > 0),
    fact       text NOT NULL CHECK (fact <> ''),
    added_by   text NOT NULL DEFAULT acting_person(),   -- no reference: who is gone said it, too
    added_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, number)
);

-- ---------------------------------------------------------------- policies

-- Editors count chunks and facts on the row of a project; what is set in it is its owners' (0005).
CREATE TRIGGER let_owners_set BEFORE UPDATE OF recipe, instructions, assistant_name, hide_model, name, colour,
    sample_questions, provider, model, temperature, top_k, similarity_floor, language ON projects
    FOR EACH ROW EXECUTE FUNCTION let_owners_set();

ALTER TABLE facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE facts FORCE ROW LEVEL SECURITY;
CREATE POLICY read ON facts FOR SELECT
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[]));
CREATE POLICY add ON facts FOR INSERT WITH CHECK (
    added_by = acting_person() AND project_id = ANY ((SELECT acting_projects('owner', 'editor'))::text[])
);
CREATE POLICY forget ON facts FOR DELETE
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor'))::text[]));
