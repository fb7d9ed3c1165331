-- Divides the ledger into blocks of organizations (docs/scale.md, Blocks of organizations). Run it once,
-- as the owner of the tables, with a backup, while tarmac serves:
--     psql -d tarmac -v organizations=2048 -v blocks=16 -f blocks.sql
-- The present rows become the first block, where they are. organizations is the size of a block, and
-- blocks how many are made for new organizations; the last takes all that come later.
--
-- If it gives up, run it again soon: the check that it leaves behind keeps out the organizations
-- from :next on, of which the first is at least a whole block away.
\set ON_ERROR_STOP on
SET lock_timeout = '2s'; -- gives up if a long transaction is in the way, rather than have all others wait

-- The first organization of the next block. There is room for another block before it, since
-- organizations are created meanwhile.
SELECT (coalesce(max(id), 0) / :organizations + 2) * :organizations AS next FROM organizations \gset

ALTER TABLE transactions DROP CONSTRAINT IF EXISTS transactions_first; -- of an attempt that gave up
-- Adding the check takes a lock for a moment. Looking at all rows takes long, and writers go on.
SELECT format('ALTER TABLE transactions ADD CONSTRAINT transactions_first CHECK (id < %s) NOT VALID',
	:next::bigint << 43) \gexec
ALTER TABLE transactions VALIDATE CONSTRAINT transactions_first;

BEGIN;
ALTER TABLE transactions RENAME TO transactions_b0;
CREATE TABLE transactions (LIKE transactions_b0 INCLUDING DEFAULTS, PRIMARY KEY (id)) PARTITION BY RANGE (id);
SELECT format('ALTER TABLE transactions ATTACH PARTITION transactions_b0 FOR VALUES FROM (MINVALUE) TO (%s)',
	:next::bigint << 43) \gexec
ALTER TABLE transactions_b0 DROP CONSTRAINT transactions_first;
-- Public ids are unique within each block, and the three-letter index is made on each, so that a
-- block of small organizations can do without.
SELECT format('CREATE TABLE transactions_b%s (LIKE transactions_b0 INCLUDING DEFAULTS INCLUDING INDEXES)', n)
	FROM generate_series(1, :blocks) AS n \gexec
SELECT format('ALTER TABLE transactions ATTACH PARTITION transactions_b%s FOR VALUES FROM (%s) TO (%s)', n,
	(:next::bigint + (n - 1) * :organizations) << 43,
	CASE WHEN n = :blocks THEN 'MAXVALUE' ELSE (((:next::bigint + n * :organizations) << 43)::text) END)
	FROM generate_series(1, :blocks) AS n \gexec
COMMIT;
