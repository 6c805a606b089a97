-- Words that people put on documents to group them. By path: they outlive the file's next version, and its removal too, so
-- that what is brought back has them again.

CREATE TABLE document_tags (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    tag        text NOT NULL CHECK (tag <> ''),
    path       text NOT NULL,
    PRIMARY KEY (project_id, tag, path)
);

ALTER TABLE document_tags ENABLE ROW LEVEL SECURITY;
ALTER TABLE document_tags FORCE ROW LEVEL SECURITY;
CREATE POLICY read ON document_tags FOR SELECT
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[]));
CREATE POLICY change ON document_tags
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor'))::text[]));

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        GRANT SELECT, INSERT, UPDATE, DELETE ON document_tags TO legajo_app;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$;
