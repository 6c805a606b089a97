-- The language of each vector, and the mean vector of each language: embedding models prefer passages in the question's
-- language, and what they prefer it by is told from these means.

ALTER TABLE embeddings ADD COLUMN language text NOT NULL DEFAULT 'es';
UPDATE embeddings e SET language = d.language
FROM chunks c JOIN documents d ON d.project_id = c.project_id AND d.document_id = c.document_id
WHERE c.project_id = e.project_id AND c.chunk_id = e.chunk_id AND d.language <> 'es';
CREATE INDEX embeddings_language ON embeddings (project_id, language);

CREATE TABLE language_means (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    language   text NOT NULL,               -- ISO 639-1
    vectors    integer NOT NULL,
    total      double precision[] NOT NULL, -- their sum, exact: the elements of a halfvec are multiples of 2^-24
    PRIMARY KEY (project_id, language)
);
INSERT INTO language_means (project_id, language, vectors, total)
SELECT project_id, language, max(vectors), array_agg(total ORDER BY place)
FROM (
    SELECT e.project_id, e.language, v.place, count(*)::integer AS vectors, sum(v.element::double precision) AS total
    FROM embeddings e CROSS JOIN LATERAL unnest(e.embedding::real[]) WITH ORDINALITY AS v (element, place)
    GROUP BY e.project_id, e.language, v.place
) AS elements
GROUP BY project_id, language;
