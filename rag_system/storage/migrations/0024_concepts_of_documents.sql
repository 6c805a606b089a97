-- How much of a document is about each concept, kept: the documents page asks for it with each click, and to count the
-- tags of 100,000 chunks takes seconds. What is about a concept is about those above it.
CREATE TABLE document_concepts (
    project_id  text NOT NULL,
    concept_id  integer NOT NULL,
    document_id uuid NOT NULL,              -- that holds the chunks
    chunks      integer NOT NULL,           -- each once, whatever it is tagged with below
    PRIMARY KEY (project_id, concept_id, document_id),
    FOREIGN KEY (project_id, concept_id) REFERENCES concepts ON DELETE CASCADE,
    FOREIGN KEY (project_id, document_id) REFERENCES documents ON DELETE CASCADE
);
CREATE INDEX document_concepts_document ON document_concepts (project_id, document_id);

WITH RECURSIVE above (project_id, concept_id, ancestor) AS (
    SELECT project_id, concept_id, concept_id FROM concepts
    UNION ALL
    SELECT above.project_id, above.concept_id, c.parent_id
    FROM above JOIN concepts c ON c.project_id = above.project_id AND c.concept_id = above.ancestor
    WHERE c.parent_id IS NOT NULL
)
INSERT INTO document_concepts (project_id, concept_id, document_id, chunks)
SELECT t.project_id, above.ancestor, c.document_id, count(DISTINCT t.chunk_id)
FROM chunk_concepts t
JOIN chunks c ON c.project_id = t.project_id AND c.chunk_id = t.chunk_id
JOIN above ON above.project_id = t.project_id AND above.concept_id = t.concept_id
GROUP BY t.project_id, above.ancestor, c.document_id;
