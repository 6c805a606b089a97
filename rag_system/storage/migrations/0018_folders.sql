-- A folder of a person's conversations in a project: it is there for as long as something is in it.

ALTER TABLE conversations ADD folder text NOT NULL DEFAULT '';  -- '': in none
