-- Procrastinate looks for other jobs with the lock of each one that it may take. Its own index begins with the id: with
-- 20,000 jobs it is read whole for each, 7 ms a job, and 46 s for the first one after they came at once, before the
-- server knows how many there are.
CREATE INDEX procrastinate_jobs_lock ON procrastinate_jobs (lock) WHERE status IN ('todo', 'doing');

-- What came of a file is told for as long as its document is there.
DELETE FROM ingestions i WHERE i.status = 'done'
AND NOT EXISTS (SELECT FROM documents d WHERE d.project_id = i.project_id AND d.path = i.path);
