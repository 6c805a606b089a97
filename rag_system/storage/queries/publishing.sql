-- name: insert
INSERT INTO documents (project_id, document_id, path, origin, source, container, sha256, status, error, format, title, given_title,
    language, category, authors, years, file_date, identifiers, mentions, pages, empty_pages, ocr_pages, blank_pages, hidden_pages, size_bytes,
    index_version, first_chunk_id, chunk_count, copy_of)
VALUES (%(project)s, %(document_id)s, %(path)s, %(origin)s, %(source)s, %(container)s, %(sha256)s, %(status)s, %(error)s,
    %(format)s, %(title)s, %(given_title)s, %(language)s, %(category)s, %(authors)s, %(years)s, %(file_date)s, %(identifiers)s, %(mentions)s, %(pages)s, %(empty_pages)s,
    %(ocr_pages)s, %(blank_pages)s, %(hidden_pages)s, %(size_bytes)s, %(index_version)s, %(first_chunk_id)s, %(chunk_count)s, %(copy_of)s)

-- name: set_term_count
UPDATE documents SET term_count = %(terms)s WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: insert_terms
INSERT INTO document_terms (project_id, term, document_id)
SELECT %(project)s, unnest(%(terms)s::text[]), %(document_id)s

-- name: insert_identifier
INSERT INTO document_identifiers (project_id, base, identifier, document_id, own)
VALUES (%(project)s, %(base)s, %(identifier)s, %(document_id)s, %(own)s)

-- name: insert_acronym
INSERT INTO acronyms (project_id, acronym, document_id, long_form)
VALUES (%(project)s, %(acronym)s, %(document_id)s, %(long_form)s)

-- name: insert_repeal
INSERT INTO repeals (project_id, base, identifier, document_id, told)
VALUES (%(project)s, norm_base(%(identifier)s), %(identifier)s, %(document_id)s, %(told)s)

-- name: retire
-- Take a document out, with its chunks, vectors, words, identifiers and entities. Its postings leave with the next merge.
DELETE FROM documents WHERE project_id = %(project)s AND document_id = %(document_id)s
RETURNING path, sha256, first_chunk_id, chunk_count, term_count, copy_of

-- fragment: content
SELECT document_id::text, path, title, language, authors, years, file_date, identifiers, mentions, format, pages, empty_pages,
       ocr_pages, blank_pages, hidden_pages, error, first_chunk_id, chunk_count
FROM documents

-- name: content
{content} WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: twin
{content} WHERE project_id = %(project)s AND sha256 = %(sha256)s AND index_version = %(index_version)s AND path <> %(path)s
AND copy_of IS NULL AND status = 'indexed'

-- name: first_copy
SELECT document_id::text FROM documents WHERE project_id = %(project)s AND copy_of = %(document_id)s
ORDER BY path LIMIT 1

-- name: hand_over_chunks
UPDATE chunks SET document_id = %(heir)s WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: hand_over_acronyms
UPDATE acronyms SET document_id = %(heir)s WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: hand_over_repeals
UPDATE repeals SET document_id = %(heir)s WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: hand_over_concepts
UPDATE document_concepts SET document_id = %(heir)s WHERE project_id = %(project)s AND document_id = %(document_id)s

-- name: promote
UPDATE documents h SET copy_of = NULL, term_count = d.term_count
FROM documents d
WHERE h.project_id = %(project)s AND h.document_id = %(heir)s
AND d.project_id = %(project)s AND d.document_id = %(document_id)s

-- name: adopt
UPDATE documents SET copy_of = %(heir)s
WHERE project_id = %(project)s AND copy_of = %(document_id)s AND document_id <> %(heir)s
