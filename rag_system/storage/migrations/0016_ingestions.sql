-- The life of a file before it is a document: accepted, read, cut, embedded, published.

-- A file that was accepted and what became of it. Its bytes stay in `files` until a document holds them or it is given up.
CREATE TABLE ingestions (
    project_id   text NOT NULL REFERENCES projects ON DELETE CASCADE,
    ingestion_id uuid NOT NULL,
    path         text NOT NULL,             -- of the document that it becomes
    origin       text NOT NULL DEFAULT '',  -- where the file came from: a web address, or the folder that is watched
    sha256       text NOT NULL,
    size_bytes   bigint NOT NULL,
    rebuild      boolean NOT NULL DEFAULT false, -- for another embedding model: published together with all others
    status       text NOT NULL DEFAULT 'queued'
                 CHECK (status IN ('queued', 'working', 'ready', 'done', 'failed')),
    stage        text NOT NULL DEFAULT '' CHECK (stage IN ('', 'read', 'chunk', 'embed', 'publish')),
    done         integer NOT NULL DEFAULT 0,
    total        integer NOT NULL DEFAULT 0, -- chunks, while they are embedded
    attempt      integer NOT NULL DEFAULT 0, -- whoever works writes only while this number is his
    crashes      integer NOT NULL DEFAULT 0, -- attempts that ended without a word, one after the other
    outcome      text NOT NULL DEFAULT '',  -- of what is done: indexed, updated, unchanged, empty
    error        text NOT NULL DEFAULT '',
    extracted    jsonb,                     -- what was read from the file; set with the staged chunks
    document_id  uuid,
    copy_of      text NOT NULL DEFAULT '',  -- path of the document with the same content
    accepted_at  timestamptz NOT NULL DEFAULT now(),
    started_at   timestamptz,
    finished_at  timestamptz,
    PRIMARY KEY (project_id, ingestion_id)
);
CREATE UNIQUE INDEX ingestions_live ON ingestions (project_id, path) WHERE status IN ('queued', 'working', 'ready');
CREATE INDEX ingestions_path ON ingestions (project_id, path);
CREATE INDEX ingestions_sha256 ON ingestions (project_id, sha256);

-- Chunks and vectors that are not visible yet.
CREATE TABLE staged_chunks (
    project_id   text NOT NULL,
    ingestion_id uuid NOT NULL,
    ordinal      integer NOT NULL,
    heading_path text[] NOT NULL,
    page_first   integer,
    page_last    integer,
    text         text NOT NULL,
    tokens       integer NOT NULL,
    content_hash text NOT NULL,
    PRIMARY KEY (project_id, ingestion_id, ordinal),
    FOREIGN KEY (project_id, ingestion_id) REFERENCES ingestions ON DELETE CASCADE
);

CREATE TABLE staged_vectors (
    project_id   text NOT NULL,
    ingestion_id uuid NOT NULL,
    ordinal      integer NOT NULL,
    embedding    halfvec NOT NULL,
    PRIMARY KEY (project_id, ingestion_id, ordinal),
    FOREIGN KEY (project_id, ingestion_id, ordinal) REFERENCES staged_chunks ON DELETE CASCADE
);
ALTER TABLE staged_vectors ALTER embedding SET STORAGE PLAIN;

ALTER TABLE documents
    ADD COLUMN origin text NOT NULL DEFAULT '',
    ADD COLUMN ocr_pages integer[] NOT NULL DEFAULT '{}',
    ADD COLUMN copy_of uuid,                -- the document with the same content, which holds the chunks
    ADD FOREIGN KEY (project_id, copy_of) REFERENCES documents (project_id, document_id);
CREATE INDEX documents_copy_of ON documents (project_id, copy_of) WHERE copy_of IS NOT NULL;
