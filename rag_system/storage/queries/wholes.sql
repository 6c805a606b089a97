-- fragment: known
coalesce(d.copy_of, d.document_id)::text AS document_id, d.path, d.title, d.format, d.identifiers, d.mentions,
    d.authors, d.years, d.file_date, d.pages, cardinality(d.empty_pages) - cardinality(d.blank_pages) AS unread_pages, d.chunk_count

-- name: by_path
SELECT {known} FROM documents d
WHERE d.project_id = %(project)s AND d.path = ANY(%(paths)s) AND d.chunk_count > 0
ORDER BY array_position(%(paths)s::text[], d.path)

-- name: by_norm
-- Documents that are one of the norms, whatever the edition, then those that mention one.
SELECT {known} FROM (
    SELECT document_id, bool_or(own) AS own FROM document_identifiers
    WHERE project_id = %(project)s AND base = ANY(%(bases)s)
    GROUP BY document_id ORDER BY bool_or(own) DESC, document_id LIMIT %(limit)s
) AS i
JOIN documents d ON d.project_id = %(project)s AND d.document_id = i.document_id
WHERE d.chunk_count > 0 AND d.copy_of IS NULL
ORDER BY i.own DESC, d.path

-- name: by_words
-- Documents whose title, file name or folder have the words, those with most of them first.
SELECT {known}, coalesce((
    SELECT left(string_agg(c.text, ' ' ORDER BY c.ordinal), 400) FROM chunks c
    WHERE c.project_id = d.project_id AND c.document_id = d.document_id AND c.ordinal < 3
), '') AS opening
FROM (
    SELECT document_id, count(*) AS shared FROM document_terms
    WHERE project_id = %(project)s AND term = ANY(%(terms)s)
    GROUP BY document_id ORDER BY count(*) DESC, document_id LIMIT %(limit)s
) AS t
JOIN documents d ON d.project_id = %(project)s AND d.document_id = t.document_id
WHERE d.chunk_count > 0 AND d.copy_of IS NULL
ORDER BY t.shared DESC, d.path

-- name: first
-- Some documents of the project, by path, and how many there are.
SELECT {known}, count(*) OVER () AS documents FROM documents d
WHERE d.project_id = %(project)s AND d.chunk_count > 0 AND d.copy_of IS NULL
ORDER BY d.path LIMIT %(limit)s

-- fragment: chunk
c.chunk_id, c.document_id::text, d.path, d.title, c.heading_path, c.page_first, c.page_last, c.text, d.identifiers,
    coalesce(c.page_starts, '{}') AS page_starts, c.state

-- name: chunks
-- All passages of some documents, in the order of these and of their texts.
SELECT {chunk} FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
WHERE c.project_id = %(project)s AND c.document_id = ANY(%(documents)s::uuid[]) AND c.ordinal < %(limit)s
ORDER BY array_position(%(documents)s::uuid[], c.document_id), c.ordinal

-- name: vectors
SELECT e.chunk_id, e.embedding FROM embeddings e
JOIN chunks c ON c.project_id = %(project)s AND c.chunk_id = e.chunk_id
WHERE e.project_id = %(project)s AND c.document_id = ANY(%(documents)s::uuid[])

-- name: some_chunks
SELECT {chunk} FROM chunks c
JOIN documents d ON d.project_id = %(project)s AND d.document_id = c.document_id
WHERE c.project_id = %(project)s AND c.chunk_id = ANY(%(ids)s)
