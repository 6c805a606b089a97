-- Conversations as trees that are found, kept for a while after they were deleted, and shown by a link. The policies are
-- forced on the owner too, who may be the one that migrates: they are lifted while its rows are told their parents.

ALTER TABLE conversations
    ADD leaf          integer,                          -- the last message of the branch that is shown
    ADD pinned_at     timestamptz,
    ADD deleted_at    timestamptz,                      -- it can be restored for a while
    ADD saved_as      text NOT NULL DEFAULT '',         -- path of the document that it was saved as
    ADD link          text UNIQUE,                      -- SHA-256 of the secret in the link that shows it
    ADD link_ordinals integer[] NOT NULL DEFAULT '{}';  -- the messages that it shows

ALTER TABLE messages
    ADD parent     integer,                             -- the message that this one follows; NULL: it is a first one
    ADD state      text NOT NULL DEFAULT 'complete' CHECK (state IN ('complete', 'writing', 'stopped', 'interrupted')),
    ADD written_at timestamptz NOT NULL DEFAULT now(),  -- while it is written, somebody says so every second
    ADD indexed    boolean NOT NULL DEFAULT false,      -- its terms are below
    ADD FOREIGN KEY (project_id, conversation_id, parent) REFERENCES messages (project_id, conversation_id, ordinal);
CREATE INDEX messages_to_index ON messages (project_id) WHERE NOT indexed;

ALTER TABLE conversations NO FORCE ROW LEVEL SECURITY;
ALTER TABLE messages NO FORCE ROW LEVEL SECURITY;
UPDATE messages SET parent = nullif(ordinal - 1, -1), written_at = created_at,
    state = CASE WHEN role = 'assistant' AND incomplete AND error = '' THEN 'stopped' ELSE 'complete' END;
UPDATE conversations c SET leaf = (
    SELECT max(ordinal) FROM messages m WHERE (m.project_id, m.conversation_id) = (c.project_id, c.conversation_id)
);
ALTER TABLE conversations FORCE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;

-- The words of a conversation. A B-tree of terms, where a GIN index would be smaller: policies come before a condition
-- that could leak, and of those that search an index equality alone is known not to.
CREATE TABLE conversation_terms (
    project_id      text NOT NULL,
    conversation_id uuid NOT NULL,
    term            text NOT NULL,
    ordinals        integer[] NOT NULL,                 -- of the messages that have it; -1: the title
    PRIMARY KEY (project_id, conversation_id, term),
    FOREIGN KEY (project_id, conversation_id) REFERENCES conversations ON DELETE CASCADE
);
CREATE INDEX conversation_terms_term ON conversation_terms (project_id, term);

-- ---------------------------------------------------------------- policies

CREATE FUNCTION acting_link() RETURNS text LANGUAGE sql STABLE AS
$$ SELECT nullif(current_setting('legajo.link', true), '') $$;

-- Whoever has a link is nobody else, and reads of one conversation what was shared of it.
CREATE POLICY by_link ON conversations FOR SELECT USING (link = acting_link() AND deleted_at IS NULL);

DO $$
DECLARE
    name text;
BEGIN
    DROP POLICY of_an_own_conversation ON messages;
    DROP POLICY of_an_own_conversation ON citations;
    FOREACH name IN ARRAY ARRAY['messages', 'citations', 'conversation_terms'] LOOP
        EXECUTE format('CREATE POLICY of_an_own_conversation ON %1$I USING (EXISTS (SELECT FROM conversations c WHERE '
            'c.project_id = %1$I.project_id AND c.conversation_id = %1$I.conversation_id '
            'AND c.person_id = acting_person()))', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['messages', 'citations'] LOOP
        EXECUTE format('CREATE POLICY by_link ON %1$I FOR SELECT USING (EXISTS (SELECT FROM conversations c WHERE '
            'c.project_id = %1$I.project_id AND c.conversation_id = %1$I.conversation_id '
            'AND c.link = acting_link() AND %1$I.ordinal = ANY (c.link_ordinals)))', name);
    END LOOP;
    ALTER TABLE conversation_terms ENABLE ROW LEVEL SECURITY;
    ALTER TABLE conversation_terms FORCE ROW LEVEL SECURITY;
END
$$;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON conversation_terms TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
