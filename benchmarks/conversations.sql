-- name: conversation
INSERT INTO conversations (project_id, conversation_id, title, leaf, person_id, updated_at)
VALUES (%s, %s, %s, %s, %s, now() - %s * interval '1 minute')

-- name: message
INSERT INTO messages (project_id, conversation_id, ordinal, parent, role, content, indexed)
VALUES (%s, %s, %s, %s, %s, %s, true)

-- name: term
INSERT INTO conversation_terms (project_id, conversation_id, term, ordinals) VALUES (%s, %s, %s, %s::integer[])

-- name: analyze
ANALYZE conversations, messages, conversation_terms
