-- A role that an administrator gives is told in the project, too: to its owners, who read no register of accounts.

CREATE POLICY told_by_who_keeps_accounts ON audit FOR INSERT
    WITH CHECK (action = 'people.change' AND done_at = now() AND (SELECT keeping_accounts()));
