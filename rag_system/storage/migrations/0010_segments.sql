-- Segments of postings, so that small ones can be merged among themselves. Ids ascend from segment to segment.
CREATE TABLE segments (
    project_id     text NOT NULL REFERENCES projects ON DELETE CASCADE,
    segment        integer NOT NULL,
    first_chunk_id integer NOT NULL,
    stop_chunk_id  integer NOT NULL,  -- exclusive
    PRIMARY KEY (project_id, segment)
);

-- chunk_ids holds either one int32 for each weight, or, in a run, only the first of consecutive ids: a weight of 0 says
-- that the term is absent there.
ALTER TABLE postings ADD document_frequency integer;  -- chunks with the term
UPDATE postings SET document_frequency = length(weights);
ALTER TABLE postings ALTER document_frequency SET NOT NULL;
CREATE INDEX postings_segment ON postings (project_id, segment);

INSERT INTO segments (project_id, segment, first_chunk_id, stop_chunk_id)
SELECT project_id, segment,
       min(get_byte(head, 0) + (get_byte(head, 1) << 8) + (get_byte(head, 2) << 16) + (get_byte(head, 3) << 24)),
       max(get_byte(tail, 0) + (get_byte(tail, 1) << 8) + (get_byte(tail, 2) << 16) + (get_byte(tail, 3) << 24)) + 1
FROM postings
CROSS JOIN LATERAL (
    SELECT substring(chunk_ids FOR 4) AS head, substring(chunk_ids FROM length(chunk_ids) - 3) AS tail
) AS ends
GROUP BY project_id, segment;
