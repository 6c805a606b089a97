-- name: list
SELECT document_id::text, path, sha256, status, error, format, title, language, category, identifiers, pages, empty_pages,
       chunk_count, size_bytes, index_version, updated_at
FROM documents WHERE project_id = %(project)s ORDER BY path

-- name: by_path
SELECT document_id::text, path, sha256, status, error, format, title, language, category, identifiers, pages, empty_pages,
       chunk_count, size_bytes, index_version, updated_at
FROM documents WHERE project_id = %(project)s AND path = %(path)s

-- name: store_file
INSERT INTO files (project_id, sha256, size_bytes) VALUES (%(project)s, %(sha256)s, %(size)s)
ON CONFLICT DO NOTHING RETURNING sha256

-- name: store_part
INSERT INTO file_parts (project_id, sha256, part, bytes) VALUES (%(project)s, %(sha256)s, %(part)s, %(bytes)s)

-- name: file_part
SELECT bytes FROM file_parts WHERE project_id = %(project)s AND sha256 = %(sha256)s AND part = %(part)s

-- name: drop_unused_file
-- Bytes that no document of the project holds any more.
DELETE FROM files f WHERE f.project_id = %(project)s AND f.sha256 = %(sha256)s
AND NOT EXISTS (SELECT FROM documents d WHERE d.project_id = %(project)s AND d.sha256 = f.sha256)

-- name: retire
-- Take a document out, with its chunks, vectors, words, identifiers and entities. Its postings leave with the next merge.
DELETE FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s
RETURNING sha256, first_chunk_id, chunk_count, term_count

-- name: insert
INSERT INTO documents (project_id, document_id, path, sha256, status, error, format, title, language, category, authors,
    years, identifiers, mentions, pages, empty_pages, size_bytes, index_version, first_chunk_id, chunk_count, term_count)
VALUES (%(project)s, %(document_id)s, %(path)s, %(sha256)s, %(status)s, %(error)s, %(format)s, %(title)s, %(language)s,
    %(category)s, %(authors)s, %(years)s, %(identifiers)s, %(mentions)s, %(pages)s, %(empty_pages)s, %(size)s,
    %(index_version)s, %(first_chunk_id)s, %(chunk_count)s, %(term_count)s)

-- name: insert_term
INSERT INTO document_terms (project_id, term, document_id) VALUES (%(project)s, %(term)s, %(document_id)s)

-- name: insert_identifier
INSERT INTO document_identifiers (project_id, base, identifier, document_id, own)
VALUES (%(project)s, %(base)s, %(identifier)s, %(document_id)s, %(own)s)

-- name: insert_acronym
INSERT INTO acronyms (project_id, acronym, document_id, long_form)
VALUES (%(project)s, %(acronym)s, %(document_id)s, %(long_form)s)

-- name: copy_chunks
COPY chunks (project_id, chunk_id, document_id, ordinal, heading_path, page_first, page_last, text, tokens, content_hash)
FROM STDIN (FORMAT BINARY)

-- name: copy_embeddings
COPY embeddings (project_id, chunk_id, language, embedding) FROM STDIN (FORMAT BINARY)

-- name: known_embeddings
-- Vectors of unchanged chunks: moved or copied text is not embedded again.
SELECT DISTINCT ON (c.content_hash) c.content_hash, e.embedding
FROM chunks c JOIN embeddings e ON e.project_id = %(project)s AND e.chunk_id = c.chunk_id
WHERE c.project_id = %(project)s AND c.content_hash = ANY(%(hashes)s)

-- name: sample_headings
-- One heading of a few words from the middle of each document.
SELECT DISTINCT ON (d.path) d.title, d.path, d.category, d.identifiers, heading
FROM documents d
JOIN chunks c ON c.project_id = %(project)s AND c.document_id = d.document_id
CROSS JOIN LATERAL (SELECT c.heading_path[cardinality(c.heading_path)] AS heading) AS leaf
WHERE d.project_id = %(project)s AND heading ~ '[[:lower:]]'
    AND cardinality(regexp_split_to_array(heading, '\s+')) BETWEEN 2 AND 9
    AND d.document_id IN (
        SELECT document_id FROM documents
        WHERE project_id = %(project)s AND status = 'indexed' ORDER BY path LIMIT %(limit)s
    )
ORDER BY d.path, abs(2 * c.ordinal - d.chunk_count), c.ordinal
