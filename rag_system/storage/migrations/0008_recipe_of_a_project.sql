-- How a project's questions are searched; '' leaves it to the settings.
ALTER TABLE projects ADD COLUMN recipe text NOT NULL DEFAULT '';
