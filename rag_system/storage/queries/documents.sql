-- name: list
SELECT d.project_id AS project, d.document_id::text, d.path, d.sha256, d.origin, d.source, d.container, d.status, d.error,
       d.format, d.title, d.given_title, d.language, d.category, d.identifiers, d.pages, d.empty_pages, d.ocr_pages, d.blank_pages,
       d.hidden_pages,
       coalesce(o.path, '') AS copy_of, d.chunk_count, d.size_bytes, d.index_version, d.updated_at
FROM documents d LEFT JOIN documents o ON o.project_id = d.project_id AND o.document_id = d.copy_of
WHERE d.project_id = %(project)s ORDER BY d.path

-- name: by_path
SELECT d.project_id AS project, d.document_id::text, d.path, d.sha256, d.origin, d.source, d.container, d.status, d.error,
       d.format, d.title, d.given_title, d.language, d.category, d.identifiers, d.pages, d.empty_pages, d.ocr_pages, d.blank_pages,
       d.hidden_pages,
       coalesce(o.path, '') AS copy_of, d.chunk_count, d.size_bytes, d.index_version, d.updated_at
FROM documents d LEFT JOIN documents o ON o.project_id = d.project_id AND o.document_id = d.copy_of
WHERE d.project_id = %(project)s AND d.path = %(path)s

-- name: holders
-- Of each of the paths that there are, the document that holds its chunks: a copy's are its original's.
SELECT path, coalesce(copy_of, document_id)::text FROM documents
WHERE project_id = %(project)s AND path = ANY(%(paths)s)

-- name: norms
-- Documents that are one of the norms, whatever the edition. A copy's chunks are its original's.
SELECT i.identifier, d.first_chunk_id, d.chunk_count
FROM unnest(%(bases)s::text[]) AS asked (base)
CROSS JOIN LATERAL (
    SELECT document_id, identifier FROM document_identifiers
    WHERE project_id = %(project)s AND base = asked.base AND own
    ORDER BY document_id
    LIMIT %(limit)s
) AS i
JOIN documents d ON d.project_id = %(project)s AND d.document_id = i.document_id
WHERE d.chunk_count > 0

-- name: held_chunks
-- All of the documents' chunks, ascending, as the bytes of 32-bit integers.
SELECT coalesce(string_agg(int4send(chunk_id), '' ORDER BY chunk_id), '') FROM chunks
WHERE project_id = %(project)s AND document_id = ANY(%(documents)s::uuid[])

-- name: paths
SELECT path FROM documents WHERE project_id = %(project)s ORDER BY path

-- name: path_of
SELECT path FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: set_origin
-- What a document that was taken in before anybody said so comes from.
UPDATE documents
SET origin = CASE WHEN origin = '' THEN %(origin)s ELSE origin END,
    source = CASE WHEN source = '' THEN %(source)s ELSE source END
WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: brought
-- What an archive or a message has brought, by path.
SELECT document_id::text, path FROM documents WHERE project_id = %(project)s AND container = %(container)s ORDER BY path

-- name: rename
-- The title that is shown, and the words by which a search finds the document for its name.
WITH waiting AS (
    UPDATE ingestions i SET given_title = %(title)s FROM documents d
    WHERE d.project_id = %(project)s AND d.document_id = %(document_id)s
    AND i.project_id = d.project_id AND i.path = d.path AND i.status <> 'done'
), named AS (
    INSERT INTO document_terms (project_id, term, document_id)
    SELECT d.project_id, unnest(%(terms)s::text[]), d.document_id FROM documents d
    WHERE d.project_id = %(project)s AND d.document_id = %(document_id)s
    ON CONFLICT DO NOTHING
)
UPDATE documents SET title = %(title)s, given_title = %(title)s
WHERE project_id = %(project)s AND document_id = %(document_id)s RETURNING path

-- name: sample_headings
-- Up to three headings of a few words from the middle of each of some documents, taken from all folders in turn.
WITH sampled AS (
    SELECT document_id, path, title, category, identifiers, chunk_count FROM (
        SELECT *, row_number() OVER (PARTITION BY category ORDER BY path) AS turn
        FROM documents WHERE project_id = %(project)s AND status = 'indexed'
        AND (%(paths)s::text[] IS NULL OR path = ANY (%(paths)s::text[]))
    ) AS listed
    ORDER BY turn, path LIMIT %(limit)s
), found AS (
    SELECT DISTINCT ON (d.path, heading) d.*, heading, abs(2 * c.ordinal - d.chunk_count) AS distance
    FROM sampled d
    JOIN chunks c ON c.project_id = %(project)s AND c.document_id = d.document_id
    CROSS JOIN LATERAL (SELECT c.heading_path[cardinality(c.heading_path)] AS heading) AS leaf
    WHERE heading ~ '[[:lower:]]' AND cardinality(regexp_split_to_array(heading, '\s+')) BETWEEN 2 AND 9
    ORDER BY d.path, heading, distance
)
SELECT title, path, category, identifiers, heading FROM (
    SELECT *, row_number() OVER (PARTITION BY path ORDER BY distance, heading) AS place FROM found
) AS placed
WHERE place <= 3 ORDER BY path, place

-- name: passages
-- The text of a document from the given passage on, in its order.
SELECT c.chunk_id, c.ordinal, c.heading_path, c.page_first AS page, c.text
FROM chunks c
WHERE c.project_id = %(project)s AND c.document_id = %(document_id)s AND c.ordinal >= %(first)s
ORDER BY c.ordinal LIMIT %(limit)s

-- name: place_of
-- Which passage of its document a chunk is.
SELECT ordinal FROM chunks
WHERE project_id = %(project)s AND document_id = %(document_id)s AND chunk_id = %(chunk_id)s
