-- What an attempt found done when it began to embed: only what it adds is headway, and tells how fast it is.
ALTER TABLE ingestions ADD COLUMN reused integer NOT NULL DEFAULT 0;

-- The queue and its pace are looked at every second, beside the rows of all that was ever taken in.
CREATE INDEX ingestions_open ON ingestions (project_id, accepted_at) WHERE status <> 'done';
CREATE INDEX ingestions_lately ON ingestions (project_id, finished_at) WHERE status = 'done';
