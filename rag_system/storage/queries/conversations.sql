-- fragment: here
project_id = %(project)s AND conversation_id = %(conversation)s

-- fragment: summary
conversation_id::text, title, updated_at, deleted_at, pinned_at IS NOT NULL AS pinned,
    archived_at IS NOT NULL AS archived, folder, link IS NOT NULL AS shared, saved_as

-- fragment: message
ordinal, parent, role, content, provider, model, abstained, incomplete, error, metrics, funnel, unsupported, notices,
    usage, created_at AS said_at, {state}

-- fragment: state
CASE WHEN state = 'writing' AND written_at < clock_timestamp() - %(patience)s THEN 'interrupted' ELSE state END AS state

-- name: create
INSERT INTO conversations (project_id, conversation_id) VALUES (%(project)s, %(conversation)s) ON CONFLICT DO NOTHING

-- name: list
SELECT {summary} FROM conversations
WHERE project_id = %(project)s AND title <> '' AND (deleted_at IS NOT NULL) = %(deleted)s
AND (%(deleted)s OR (archived_at IS NOT NULL) = %(archived)s)
AND (%(filed)s::boolean IS NULL OR (folder <> '') = %(filed)s)
ORDER BY pinned_at IS NULL, updated_at DESC LIMIT %(limit)s

-- name: last
SELECT {summary} FROM conversations
WHERE project_id = %(project)s AND title <> '' AND deleted_at IS NULL ORDER BY updated_at DESC LIMIT 1

-- name: named
SELECT {summary} FROM conversations
WHERE project_id = %(project)s AND title <> '' AND starts_with(conversation_id::text, %(beginning)s)
AND (deleted_at IS NULL OR %(deleted)s)

-- name: touch
-- The first question gives the conversation its title. The row lock makes concurrent turns take turns.
-- What is written in again is put away no longer.
UPDATE conversations SET updated_at = now(), archived_at = NULL, title = CASE WHEN title = '' THEN left(%(title)s, 80) ELSE title END
WHERE {here} AND deleted_at IS NULL

-- name: written
UPDATE conversations SET updated_at = now() WHERE {here}

-- name: rename
UPDATE conversations SET title = left(%(title)s, 80) WHERE {here} AND deleted_at IS NULL

-- name: call_otherwise
UPDATE conversations SET title = left(%(title)s, 80) WHERE {here} AND title = %(made)s

-- name: pin
UPDATE conversations SET pinned_at = CASE WHEN %(pinned)s THEN now() END WHERE {here} AND deleted_at IS NULL

-- name: archive
UPDATE conversations SET archived_at = CASE WHEN %(archived)s THEN now() END WHERE {here} AND deleted_at IS NULL

-- name: move
UPDATE conversations SET folder = %(folder)s WHERE {here} AND deleted_at IS NULL

-- name: move_all
-- What was deleted too, for it may be restored. Of others nothing is seen.
UPDATE conversations SET folder = %(name)s WHERE project_id = %(project)s AND folder = %(folder)s AND folder <> ''

-- name: delete
UPDATE conversations SET deleted_at = now() WHERE {here} AND deleted_at IS NULL

-- name: restore
UPDATE conversations SET deleted_at = NULL WHERE {here} AND deleted_at > now() - %(kept)s

-- name: forget
DELETE FROM conversations WHERE {here}

-- name: forget_old
DELETE FROM conversations WHERE project_id = %(project)s AND deleted_at <= now() - %(kept)s

-- name: saved_as
UPDATE conversations SET saved_as = %(path)s WHERE {here} AND deleted_at IS NULL

-- ---------------------------------------------------------------- messages

-- name: leaf
SELECT leaf FROM conversations WHERE {here} AND deleted_at IS NULL

-- name: tree
SELECT ordinal, parent, role FROM messages WHERE {here} ORDER BY ordinal

-- name: choose
UPDATE conversations SET leaf = %(leaf)s WHERE {here} AND deleted_at IS NULL

-- name: append
INSERT INTO messages (project_id, conversation_id, ordinal, parent, role, content, state, incomplete)
SELECT %(project)s, %(conversation)s, coalesce(max(ordinal) + 1, 0), %(parent)s, %(role)s, %(content)s, %(state)s,
    %(state)s = 'writing'
FROM messages WHERE {here}
RETURNING ordinal

-- name: written_question
-- A question that came after a message, with its answer's place, where nobody has begun to write there.
SELECT q.ordinal, a.ordinal
FROM messages q JOIN messages a USING (project_id, conversation_id)
WHERE q.project_id = %(project)s AND q.conversation_id = %(conversation)s AND q.ordinal > %(after)s AND q.role = 'user'
AND q.content = %(question)s AND a.parent = q.ordinal AND a.state = 'writing' AND a.content = ''
ORDER BY q.ordinal LIMIT 1

-- name: written_answer
-- The place of an answer to a question that came after a message, where nobody has begun to write.
SELECT ordinal FROM messages
WHERE {here} AND ordinal > %(after)s AND parent = %(asked)s AND state = 'writing' AND content = ''
ORDER BY ordinal LIMIT 1

-- name: draft
UPDATE messages SET content = %(content)s, written_at = clock_timestamp()
WHERE {here} AND ordinal = %(ordinal)s AND state = 'writing'

-- name: fill
UPDATE messages SET content = %(content)s, provider = %(provider)s, model = %(model)s, abstained = %(abstained)s,
    incomplete = %(incomplete)s, error = %(error)s, metrics = %(metrics)s, funnel = %(funnel)s,
    unsupported = %(unsupported)s, notices = %(notices)s, usage = %(usage)s, state = %(state)s, written_at = now()
WHERE {here} AND ordinal = %(ordinal)s AND role = 'assistant'

-- name: cite
INSERT INTO citations (project_id, conversation_id, ordinal, position, n, chunk_id, document, path, section, page,
    quote, passage, added, source_project, state)
VALUES (%(project)s, %(conversation)s, %(ordinal)s, %(position)s, %(n)s, %(chunk_id)s, %(document)s, %(path)s,
    %(section)s, %(page)s, %(quote)s, %(passage)s, %(added)s, nullif(%(source)s, %(project)s), %(state)s)
ON CONFLICT DO NOTHING

-- name: messages
SELECT {message} FROM messages WHERE {here} AND ordinal = ANY (%(ordinals)s::integer[]) ORDER BY ordinal

-- name: newest
SELECT ordinal, {state} FROM messages
WHERE {here} AND ordinal = (SELECT leaf FROM conversations WHERE {here} AND deleted_at IS NULL)

-- name: citations
-- The title is the document's of today: none where it has gone.
SELECT ordinal, n, coalesce(source_project, project_id) AS project, chunk_id, document, path, section, page, quote, passage,
    added, state, coalesce((
        SELECT d.title FROM documents d
        WHERE d.project_id = coalesce(citations.source_project, citations.project_id) AND d.path = citations.path
    ), '') AS title
FROM citations
WHERE {here} AND ordinal = ANY (%(ordinals)s::integer[]) ORDER BY ordinal, position

-- name: said
-- An answer of which nothing arrived says nothing to the next question. With each, what it cited of this project: numbers
-- and chunks.
SELECT role, content, (
        SELECT coalesce(jsonb_agg(jsonb_build_array(c.n, c.chunk_id) ORDER BY c.position), '[]') FROM citations c
        WHERE c.project_id = m.project_id AND c.conversation_id = m.conversation_id AND c.ordinal = m.ordinal
              AND c.source_project IS NULL
    ) AS sources
FROM messages m
WHERE {here} AND ordinal = ANY (%(ordinals)s::integer[]) AND content <> '' ORDER BY ordinal DESC LIMIT %(limit)s

-- ---------------------------------------------------------------- search

-- name: to_index
-- What was said, but for an answer that somebody still writes.
SELECT conversation_id::text, ordinal, content FROM messages
WHERE project_id = %(project)s AND NOT indexed
AND (state <> 'writing' OR written_at < clock_timestamp() - %(patience)s)
ORDER BY conversation_id, ordinal LIMIT %(limit)s

-- name: learn
INSERT INTO conversation_terms (project_id, conversation_id, term, ordinals)
SELECT %(project)s, %(conversation)s, term, ARRAY[%(ordinal)s::integer] FROM unnest(%(terms)s::text[]) AS term
ON CONFLICT (project_id, conversation_id, term)
DO UPDATE SET ordinals = conversation_terms.ordinals || excluded.ordinals
WHERE NOT conversation_terms.ordinals @> excluded.ordinals

-- name: unlearn
UPDATE conversation_terms SET ordinals = array_remove(ordinals, %(ordinal)s::integer)
WHERE {here} AND %(ordinal)s::integer = ANY (ordinals)

-- name: indexed
UPDATE messages SET indexed = true WHERE {here} AND ordinal = %(ordinal)s

-- name: search
-- The latest conversations that have all the terms, each with the message that has most of them, the last of such.
WITH found AS MATERIALIZED (
    SELECT conversation_id, ordinals FROM conversation_terms
    WHERE project_id = %(project)s AND term = ANY (%(terms)s::text[]) AND ordinals <> '{}'
), latest AS MATERIALIZED (
    SELECT c.* FROM conversations c
    WHERE c.project_id = %(project)s AND c.deleted_at IS NULL AND c.conversation_id IN (
        SELECT conversation_id FROM found GROUP BY conversation_id HAVING count(*) = %(count)s
    )
    ORDER BY c.updated_at DESC LIMIT %(limit)s
), best AS (
    SELECT DISTINCT ON (conversation_id) conversation_id, ordinal
    FROM found JOIN latest USING (conversation_id), unnest(ordinals) AS ordinal
    GROUP BY conversation_id, ordinal ORDER BY conversation_id, count(*) DESC, ordinal DESC
)
SELECT conversation_id::text, title, updated_at, ordinal, coalesce(role, '') AS role, coalesce(content, '') AS content,
    coalesce(m.created_at, updated_at) AS said_at
FROM latest JOIN best USING (conversation_id)
LEFT JOIN messages m USING (project_id, conversation_id, ordinal)
ORDER BY updated_at DESC

-- ---------------------------------------------------------------- by a link

-- name: share
UPDATE conversations SET link = %(link)s, link_ordinals = %(ordinals)s::integer[] WHERE {here} AND deleted_at IS NULL

-- name: unshare
UPDATE conversations SET link = NULL, link_ordinals = '{}' WHERE {here}

-- name: by_link
SELECT project_id AS project, conversation_id::text AS conversation, title, link_ordinals AS ordinals
FROM conversations WHERE link = %(link)s
