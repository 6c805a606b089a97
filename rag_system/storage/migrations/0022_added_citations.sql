-- Citations that the check of an answer added, where the model wrote a sentence without a marker.
ALTER TABLE citations ADD COLUMN added boolean NOT NULL DEFAULT false;
