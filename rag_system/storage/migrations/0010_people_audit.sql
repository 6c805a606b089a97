-- Who did what to accounts. Those are no project's, so `audit` (0007) has no place for it. Added to and never changed, with
-- no reference to people: who is gone did it, or had it done to them, too.

CREATE TABLE people_audit (
    entry_id  uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    person_id text NOT NULL,                            -- who did it
    done_at   timestamptz NOT NULL DEFAULT now(),
    action    text NOT NULL CHECK (action ~ '^people[.][a-z]+$'),
    object    text NOT NULL,                            -- whose account it was done to
    detail    text NOT NULL DEFAULT ''
);
CREATE INDEX people_audit_done ON people_audit (done_at);

ALTER TABLE people_audit ENABLE ROW LEVEL SECURITY;
ALTER TABLE people_audit FORCE ROW LEVEL SECURITY;
CREATE POLICY read ON people_audit FOR SELECT USING ((SELECT keeping_accounts()));
CREATE POLICY add ON people_audit FOR INSERT WITH CHECK (done_at = now() AND (SELECT keeping_accounts()));
