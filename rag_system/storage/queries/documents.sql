-- name: list
SELECT d.document_id::text, d.path, d.sha256, d.origin, d.status, d.error, d.format, d.title, d.language, d.category,
       d.identifiers, d.pages, d.empty_pages, d.ocr_pages, d.blank_pages, d.hidden_pages,
       coalesce(o.path, '') AS copy_of, d.chunk_count, d.size_bytes, d.index_version, d.updated_at
FROM documents d LEFT JOIN documents o ON o.project_id = d.project_id AND o.document_id = d.copy_of
WHERE d.project_id = %(project)s ORDER BY d.path

-- name: by_path
SELECT d.document_id::text, d.path, d.sha256, d.origin, d.status, d.error, d.format, d.title, d.language, d.category,
       d.identifiers, d.pages, d.empty_pages, d.ocr_pages, d.blank_pages, d.hidden_pages,
       coalesce(o.path, '') AS copy_of, d.chunk_count, d.size_bytes, d.index_version, d.updated_at
FROM documents d LEFT JOIN documents o ON o.project_id = d.project_id AND o.document_id = d.copy_of
WHERE d.project_id = %(project)s AND d.path = %(path)s

-- name: set_origin
UPDATE documents SET origin = %(origin)s WHERE project_id = %(project)s AND document_id = %(document_id)s

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
