-- How far the publication of a large document is: it is one transaction, and what it writes is seen by nobody meanwhile.
-- This is told beside it; with the same transaction it goes.
CREATE TABLE publications (
    project_id   text NOT NULL,
    ingestion_id uuid NOT NULL,
    attempt      integer NOT NULL,          -- what an earlier one told says nothing of this one
    done         integer NOT NULL,          -- chunks
    total        integer NOT NULL,
    began_at     timestamptz NOT NULL DEFAULT now(),
    cancelled    boolean NOT NULL DEFAULT false, -- somebody waits for it to be given up
    PRIMARY KEY (project_id, ingestion_id),
    FOREIGN KEY (project_id, ingestion_id) REFERENCES ingestions ON DELETE CASCADE
);
