-- A path may have newer bytes on their way and, beside them, what its document holds being built for another model.
DROP INDEX ingestions_live;
CREATE UNIQUE INDEX ingestions_live ON ingestions (project_id, path, target_model)
    WHERE status IN ('queued', 'working', 'ready');
