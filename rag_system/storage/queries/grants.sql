-- name: grant
-- The role of the application may do with a table what its policies speak of. Where this login may not say so, it is the
-- one that the policies hold for.
DO $$
DECLARE
    name text;
    allowed text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'legajo_app') THEN
        RETURN;
    END IF;
    FOR name, allowed IN
        SELECT c.relname, string_agg(DISTINCT p.privilege, ', ')
        FROM pg_class c JOIN pg_policy ON polrelid = c.oid
        JOIN (VALUES ('r', 'SELECT'), ('a', 'INSERT'), ('w', 'UPDATE'), ('d', 'DELETE')) AS p (command, privilege)
            ON polcmd IN (p.command::"char", '*')
        WHERE c.relnamespace = current_schema()::regnamespace AND pg_has_role(c.relowner, 'USAGE')
        GROUP BY c.relname
    LOOP
        EXECUTE format('GRANT %s ON %I TO legajo_app', allowed, name);
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    NULL;
END
$$
