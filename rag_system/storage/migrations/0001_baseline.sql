-- The schema, table by table; all indexes stand together at the end. Procrastinate's tables are the next file.
--
-- project_id is the first column of every key, so that the same tables can be sharded or partitioned by project.
-- Identifiers are made by the application; no sequence is used.

CREATE EXTENSION IF NOT EXISTS vector;

-- ---------------------------------------------------------------- projects

-- A collection of documents, the conversations about it, and how its questions are answered.
CREATE TABLE projects (
    project_id          text PRIMARY KEY CHECK (project_id <> ''),
    instructions        text NOT NULL DEFAULT '',
    facts               text[] NOT NULL DEFAULT '{}',   -- what a person asked to remember
    recipe              text NOT NULL DEFAULT '',       -- how its questions are searched; '' leaves it to the settings
    assistant_name      text NOT NULL DEFAULT '',       -- what the assistant calls itself; '' leaves it to the settings
    hide_model          boolean,                        -- which provider and model answer; NULL leaves it to the settings
    embedding_model     text,                           -- that made the vectors; NULL until the first chunk
    embedding_dimension integer,
    next_chunk_id       integer NOT NULL DEFAULT 0,
    next_segment        integer NOT NULL DEFAULT 0,
    chunk_count         integer NOT NULL DEFAULT 0,
    term_count          bigint NOT NULL DEFAULT 0,      -- of the live chunks: mean chunk length = term_count / chunk_count
    created_at          timestamptz NOT NULL DEFAULT now(),
    CHECK ((embedding_model IS NULL) = (embedding_dimension IS NULL))
);

-- ---------------------------------------------------------------- files

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

-- ---------------------------------------------------------------- documents

-- A file that was read, and what was read of it once.
CREATE TABLE documents (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    document_id    uuid NOT NULL,
    path           text NOT NULL,                   -- relative to the ingested directory, with forward slashes
    origin         text NOT NULL DEFAULT '',        -- a web address, or the folder that is watched
    sha256         text NOT NULL,
    copy_of        uuid,                            -- the document with the same content, which holds the chunks
    status         text NOT NULL CHECK (status IN ('indexed', 'empty', 'failed')),
    error          text NOT NULL DEFAULT '',
    format         text NOT NULL DEFAULT '',
    title          text NOT NULL DEFAULT '',
    language       text NOT NULL DEFAULT 'es',
    category       text NOT NULL DEFAULT '',
    authors        text[] NOT NULL DEFAULT '{}',
    years          integer[] NOT NULL DEFAULT '{}',
    identifiers    text[] NOT NULL DEFAULT '{}',    -- what the document is
    mentions       text[] NOT NULL DEFAULT '{}',    -- what its head names besides
    pages          integer,
    empty_pages    integer[] NOT NULL DEFAULT '{}', -- without text
    blank_pages    integer[] NOT NULL DEFAULT '{}', -- of these, the ones with nothing to be read
    ocr_pages      integer[] NOT NULL DEFAULT '{}', -- read by optical character recognition
    hidden_pages   integer[] NOT NULL DEFAULT '{}', -- with text that no reader sees, left out; 0: there are no pages
    size_bytes     bigint NOT NULL DEFAULT 0,
    index_version  text NOT NULL DEFAULT '',        -- how it was read and cut; another version is indexed anew
    first_chunk_id integer NOT NULL DEFAULT 0,      -- the chunks of a document have consecutive ids
    chunk_count    integer NOT NULL DEFAULT 0,
    term_count     bigint NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, document_id),
    UNIQUE (project_id, path),
    FOREIGN KEY (project_id, copy_of) REFERENCES documents (project_id, document_id)
);

-- Words of the title, the file name and the folder: the metadata strategy.
CREATE TABLE document_terms (
    project_id  text NOT NULL,
    term        text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    PRIMARY KEY (project_id, term, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);

-- Canonical identifiers; base is the identifier without its edition.
CREATE TABLE document_identifiers (
    project_id  text NOT NULL,
    base        text COLLATE "C" NOT NULL,
    identifier  text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    own         boolean NOT NULL,                   -- the document is it; otherwise its head mentions it
    PRIMARY KEY (project_id, base, identifier, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);

-- Acronyms that documents define: «Compensación por Tiempo de Servicios (CTS)».
CREATE TABLE acronyms (
    project_id  text NOT NULL,
    acronym     text COLLATE "C" NOT NULL,          -- lower case, without accents
    document_id uuid NOT NULL,
    long_form   text NOT NULL,
    PRIMARY KEY (project_id, acronym, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);

-- ---------------------------------------------------------------- chunks and their vectors

-- What is found and quoted.
CREATE TABLE chunks (
    project_id   text NOT NULL,
    chunk_id     integer NOT NULL,                  -- counted per project from 0
    document_id  uuid NOT NULL,
    ordinal      integer NOT NULL,
    heading_path text[] NOT NULL,
    page_first   integer,
    page_last    integer,
    page_starts  integer[],                         -- where each page after its first begins, in characters
    text         text NOT NULL,
    tokens       integer NOT NULL,
    content_hash text NOT NULL,                     -- of what is embedded: an unchanged chunk keeps its vector
    PRIMARY KEY (project_id, chunk_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);

-- A narrow table of its own: a scan reads vectors only.
CREATE TABLE embeddings (
    project_id text NOT NULL,
    chunk_id   integer NOT NULL,
    embedding  halfvec NOT NULL,
    language   text NOT NULL DEFAULT 'es',
    PRIMARY KEY (project_id, chunk_id),
    FOREIGN KEY (project_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
ALTER TABLE embeddings ALTER embedding SET STORAGE PLAIN;

-- The mean vector of each language: models prefer passages in the question's language, and by what is told from these.
CREATE TABLE language_means (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    language   text NOT NULL,                       -- ISO 639-1
    vectors    integer NOT NULL,
    total      double precision[] NOT NULL,         -- their sum, exact: the elements of a halfvec are multiples of 2^-24
    PRIMARY KEY (project_id, language)
);

-- ---------------------------------------------------------------- words

-- Segments of postings, so that small ones can be merged among themselves. Ids ascend from segment to segment.
CREATE TABLE segments (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    segment        integer NOT NULL,
    first_chunk_id integer NOT NULL,
    stop_chunk_id  integer NOT NULL,                -- exclusive
    chunk_count    integer NOT NULL,                -- after a merge, fewer than the range of ids is long
    PRIMARY KEY (project_id, segment)
);

-- BM25 postings, packed: one row holds a term's chunks in one segment.
CREATE TABLE postings (
    project_id         text NOT NULL REFERENCES projects ON DELETE CASCADE,
    term               text COLLATE "C" NOT NULL,
    segment            integer NOT NULL,
    document_frequency integer NOT NULL,            -- chunks with the term
    -- int32, little-endian, ascending: one for each weight or, in a run, only the first of consecutive ids; there a weight
    -- of 0 says that the term is absent.
    chunk_ids          bytea NOT NULL,
    weights            bytea NOT NULL,              -- uint8: 255 · tf / (tf + k1 · (1 − b + b · length / mean length))
    PRIMARY KEY (project_id, term, segment)
);
ALTER TABLE postings ALTER chunk_ids SET STORAGE EXTERNAL, ALTER weights SET STORAGE EXTERNAL;

-- Chunk ids of removed documents whose postings wait for the next merge: a document's ids are consecutive.
CREATE TABLE removed_chunks (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    first_chunk_id integer NOT NULL,
    stop_chunk_id  integer NOT NULL,                -- exclusive
    PRIMARY KEY (project_id, first_chunk_id)
);

-- ---------------------------------------------------------------- what chunks mention

-- Norms, acronyms, authors and proper names, by the keys of query.entities, with how many chunks mention each.
CREATE TABLE entities (
    project_id  text NOT NULL REFERENCES projects ON DELETE CASCADE,
    entity      text COLLATE "C" NOT NULL,
    chunk_count integer NOT NULL,
    PRIMARY KEY (project_id, entity)
);

-- The chunks of an entity, a row a document. Document ids are random: the first ones are a sample that stays the same.
CREATE TABLE entity_chunks (
    project_id  text NOT NULL,
    entity      text COLLATE "C" NOT NULL,
    document_id uuid NOT NULL,
    chunk_ids   integer[] NOT NULL,
    PRIMARY KEY (project_id, entity, document_id),
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);

-- The entities of a chunk, in a narrow table of its own: what stands beside an entity is counted without reading texts.
CREATE TABLE chunk_entities (
    project_id text NOT NULL,
    chunk_id   integer NOT NULL,
    entities   text[] NOT NULL,
    PRIMARY KEY (project_id, chunk_id),
    FOREIGN KEY (project_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);

-- ---------------------------------------------------------------- concepts

-- A project's tree of concepts.
CREATE TABLE concepts (
    project_id      text NOT NULL REFERENCES projects ON DELETE CASCADE,
    concept_id      integer NOT NULL,               -- its place in the tree as written, from 0
    name            text NOT NULL,
    parent_id       integer,                        -- NULL at the top
    aliases         text[] NOT NULL DEFAULT '{}',
    embedding       halfvec,                        -- of the name and the aliases, as a question
    embedding_model text,                           -- that made it; another model's is of no use to the project
    mean_cosine     real,                           -- of the project's chunks with it, and their standard deviation…
    cosine_spread   real,
    calibrated_on   integer NOT NULL DEFAULT 0,     -- …when the project had so many chunks; 0: never, no chunk is similar
    PRIMARY KEY (project_id, concept_id),
    FOREIGN KEY (project_id, parent_id) REFERENCES concepts (project_id, concept_id) ON DELETE CASCADE,
    CHECK ((embedding IS NULL) = (embedding_model IS NULL))
);

-- The chunks that are about each.
CREATE TABLE chunk_concepts (
    project_id text NOT NULL,
    chunk_id   integer NOT NULL,
    concept_id integer NOT NULL,
    confidence real NOT NULL CHECK (confidence > 0 AND confidence <= 1),
    PRIMARY KEY (project_id, chunk_id, concept_id),
    FOREIGN KEY (project_id, chunk_id) REFERENCES chunks ON DELETE CASCADE,
    FOREIGN KEY (project_id, concept_id) REFERENCES concepts ON DELETE CASCADE
);

-- How much of a document is about each concept, kept: the documents page asks for it with each click, and to count the
-- tags of 100,000 chunks takes seconds. What is about a concept is about those above it.
CREATE TABLE document_concepts (
    project_id  text NOT NULL,
    concept_id  integer NOT NULL,
    document_id uuid NOT NULL,                      -- that holds the chunks
    chunks      integer NOT NULL,                   -- each once, whatever it is tagged with below
    PRIMARY KEY (project_id, concept_id, document_id),
    FOREIGN KEY (project_id, concept_id) REFERENCES concepts ON DELETE CASCADE,
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);

-- ---------------------------------------------------------------- files on their way

-- A file that was accepted and what became of it: read, cut, embedded, published. Its bytes stay in `files` until a
-- document holds them or it is given up; what came of it is told for as long as its document is there.
CREATE TABLE ingestions (
    project_id   text NOT NULL REFERENCES projects ON DELETE CASCADE,
    ingestion_id uuid NOT NULL,
    path         text NOT NULL,                     -- of the document that it becomes
    origin       text NOT NULL DEFAULT '',          -- a web address, or the folder that is watched
    sha256       text NOT NULL,
    size_bytes   bigint NOT NULL,
    target_model text NOT NULL DEFAULT '',          -- that a rebuild is for; '': the project's own
    status       text NOT NULL DEFAULT 'queued'
                 CHECK (status IN ('queued', 'working', 'ready', 'done', 'failed')),
    stage        text NOT NULL DEFAULT '' CHECK (stage IN ('', 'read', 'chunk', 'embed', 'publish')),
    done         integer NOT NULL DEFAULT 0,        -- chunks that are embedded…
    total        integer NOT NULL DEFAULT 0,        -- …of so many
    rate         real,                              -- chunks a second of late; NULL before the first batch of an attempt
    advanced_at  timestamptz,                       -- when `done` was last told
    attempt      integer NOT NULL DEFAULT 0,        -- whoever works writes only while this number is his
    crashes      integer NOT NULL DEFAULT 0,        -- attempts that ended without a word, one after the other
    tries        integer NOT NULL DEFAULT 0,        -- in a row that ended with a word on the database or the model
    outcome      text NOT NULL DEFAULT '',          -- of what is done: indexed, updated, unchanged, empty
    error        text NOT NULL DEFAULT '',
    extracted    jsonb,                             -- what was read from the file; set with the staged chunks
    document_id  uuid,
    copy_of      text NOT NULL DEFAULT '',          -- path of the document with the same content
    accepted_at  timestamptz NOT NULL DEFAULT now(),
    started_at   timestamptz,
    PRIMARY KEY (project_id, ingestion_id)
);

-- Chunks and vectors that are not visible yet.
CREATE TABLE staged_chunks (
    project_id   text NOT NULL,
    ingestion_id uuid NOT NULL,
    ordinal      integer NOT NULL,
    heading_path text[] NOT NULL,
    page_first   integer,
    page_last    integer,
    page_starts  integer[],
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

-- How far the publication of a large document is: it is one transaction, and what it writes is seen by nobody meanwhile.
-- This is told beside it; with the same transaction it goes.
CREATE TABLE publications (
    project_id   text NOT NULL,
    ingestion_id uuid NOT NULL,
    attempt      integer NOT NULL,                  -- what an earlier one told says nothing of this one
    done         integer NOT NULL,                  -- chunks
    total        integer NOT NULL,
    began_at     timestamptz NOT NULL DEFAULT now(),
    cancelled    boolean NOT NULL DEFAULT false,    -- somebody waits for it to be given up
    PRIMARY KEY (project_id, ingestion_id),
    FOREIGN KEY (project_id, ingestion_id) REFERENCES ingestions ON DELETE CASCADE
);

-- ---------------------------------------------------------------- conversations

CREATE TABLE conversations (
    project_id      text NOT NULL REFERENCES projects ON DELETE CASCADE,
    conversation_id uuid NOT NULL,
    title           text NOT NULL DEFAULT '',
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, conversation_id)
);

-- What was said, and what an answer was shown with, so that it reads alike when the conversation is opened again.
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
    unsupported     text[] NOT NULL DEFAULT '{}',   -- sentences that share next to nothing with their sources
    notices         text[] NOT NULL DEFAULT '{}',
    metrics         jsonb NOT NULL DEFAULT '{}',
    usage           jsonb NOT NULL DEFAULT '{}',    -- what the provider reported, and the version of the prompt
    funnel          jsonb NOT NULL DEFAULT '{}',
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project_id, conversation_id, ordinal),
    FOREIGN KEY (project_id, conversation_id) REFERENCES conversations ON DELETE CASCADE
);

-- A citation outlives its document: what was shown stays provable. An answer may quote the same source several times.
CREATE TABLE citations (
    project_id      text NOT NULL,
    conversation_id uuid NOT NULL,
    ordinal         integer NOT NULL,
    position        integer NOT NULL DEFAULT 0,
    n               integer NOT NULL,
    chunk_id        integer NOT NULL,
    document        text NOT NULL,
    path            text NOT NULL,
    section         text NOT NULL DEFAULT '',
    page            integer,
    quote           text NOT NULL,
    passage         text NOT NULL DEFAULT '',
    added           boolean NOT NULL DEFAULT false, -- by the check, where the model wrote a sentence without a marker
    PRIMARY KEY (project_id, conversation_id, ordinal, position),
    FOREIGN KEY (project_id, conversation_id, ordinal) REFERENCES messages ON DELETE CASCADE
);

-- ---------------------------------------------------------------- indexes

CREATE INDEX documents_sha256 ON documents (project_id, sha256);
CREATE INDEX documents_copy_of ON documents (project_id, copy_of) WHERE copy_of IS NOT NULL;
CREATE INDEX document_terms_document ON document_terms (project_id, document_id);
CREATE INDEX document_identifiers_document ON document_identifiers (project_id, document_id);
-- The documents that are a norm come before those that mention it: of a norm that thousands mention, a search reads the
-- first few rows.
CREATE INDEX document_identifiers_own_first ON document_identifiers (project_id, base, own DESC, document_id);
CREATE INDEX acronyms_document ON acronyms (project_id, document_id);

CREATE INDEX chunks_document ON chunks (project_id, document_id, ordinal);
CREATE INDEX chunks_content_hash ON chunks (project_id, content_hash);
CREATE INDEX embeddings_language ON embeddings (project_id, language);
CREATE INDEX postings_segment ON postings (project_id, segment);
CREATE INDEX entity_chunks_document ON entity_chunks (project_id, document_id);

CREATE INDEX concepts_parent ON concepts (project_id, parent_id);
CREATE INDEX chunk_concepts_concept ON chunk_concepts (project_id, concept_id, chunk_id);
CREATE INDEX document_concepts_document ON document_concepts (project_id, document_id);

-- A path may have newer bytes on their way and, beside them, what its document holds being built for another model.
CREATE UNIQUE INDEX ingestions_live ON ingestions (project_id, path, target_model)
    WHERE status IN ('queued', 'working', 'ready');
CREATE INDEX ingestions_path ON ingestions (project_id, path);
CREATE INDEX ingestions_sha256 ON ingestions (project_id, sha256);
-- The queue is looked at every second, beside the rows of all that was ever taken in.
CREATE INDEX ingestions_open ON ingestions (project_id, accepted_at) WHERE status <> 'done';

CREATE INDEX conversations_recent ON conversations (project_id, updated_at DESC);

-- An approximate index for each usual dimension, and one more of the vectors of other languages: a Spanish question is
-- nearer to nearly all Spanish vectors than to the nearest English one, so that in the common index a search for English
-- reads them all. An index without rows costs nothing. With ef_construction 200 instead of pgvector's 64, a search that
-- finds 97 of the 100 nearest reads a fifth less among 22,000 vectors and a third less among 100,000, and to insert one
-- costs half a millisecond more, where embedding it costs twenty; a larger m reads no less (docs/benchmarks.md).
DO $$
DECLARE
    dimension integer;
    kind      text[];
BEGIN
    FOREACH dimension IN ARRAY ARRAY[384, 512, 768, 1024, 1536] LOOP
        FOREACH kind SLICE 1 IN ARRAY ARRAY[['', ''], ['_foreign', ' AND language <> ''es''']] LOOP
            EXECUTE format(
                'CREATE INDEX embeddings_hnsw_%1$s%2$s ON embeddings'
                ' USING hnsw ((embedding::halfvec(%1$s)) halfvec_cosine_ops) WITH (m = 16, ef_construction = 200)'
                ' WHERE vector_dims(embedding) = %1$s%3$s', dimension, kind[1], kind[2]
            );
        END LOOP;
    END LOOP;
END
$$;
