-- Conversations that a person puts away: found and opened as before, and listed apart until something is asked in them.

ALTER TABLE conversations ADD archived_at timestamptz;
