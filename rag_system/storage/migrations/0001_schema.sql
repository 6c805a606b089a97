-- The whole schema of the first version.
--
-- project_id is the first column of every key, so that the same tables can be sharded or partitioned by project.
-- Identifiers are made by the application; no sequence is used.

CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE projects (
    project_id          text PRIMARY KEY CHECK (project_id <> ''),
    instructions        text NOT NULL DEFAULT '',
    facts               text[] NOT NULL DEFAULT '{}',
    embedding_model     text,               -- model that made the vectors; NULL until the first chunk
    embedding_dimension integer,
    next_chunk_id       integer NOT NULL DEFAULT 0,
    next_segment        integer NOT NULL DEFAULT 0,
    chunk_count         integer NOT NULL DEFAULT 0,
    term_count          bigint NOT NULL DEFAULT 0,  -- analysed terms of the live chunks: mean chunk length = term_count / chunk_count
    created_at          timestamptz NOT NULL DEFAULT now(),
    CHECK ((embedding_model IS NULL) = (embedding_dimension IS NULL))
);

-- The accepted bytes, in parts of 1 MiB, so that one backup holds everything and memory stays constant.
CREATE TABLE files (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    sha256     text NOT NULL,
    size_bytes bigint NOT NULL,
    PRIMARY KEY (project_id, sha256)
);

CREATE TABLE file_parts (
    project_id text NOT NULL,
    sha256     text NOT NULL,
    part       integer NOT NULL,
    bytes      bytea NOT NULL,
    PRIMARY KEY (project_id, sha256, part),
    FOREIGN KEY (project_id, sha256) REFERENCES files ON DELETE CASCADE
);
ALTER TABLE file_parts ALTER bytes SET STORAGE EXTERNAL;

CREATE TABLE documents (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    document_id    uuid NOT NULL,
    path           text NOT NULL,           -- relative to the ingested directory, with forward slashes
    sha256         text NOT NULL,
    status         text NOT NULL CHECK (status IN ('indexed', 'empty', 'failed')),
    error          text NOT NULL DEFAULT '',
    format         text NOT NULL DEFAULT '',
    title          text NOT NULL DEFAULT '',
    language       text NOT NULL DEFAULT 'es',
    category       text NOT NULL DEFAULT '',
    authors        text[] NOT NULL DEFAULT '{}',
    years          integer[] NOT NULL DEFAULT '{}',
    identifiers    text[] NOT NULL DEFAULT '{}',  -- what the document is
    mentions       text[] NOT NULL DEFAULT '{}',  -- what its head names besides
    pages          integer,
    empty_pages    integer[] NOT NULL DEFAULT '{}',
    size_bytes     bigint NOT NULL DEFAULT 0,
    index_version  text NOT NULL DEFAULT '',  -- how it was read and cut; another version is indexed anew
    first_chunk_id integer NOT NULL DEFAULT 0, -- the chunks of a document have consecutive ids
    chunk_count    integer NOT NULL DEFAULT 0,
    term_count     bigint NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, document_id),
    UNIQUE (project_id, path)
);
CREATE INDEX documents_sha256 ON documents (project_id, sha256);

-- Words of the title, the file name and the folder: the metadata strategy.
CREATE TABLE document_terms (
    project_id  text NOT NULL,
    term        text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    PRIMARY KEY (project_id, term, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX document_terms_document ON document_terms (project_id, document_id);

-- Canonical identifiers; base is the identifier without its edition.
CREATE TABLE document_identifiers (
    project_id  text NOT NULL,
    base        text COLLATE "C" NOT NULL,
    identifier  text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    own         boolean NOT NULL,           -- the document is it; otherwise its head mentions it
    PRIMARY KEY (project_id, base, identifier, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX document_identifiers_document ON document_identifiers (project_id, document_id);

CREATE TABLE chunks (
    project_id   text NOT NULL,
    chunk_id     integer NOT NULL,          -- counted per project from 0
    document_id  uuid NOT NULL,
    ordinal      integer NOT NULL,
    heading_path text[] NOT NULL,
    page_first   integer,
    page_last    integer,
    text         text NOT NULL,
    tokens       integer NOT NULL,
    content_hash text NOT NULL,             -- of what is embedded: an unchanged chunk keeps its vector
    PRIMARY KEY (project_id, chunk_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX chunks_document ON chunks (project_id, document_id, ordinal);
CREATE INDEX chunks_content_hash ON chunks (project_id, content_hash);

-- A narrow table of its own: a scan reads vectors only.
CREATE TABLE embeddings (
    project_id text NOT NULL,
    chunk_id   integer NOT NULL,
    embedding  halfvec NOT NULL,
    PRIMARY KEY (project_id, chunk_id),
    FOREIGN KEY (project_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
ALTER TABLE embeddings ALTER embedding SET STORAGE PLAIN;

-- BM25 postings, packed: one row holds a term's chunks in one segment.
CREATE TABLE postings (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    term       text COLLATE "C" NOT NULL,
    segment    integer NOT NULL,
    chunk_ids  bytea NOT NULL,              -- int32, little-endian, ascending
    weights    bytea NOT NULL,              -- uint8: 255 · tf / (tf + k1 · (1 − b + b · length / mean length))
    PRIMARY KEY (project_id, term, segment)
);
ALTER TABLE postings ALTER chunk_ids SET STORAGE EXTERNAL, ALTER weights SET STORAGE EXTERNAL;

CREATE TABLE conversations (
    project_id      text NOT NULL REFERENCES projects ON DELETE CASCADE,
    conversation_id uuid NOT NULL,
    title           text NOT NULL DEFAULT '',
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, conversation_id)
);
CREATE INDEX conversations_recent ON conversations (project_id, updated_at DESC);

CREATE TABLE messages (
    project_id      text NOT NULL,
    conversation_id uuid NOT NULL,
    ordinal         integer NOT NULL,
    role            text NOT NULL CHECK (role IN ('user', 'assistant')),
    content         text NOT NULL,
    provider        text NOT NULL DEFAULT '',
    model           text NOT NULL DEFAULT '',
    abstained       boolean NOT NULL DEFAULT false,
    incomplete      boolean NOT NULL DEFAULT false,
    error           text NOT NULL DEFAULT '',
    metrics         jsonb NOT NULL DEFAULT '{}',
    funnel          jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, conversation_id, ordinal),
    FOREIGN KEY (project_id, conversation_id) REFERENCES conversations ON DELETE CASCADE
);

-- A citation outlives its document: what was shown stays provable.
CREATE TABLE citations (
    project_id      text NOT NULL,
    conversation_id uuid NOT NULL,
    ordinal         integer NOT NULL,
    n               integer NOT NULL,
    chunk_id        integer NOT NULL,
    document        text NOT NULL,
    path            text NOT NULL,
    section         text NOT NULL DEFAULT '',
    page            integer,
    quote           text NOT NULL,
    passage         text NOT NULL DEFAULT '',
    PRIMARY KEY (project_id, conversation_id, ordinal, n),
    FOREIGN KEY (project_id, conversation_id, ordinal) REFERENCES messages ON DELETE CASCADE
);
