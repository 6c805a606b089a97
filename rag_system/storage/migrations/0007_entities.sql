-- What chunks mention: norms, acronyms, authors and proper names, by the keys of query.entities.

-- How many chunks mention each.
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
CREATE INDEX entity_chunks_document ON entity_chunks (project_id, document_id);

-- The entities of a chunk, in a narrow table of its own: what stands beside an entity is counted without reading texts.
CREATE TABLE chunk_entities (
    project_id text NOT NULL,
    chunk_id   integer NOT NULL,
    entities   text[] NOT NULL,
    PRIMARY KEY (project_id, chunk_id),
    FOREIGN KEY (project_id, chunk_id) REFERENCES chunks ON DELETE CASCADE
);
