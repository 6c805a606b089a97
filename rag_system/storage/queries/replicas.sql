-- name: seen
-- Asked of a replica, in the transaction that would search: how old the last commit is that it has followed (null: none
-- since it started), up to where it has, and how many of the projects it has as the primary told them.
SELECT pg_is_in_recovery(),
       extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8,
       pg_last_wal_replay_lsn()::text,
       (
           SELECT count(*)
           FROM projects p
           JOIN jsonb_to_recordset(%(projects)s) AS told (
               project_id text, next_chunk_id bigint, next_segment bigint, chunk_count bigint, term_count bigint
           ) USING (project_id, next_chunk_id, next_segment, chunk_count, term_count)
       )

-- name: nothing_since
-- Asked of the primary: whether a replica that has followed up to there lacks nothing. Where nobody writes, its last
-- commit is old, and it is not behind.
SELECT pg_current_wal_flush_lsn() <= %(replayed)s::pg_lsn
