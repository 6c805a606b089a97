-- What a model wrote of documents as wholes, kept so that nobody pays twice for the same reading.

-- The key is a hash of all that was asked, the passages and the prompt included, and of who answered: with another text,
-- prompt or model it is another key. Without a word of what was asked.
CREATE TABLE task_results (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    key        text NOT NULL,
    content    text NOT NULL,
    documents  uuid[] NOT NULL,                     -- that were read: when one is removed, what was written of it goes
    used_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, key)
);
CREATE INDEX task_results_used ON task_results (project_id, used_at);

ALTER TABLE task_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE task_results FORCE ROW LEVEL SECURITY;

-- Whoever reads the documents may read what was written of them, and keep and forget it.
CREATE POLICY of_members ON task_results
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[]));
