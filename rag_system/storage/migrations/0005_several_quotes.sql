-- An answer may quote the same source several times.
ALTER TABLE citations ADD COLUMN position integer NOT NULL DEFAULT 0;
UPDATE citations AS quoted
SET position = ranked.place - 1
FROM (
    SELECT ctid, row_number() OVER (PARTITION BY project_id, conversation_id, ordinal ORDER BY n) AS place
    FROM citations
) AS ranked
WHERE quoted.ctid = ranked.ctid;
ALTER TABLE citations DROP CONSTRAINT citations_pkey;
ALTER TABLE citations ADD PRIMARY KEY (project_id, conversation_id, ordinal, position);
