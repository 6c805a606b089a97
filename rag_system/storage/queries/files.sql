-- name: store
INSERT INTO files (project_id, sha256, size_bytes) VALUES (%(project)s, %(sha256)s, %(size)s)
ON CONFLICT DO NOTHING RETURNING sha256

-- name: store_part
INSERT INTO file_parts (project_id, sha256, part, bytes) VALUES (%(project)s, %(sha256)s, %(part)s, %(bytes)s)

-- name: part
SELECT bytes FROM file_parts WHERE project_id = %(project)s AND sha256 = %(sha256)s AND part = %(part)s

-- name: drop_unused
-- What is waiting or failed needs its bytes: it may be tried again.
DELETE FROM files f WHERE f.project_id = %(project)s AND f.sha256 = %(sha256)s
AND NOT EXISTS (SELECT FROM documents d WHERE d.project_id = %(project)s AND d.sha256 = f.sha256)
AND NOT EXISTS (
    SELECT FROM ingestions i
    WHERE i.project_id = %(project)s AND i.sha256 = f.sha256 AND i.status IN ('queued', 'working', 'ready', 'failed')
)
