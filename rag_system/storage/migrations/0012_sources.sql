-- Where a document was read from, so that another file of its name never takes its place unasked, and what it came in.

ALTER TABLE documents
    ADD source    text NOT NULL DEFAULT '',         -- «machine:/path/of/the/file», or «upload:» with a digest; '': not known
    ADD container text NOT NULL DEFAULT '';         -- path of the archive or message that brought it

ALTER TABLE ingestions
    ADD source    text NOT NULL DEFAULT '',
    ADD container text NOT NULL DEFAULT '';

UPDATE documents SET source = 'upload:' || sha256 WHERE path LIKE 'cargados/%';

CREATE INDEX documents_container ON documents (project_id, container) WHERE container <> '';
