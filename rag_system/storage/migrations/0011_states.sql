-- What is not in force: texts whose own document says so, and norms that another document of the project repeals.

ALTER TABLE chunks ADD state jsonb;                 -- `types.TextState`; NULL: in force, as far as its document tells
ALTER TABLE staged_chunks ADD state jsonb;
ALTER TABLE citations ADD state jsonb;              -- as it was shown

-- A norm without its edition or its year, which a document may leave out: «ley:39/2015» and «ley:39@2015» are «ley:39».
CREATE FUNCTION norm_base(identifier text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT split_part(split_part(identifier, '@', 1), '/', 1) $$;

-- The norms that a document repeals whole. That one of them is a document of the project is found out by each search:
-- either may come, change and go.
CREATE TABLE repeals (
    project_id  text NOT NULL,
    base        text COLLATE "C" NOT NULL,          -- of the norm that is repealed
    identifier  text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,                      -- that repeals it
    told        text NOT NULL,                      -- the words that do
    PRIMARY KEY (project_id, base, identifier, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX repeals_document ON repeals (project_id, document_id);

ALTER TABLE repeals ENABLE ROW LEVEL SECURITY;
ALTER TABLE repeals FORCE ROW LEVEL SECURITY;
CREATE POLICY read ON repeals FOR SELECT
    USING (project_id = ANY ((SELECT acting_projects('owner', 'editor', 'reader'))::text[]));
CREATE POLICY change ON repeals USING (project_id = ANY ((SELECT acting_projects('owner', 'editor'))::text[]));
