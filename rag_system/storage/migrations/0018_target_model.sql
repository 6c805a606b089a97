-- Which model a rebuild is for: a worker that has another one loaded leaves it alone.
ALTER TABLE ingestions DROP COLUMN rebuild;
ALTER TABLE ingestions ADD COLUMN target_model text NOT NULL DEFAULT '';  -- empty: the project's own
