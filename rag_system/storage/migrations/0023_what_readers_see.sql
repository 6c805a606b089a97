-- Where each page after its first begins in a chunk's text, in characters; NULL in a chunk on one page. A quote's page.
ALTER TABLE chunks ADD COLUMN page_starts integer[];
ALTER TABLE staged_chunks ADD COLUMN page_starts integer[];

-- Pages with text that no reader sees, which was left out (0 where the format has no pages), and those of the empty
-- pages on which there is nothing to be read: nobody need look for text on them again.
ALTER TABLE documents
    ADD COLUMN hidden_pages integer[] NOT NULL DEFAULT '{}',
    ADD COLUMN blank_pages integer[] NOT NULL DEFAULT '{}';
