-- name: add
INSERT INTO api_tokens (secret_hash, person_id, name, scopes, project_id, expires_at)
VALUES (%(secret)s, %(person)s, %(name)s, %(scopes)s, %(project)s, now() + %(life)s)
RETURNING token_id::text, name, scopes, project_id AS project, created_at, expires_at, last_used_at

-- name: list
-- Those that have expired, too, until they are withdrawn.
SELECT token_id::text, name, scopes, project_id AS project, created_at, expires_at, last_used_at
FROM api_tokens WHERE person_id = %(person)s ORDER BY created_at

-- name: withdraw
DELETE FROM api_tokens WHERE person_id = %(person)s AND token_id::text LIKE %(beginning)s || '%%'

-- name: bearer
SELECT token_id::text, person_id AS person, scopes, project_id AS project
FROM api_tokens WHERE secret_hash = %(secret)s AND expires_at > now()

-- name: used
UPDATE api_tokens SET last_used_at = date_trunc('minute', now())
WHERE token_id = %(token)s AND last_used_at IS DISTINCT FROM date_trunc('minute', now())
