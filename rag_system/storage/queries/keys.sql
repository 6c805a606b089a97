-- name: hold
-- Until the transaction ends nobody seals all anew: what is sealed now would be left behind.
LOCK TABLE provider_keys IN ROW EXCLUSIVE MODE

-- name: list
-- The person's own and the project's.
SELECT project_id, person_id, provider, sealed, sealed_with, added_at, added_by FROM provider_keys
WHERE person_id = acting_person() OR project_id = %(project)s ORDER BY person_id NULLS LAST, provider

-- name: put
INSERT INTO provider_keys (project_id, person_id, provider, sealed, sealed_with)
VALUES (%(project)s, %(person)s, %(provider)s, %(sealed)s, %(sealed_with)s)
ON CONFLICT (project_id, person_id, provider) DO UPDATE
SET sealed = excluded.sealed, sealed_with = excluded.sealed_with, added_at = now(), added_by = acting_person()

-- name: remove
DELETE FROM provider_keys
WHERE project_id IS NOT DISTINCT FROM %(project)s AND person_id IS NOT DISTINCT FROM %(person)s
AND provider = %(provider)s

-- name: act_as_sealer
SELECT set_config('legajo.sealing', 'on', true)

-- name: hold_alone
-- Whoever was adding a key has done so, and nobody begins.
LOCK TABLE provider_keys IN SHARE ROW EXCLUSIVE MODE

-- name: all
SELECT project_id, person_id, provider, sealed, sealed_with, added_at, added_by FROM provider_keys

-- name: reseal
UPDATE provider_keys SET sealed = %(sealed)s, sealed_with = %(sealed_with)s
WHERE project_id IS NOT DISTINCT FROM %(project)s AND person_id IS NOT DISTINCT FROM %(person)s
AND provider = %(provider)s

-- name: person
SELECT acting_person()
