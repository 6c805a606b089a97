-- name: rate
-- Beside it, what was asked before the answer, as its search understood it, and what it cited.
INSERT INTO feedback (project_id, conversation_id, ordinal, up, reasons, comment, question, answer, paths, quote)
SELECT project_id, conversation_id, ordinal, %(up)s, %(reasons)s, %(comment)s,
    coalesce(nullif(a.funnel #>> '{reading,standalone_question}', ''), (
        SELECT q.content FROM messages q
        WHERE (q.project_id, q.conversation_id, q.ordinal) = (a.project_id, a.conversation_id, a.parent)
    ), ''),
    a.content,
    coalesce(cited.paths, '{}'), coalesce(cited.quote, '')
FROM messages a
LEFT JOIN LATERAL (
    SELECT array_agg(path ORDER BY first) AS paths, (array_agg(quote ORDER BY first))[1] AS quote FROM (
        SELECT path, min(position) AS first, (array_agg(quote ORDER BY position))[1] AS quote FROM citations c
        WHERE (c.project_id, c.conversation_id, c.ordinal) = (a.project_id, a.conversation_id, a.ordinal)
        AND n > 0   -- a fact is of no document
        AND c.source_project IS NULL  -- the owners of this project need not read the others
        GROUP BY path
    ) AS documents
) AS cited ON true
WHERE project_id = %(project)s AND conversation_id = %(conversation)s AND ordinal = %(ordinal)s AND role = 'assistant'
ON CONFLICT (project_id, conversation_id, ordinal, person_id)
DO UPDATE SET up = excluded.up, reasons = excluded.reasons, comment = excluded.comment, rated_at = now()

-- name: unrate
DELETE FROM feedback
WHERE project_id = %(project)s AND conversation_id = %(conversation)s AND ordinal = %(ordinal)s
AND person_id = acting_person()

-- name: of_conversation
SELECT ordinal, up, reasons, comment FROM feedback
WHERE project_id = %(project)s AND conversation_id = %(conversation)s AND person_id = acting_person()

-- name: list
-- The latest first.
SELECT feedback_id::text, person_id AS person, rated_at, up, reasons, comment, question, answer, paths, quote
FROM feedback WHERE project_id = %(project)s ORDER BY rated_at DESC, feedback_id LIMIT %(limit)s

-- name: named
-- By the beginning of its id.
SELECT feedback_id::text, person_id AS person, rated_at, up, reasons, comment, question, answer, paths, quote
FROM feedback WHERE project_id = %(project)s AND starts_with(feedback_id::text, %(beginning)s) LIMIT 2
