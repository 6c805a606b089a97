-- A search across projects finds passages of others than the one in which it is asked: a citation says of which.

ALTER TABLE citations ADD source_project text;      -- NULL: that of its conversation
