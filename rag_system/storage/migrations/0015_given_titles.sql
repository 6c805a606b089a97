-- What a person calls a document, which outlives the file's next version; what was removed, and can be brought back for a
-- while; and why a file failed, in a word that tells whether another try can help.

ALTER TABLE documents ADD given_title text NOT NULL DEFAULT '';  -- '': its title is what the file says

ALTER TABLE ingestions
    ADD given_title text NOT NULL DEFAULT '',
    ADD code        text NOT NULL DEFAULT '',       -- of the error that it failed with
    DROP CONSTRAINT ingestions_status_check,
    ADD CONSTRAINT ingestions_status_check CHECK (status IN ('queued', 'working', 'ready', 'done', 'failed', 'removed'));
