-- name: exact
-- The cast is left out, so that the approximate index cannot serve.
SELECT chunk_id FROM embeddings WHERE project_id = %(project)s
ORDER BY embedding <=> %(vector)s::halfvec
LIMIT %(limit)s

-- name: sequential_scans
-- Of the tables that a search reads and that are big enough to matter; this connection's own counts come at once.
SELECT coalesce(sum(seq_scan), 0) FROM pg_stat_user_tables
WHERE schemaname = current_schema() AND relname = ANY(%(tables)s) AND n_live_tup > %(rows)s

-- name: flush_statistics
SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()

-- name: sample_texts
-- What was embedded of every so many batches, in the order in which it was.
SELECT d.title, c.heading_path, c.text
FROM chunks c JOIN documents d USING (project_id, document_id)
WHERE c.project_id = %(project)s AND (c.chunk_id / %(batch)s) %% %(step)s = 0
ORDER BY c.chunk_id LIMIT %(limit)s

-- name: count_chunks
SELECT count(*) FROM chunks WHERE project_id = %(project)s
