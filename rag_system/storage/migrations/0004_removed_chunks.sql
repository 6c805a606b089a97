-- Chunk ids of removed documents whose postings wait for the next merge: a document's ids are consecutive.
CREATE TABLE removed_chunks (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    first_chunk_id integer NOT NULL,
    stop_chunk_id  integer NOT NULL,  -- exclusive
    PRIMARY KEY (project_id, first_chunk_id)
);
