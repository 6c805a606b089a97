-- An answer may quote the same source several times.
ALTER TABLE citations ADD COLUMN position integer NOT NULL DEFAULT 0;
ALTER TABLE citations DROP CONSTRAINT citations_pkey;
ALTER TABLE citations ADD PRIMARY KEY (project_id, conversation_id, ordinal, position);
