-- What each answer took, as its provider reported it, and the version of the prompt it was written with.
ALTER TABLE messages ADD COLUMN usage jsonb NOT NULL DEFAULT '{}';
