-- name: store
INSERT INTO files (project_id, sha256, size_bytes) VALUES (%(project)s, %(sha256)s, %(size)s)
ON CONFLICT DO NOTHING RETURNING sha256

-- name: hold
-- Whoever wants to forget the bytes waits until this transaction has said what needs them.
SELECT 1 FROM files WHERE project_id = %(project)s AND sha256 = %(sha256)s FOR KEY SHARE

-- name: store_part
INSERT INTO file_parts (project_id, sha256, part, bytes) VALUES (%(project)s, %(sha256)s, %(part)s, %(bytes)s)

-- name: copy_parts
-- Those that another project holds.
INSERT INTO file_parts (project_id, sha256, part, bytes)
SELECT %(project)s, sha256, part, bytes FROM file_parts WHERE project_id = %(source)s AND sha256 = %(sha256)s

-- name: part
SELECT bytes FROM file_parts WHERE project_id = %(project)s AND sha256 = %(sha256)s AND part = %(part)s

-- name: take_unused
-- Whoever accepts the same bytes now comes first: what it says of them is seen when it has ended.
SELECT 1 FROM files f WHERE f.project_id = %(project)s AND f.sha256 = %(sha256)s
AND NOT EXISTS (SELECT FROM documents d WHERE d.project_id = %(project)s AND d.sha256 = f.sha256)
AND NOT EXISTS (
    SELECT FROM ingestions i
    WHERE i.project_id = %(project)s AND i.sha256 = f.sha256 AND i.status IN ('queued', 'working', 'ready', 'failed', 'removed')
)
FOR UPDATE

-- name: drop_unused
-- What is waiting or failed needs its bytes: it may be tried again.
DELETE FROM files f WHERE f.project_id = %(project)s AND f.sha256 = %(sha256)s
AND NOT EXISTS (SELECT FROM documents d WHERE d.project_id = %(project)s AND d.sha256 = f.sha256)
AND NOT EXISTS (
    SELECT FROM ingestions i
    WHERE i.project_id = %(project)s AND i.sha256 = f.sha256 AND i.status IN ('queued', 'working', 'ready', 'failed', 'removed')
)
