-- When a file was made, as its own properties say it. A document that was read before says it once it is read anew.

ALTER TABLE documents ADD file_date text NOT NULL DEFAULT '';  -- ISO 8601; '': they do not say it
