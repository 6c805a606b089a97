-- A project's tree of concepts, and the chunks that are about each.

CREATE TABLE concepts (
    project_id      text NOT NULL REFERENCES projects ON DELETE CASCADE,
    concept_id      integer NOT NULL,        -- its place in the tree as written, from 0
    name            text NOT NULL,
    parent_id       integer,                 -- NULL at the top
    aliases         text[] NOT NULL DEFAULT '{}',
    embedding       halfvec,                 -- of the name and the aliases, as a question
    embedding_model text,                    -- that made it; another model's is of no use to the project
    mean_cosine     real,                    -- of the project's chunks with it, and their standard deviation…
    cosine_spread   real,
    calibrated_on   integer NOT NULL DEFAULT 0, -- …when the project had so many chunks; 0: never, no chunk is similar
    PRIMARY KEY (project_id, concept_id),
    FOREIGN KEY (project_id, parent_id) REFERENCES concepts (project_id, concept_id) ON DELETE CASCADE,
    CHECK ((embedding IS NULL) = (embedding_model IS NULL))
);
CREATE INDEX concepts_parent ON concepts (project_id, parent_id);

CREATE TABLE chunk_concepts (
    project_id text NOT NULL,
    chunk_id   integer NOT NULL,
    concept_id integer NOT NULL,
    confidence real NOT NULL CHECK (confidence > 0 AND confidence <= 1),
    PRIMARY KEY (project_id, chunk_id, concept_id),
    FOREIGN KEY (project_id, chunk_id) REFERENCES chunks ON DELETE CASCADE,
    FOREIGN KEY (project_id, concept_id) REFERENCES concepts ON DELETE CASCADE
);
CREATE INDEX chunk_concepts_concept ON chunk_concepts (project_id, concept_id, chunk_id);
