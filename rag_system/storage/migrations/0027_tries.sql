-- Attempts in a row that ended with a word on the database or the model, and without a batch of headway.
ALTER TABLE ingestions ADD COLUMN tries integer NOT NULL DEFAULT 0;
