-- name: record
-- A few of the old ones go with each that comes: nobody waits for many.
WITH old AS (
    DELETE FROM answer_metrics WHERE project_id = %(project)s AND metrics_id IN (
        SELECT metrics_id FROM answer_metrics
        WHERE project_id = %(project)s AND answered_at < now() - make_interval(days => %(days)s)
        ORDER BY answered_at LIMIT 20
    )
)
INSERT INTO answer_metrics (project_id, metrics_id, purpose, provider, phases, first_token_ms, total_ms, tokens_in, tokens_out, cost_usd,
    proposed, merged, rejected, returned, cited, marked, abstained, incomplete, error)
VALUES (%(project)s, %(metrics_id)s, %(purpose)s, %(provider)s, %(phases)s, %(first_token_ms)s, %(total_ms)s, %(tokens_in)s, %(tokens_out)s,
    %(cost_usd)s, %(proposed)s, %(merged)s, %(rejected)s, %(returned)s, %(cited)s, %(marked)s, %(abstained)s,
    %(incomplete)s, %(error)s)
ON CONFLICT DO NOTHING

-- name: unhurried_commit
-- A row that is lost when the power goes is no loss; an answer does not wait for the disk because of it.
SELECT set_config('synchronous_commit', 'off', true)

-- name: forget
DELETE FROM answer_metrics
WHERE project_id = %(project)s AND answered_at < now() - make_interval(days => %(days)s)

-- name: days
-- Days are the server's. Tokens are those of all requests, the rest is of the answers.
SELECT answered_at::date AS day, count(*) FILTER (WHERE purpose = 'answer') AS answers,
    count(*) FILTER (WHERE abstained) AS abstained,
    count(*) FILTER (WHERE incomplete) AS incomplete, count(*) FILTER (WHERE error <> '') AS failed,
    sum(cited) AS cited, sum(marked) AS marked,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY first_token_ms) AS first_token_p50_ms,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY first_token_ms) AS first_token_p95_ms,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY total_ms) AS total_p50_ms,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY total_ms) AS total_p95_ms,
    sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, sum(cost_usd) AS cost_usd,
    coalesce(avg(proposed) FILTER (WHERE purpose = 'answer'), 0)::real AS proposed,
    coalesce(avg(merged) FILTER (WHERE purpose = 'answer'), 0)::real AS merged,
    coalesce(avg(rejected) FILTER (WHERE purpose = 'answer'), 0)::real AS rejected,
    coalesce(avg(returned) FILTER (WHERE purpose = 'answer'), 0)::real AS returned
FROM answer_metrics WHERE project_id = %(project)s AND answered_at > now() - make_interval(days => %(days)s)
GROUP BY day ORDER BY day

-- name: phases
SELECT name AS phase, count(*) AS answers, percentile_disc(0.5) WITHIN GROUP (ORDER BY took::real) AS p50_ms,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY took::real) AS p95_ms
FROM answer_metrics, jsonb_each_text(phases) AS phase (name, took)
WHERE project_id = %(project)s AND answered_at > now() - make_interval(days => %(days)s)
GROUP BY name ORDER BY name

-- name: cited_documents
-- Of the conversations that one may read.
SELECT path, count(DISTINCT (conversation_id, ordinal)) AS answers FROM citations
WHERE project_id = %(project)s AND path <> '' AND source_project IS NULL
GROUP BY path ORDER BY answers DESC, path LIMIT %(limit)s

-- name: unanswered
-- Of the conversations that one may read: each question once, with when it was asked last.
SELECT question.content AS question, max(answer.created_at) AS asked_at, count(*) AS times
FROM messages AS answer
JOIN messages AS question ON question.project_id = answer.project_id
    AND question.conversation_id = answer.conversation_id AND question.ordinal = answer.parent
WHERE answer.project_id = %(project)s AND answer.abstained AND answer.error = ''
GROUP BY question.content ORDER BY asked_at DESC LIMIT %(limit)s
