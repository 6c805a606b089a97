-- name: list
SELECT p.person_id AS person, p.is_administrator, p.created_at, w.person_id IS NOT NULL AS has_password,
       i.expires_at AS invited_until,
       (SELECT count(*) FROM sessions s WHERE s.person_id = p.person_id AND ended_at IS NULL AND expires_at > now())
           AS sessions,
       coalesce((SELECT jsonb_object_agg(project_id, role) FROM memberships m WHERE m.person_id = p.person_id), '{}')
           AS roles
FROM people p LEFT JOIN passwords w USING (person_id) LEFT JOIN invitations i USING (person_id)
ORDER BY p.person_id

-- name: add
INSERT INTO people (person_id, is_administrator) VALUES (%(person)s, %(administrator)s) ON CONFLICT DO NOTHING

-- name: exists
SELECT FROM people WHERE person_id = %(person)s

-- name: is_administrator
SELECT FROM people WHERE person_id = %(person)s AND is_administrator

-- name: lock_administrators
SELECT person_id FROM people WHERE is_administrator FOR UPDATE

-- name: remove
-- With all that is theirs: what refers to a person goes with it.
DELETE FROM people WHERE person_id = %(person)s

-- name: password
SELECT hash FROM passwords WHERE person_id = %(person)s

-- name: set_password
INSERT INTO passwords (person_id, hash) VALUES (%(person)s, %(hash)s)
ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, changed_at = now()

-- name: forget_password
DELETE FROM passwords WHERE person_id = %(person)s

-- name: begin_session
INSERT INTO sessions (secret_hash, person_id, expires_at) VALUES (%(secret)s, %(person)s, now() + %(life)s)

-- name: session
SELECT person_id FROM sessions WHERE secret_hash = %(secret)s AND ended_at IS NULL AND expires_at > now()

-- name: end_session
UPDATE sessions SET ended_at = now() WHERE secret_hash = %(secret)s AND ended_at IS NULL

-- name: end_sessions
UPDATE sessions SET ended_at = now()
WHERE person_id = %(person)s AND ended_at IS NULL AND expires_at > now() AND secret_hash <> %(but)s

-- name: forget_sessions
DELETE FROM sessions WHERE person_id = %(person)s AND expires_at < now()

-- name: invite
INSERT INTO invitations (person_id, secret_hash, expires_at) VALUES (%(person)s, %(secret)s, now() + %(life)s)
ON CONFLICT (person_id) DO UPDATE
SET secret_hash = excluded.secret_hash, created_at = now(), expires_at = excluded.expires_at

-- name: invitation
SELECT person_id FROM invitations WHERE secret_hash = %(secret)s AND expires_at > now()

-- name: use_invitation
-- Of two who use it at the same time, one does.
DELETE FROM invitations WHERE secret_hash = %(secret)s AND expires_at > now() RETURNING person_id

-- name: identity
SELECT person_id FROM identities WHERE issuer = %(issuer)s AND subject = %(subject)s

-- name: identify
INSERT INTO identities (issuer, subject, person_id) VALUES (%(issuer)s, %(subject)s, %(person)s) ON CONFLICT DO NOTHING

-- name: give_role
INSERT INTO memberships (project_id, person_id, role) VALUES (%(project)s, %(person)s, %(role)s)
ON CONFLICT (project_id, person_id) DO UPDATE SET role = excluded.role

-- name: take_role
DELETE FROM memberships WHERE project_id = %(project)s AND person_id = %(person)s

-- name: lock_owners
SELECT person_id FROM memberships WHERE project_id = %(project)s AND role = 'owner' FOR UPDATE

-- name: owned_alone
-- Projects that nobody else owns.
SELECT m.project_id FROM memberships m
WHERE m.person_id = %(person)s AND m.role = 'owner' AND NOT EXISTS (
    SELECT FROM memberships o
    WHERE o.project_id = m.project_id AND o.role = 'owner' AND o.person_id <> m.person_id
)
ORDER BY m.project_id

-- name: members
SELECT person_id, role FROM memberships WHERE project_id = %(project)s ORDER BY person_id

-- name: attempt
INSERT INTO login_attempts (name_hash, address_hash) VALUES (%(name)s, %(address)s) RETURNING attempt_id

-- name: forget_attempts
DELETE FROM login_attempts WHERE attempted_at < now() - %(window)s

-- name: attempts
SELECT count(*) FILTER (WHERE name_hash = %(name)s), count(*) FILTER (WHERE address_hash = %(address)s)
FROM login_attempts
WHERE (name_hash = %(name)s OR address_hash = %(address)s) AND attempted_at >= now() - %(window)s

-- name: succeed
DELETE FROM login_attempts WHERE name_hash = %(name)s OR attempt_id = %(attempt)s

-- name: known
-- All that stands of a person in tables with a `person_id`, by table; a test holds it to be all of them. Digests of secrets
-- are nothing to take along.
SELECT jsonb_build_object(
    'people', (SELECT to_jsonb(p) FROM people p WHERE person_id = %(person)s),
    'passwords', ARRAY(SELECT to_jsonb(p) - 'hash' FROM passwords p WHERE person_id = %(person)s),
    'sessions', ARRAY(SELECT to_jsonb(s) - 'secret_hash' FROM sessions s WHERE person_id = %(person)s ORDER BY created_at),
    'invitations', ARRAY(SELECT to_jsonb(i) - 'secret_hash' FROM invitations i WHERE person_id = %(person)s),
    'identities', ARRAY(SELECT to_jsonb(i) FROM identities i WHERE person_id = %(person)s),
    'memberships', ARRAY(SELECT to_jsonb(m) FROM memberships m WHERE person_id = %(person)s ORDER BY project_id),
    'conversations', ARRAY(
        SELECT to_jsonb(c) - 'link' || jsonb_build_object(
            'messages', ARRAY(
                SELECT to_jsonb(m) FROM messages m
                WHERE m.project_id = c.project_id AND m.conversation_id = c.conversation_id ORDER BY ordinal
            ),
            'citations', ARRAY(
                SELECT to_jsonb(q) FROM citations q
                WHERE q.project_id = c.project_id AND q.conversation_id = c.conversation_id ORDER BY ordinal, position
            )
        )
        FROM conversations c WHERE person_id = %(person)s ORDER BY updated_at
    ),
    'feedback', ARRAY(SELECT to_jsonb(f) FROM feedback f WHERE person_id = %(person)s ORDER BY rated_at),
    'saved_questions', ARRAY(SELECT to_jsonb(s) FROM saved_questions s WHERE person_id = %(person)s ORDER BY saved_at),
    'provider_keys', ARRAY(SELECT to_jsonb(k) - 'sealed' FROM provider_keys k WHERE person_id = %(person)s),
    'api_tokens', ARRAY(SELECT to_jsonb(t) - 'secret_hash' FROM api_tokens t WHERE person_id = %(person)s),
    'audit', ARRAY(SELECT to_jsonb(a) FROM audit a WHERE person_id = %(person)s ORDER BY done_at),
    'people_audit', ARRAY(
        SELECT to_jsonb(a) FROM people_audit a WHERE %(person)s IN (person_id, object) ORDER BY done_at
    )
)
