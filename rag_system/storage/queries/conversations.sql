-- name: create
INSERT INTO conversations (project_id, conversation_id) VALUES (%(project)s, %(conversation)s) ON CONFLICT DO NOTHING

-- name: list
SELECT conversation_id::text, title, updated_at FROM conversations
WHERE project_id = %(project)s AND title <> '' ORDER BY updated_at DESC LIMIT %(limit)s

-- name: touch
-- The first question gives the conversation its title. The row lock makes concurrent turns take turns.
UPDATE conversations SET updated_at = now(), title = CASE WHEN title = '' THEN left(%(title)s, 80) ELSE title END
WHERE project_id = %(project)s AND conversation_id = %(conversation)s

-- name: rename
UPDATE conversations SET title = left(%(title)s, 80)
WHERE project_id = %(project)s AND conversation_id = %(conversation)s

-- name: append
INSERT INTO messages (project_id, conversation_id, ordinal, role, content, incomplete)
SELECT %(project)s, %(conversation)s, coalesce(max(ordinal) + 1, 0), %(role)s, %(content)s, %(incomplete)s
FROM messages WHERE project_id = %(project)s AND conversation_id = %(conversation)s
RETURNING ordinal

-- name: fill
UPDATE messages SET content = %(content)s, provider = %(provider)s, model = %(model)s, abstained = %(abstained)s,
    incomplete = %(incomplete)s, error = %(error)s, metrics = %(metrics)s, funnel = %(funnel)s,
    unsupported = %(unsupported)s, notices = %(notices)s, usage = %(usage)s
WHERE project_id = %(project)s AND conversation_id = %(conversation)s AND ordinal = %(ordinal)s AND role = 'assistant'

-- name: cite
INSERT INTO citations (project_id, conversation_id, ordinal, position, n, chunk_id, document, path, section, page,
    quote, passage, added)
VALUES (%(project)s, %(conversation)s, %(ordinal)s, %(position)s, %(n)s, %(chunk_id)s, %(document)s, %(path)s,
    %(section)s, %(page)s, %(quote)s, %(passage)s, %(added)s)

-- name: messages
SELECT ordinal, role, content, provider, model, abstained, incomplete, error, metrics, funnel, unsupported, notices,
    usage
FROM messages
WHERE project_id = %(project)s AND conversation_id = %(conversation)s ORDER BY ordinal

-- name: citations
SELECT ordinal, n, chunk_id, document, path, section, page, quote, passage, added FROM citations
WHERE project_id = %(project)s AND conversation_id = %(conversation)s ORDER BY ordinal, position

-- name: recent
-- An answer of which nothing arrived says nothing to the next question.
SELECT role, content FROM messages
WHERE project_id = %(project)s AND conversation_id = %(conversation)s AND content <> '' ORDER BY ordinal DESC LIMIT %(limit)s

-- name: delete
DELETE FROM conversations WHERE project_id = %(project)s AND conversation_id = %(conversation)s
