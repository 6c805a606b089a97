-- name: frequencies
-- How many chunks have each of the terms; those that none has are left out.
SELECT term, sum(document_frequency)::int
FROM postings WHERE project_id = %(project)s AND term = ANY(%(terms)s)
GROUP BY term

-- name: beginning
-- Terms with one of the beginnings, in bytewise order.
SELECT DISTINCT found.term, found.chunks
FROM unnest(%(beginnings)s::text[]) AS beginning
CROSS JOIN LATERAL (
    SELECT term, sum(document_frequency)::int AS chunks
    FROM postings
    WHERE project_id = %(project)s AND term >= beginning COLLATE "C"
        AND term < left(beginning, -1) || chr(ascii(right(beginning, 1)) + 1) COLLATE "C"
        AND length(term) BETWEEN %(shortest)s AND %(longest)s
    GROUP BY term
    LIMIT %(limit)s
) AS found

-- name: chunks_of_term
-- The first few chunk ids of every segment, packed; of a run, the first one.
SELECT substring(chunk_ids FOR 64) FROM postings WHERE project_id = %(project)s AND term = %(term)s

-- name: texts
SELECT d.title, c.heading_path, c.text
FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
WHERE c.project_id = %(project)s AND c.chunk_id = ANY(%(ids)s)
LIMIT 5

-- name: acronyms
SELECT DISTINCT ON (acronym) acronym, long_form
FROM acronyms
WHERE project_id = %(project)s AND acronym = ANY(%(acronyms)s)
ORDER BY acronym, long_form
