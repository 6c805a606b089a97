-- What the assistant calls itself in a project, '' leaves it to the settings; and whether it keeps to itself which
-- provider and model write its answers, NULL leaves it to the settings.
ALTER TABLE projects ADD COLUMN assistant_name text NOT NULL DEFAULT '',
    ADD COLUMN hide_model boolean;
