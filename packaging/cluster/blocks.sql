-- Divides the ledger into blocks of organizations (docs/scale.md, Blocks of organizations). Run it once,
-- as the owner of the tables, with a backup, while tarmac serves:
--     psql -d tarmac -v organizations=2048 -v blocks=16 -f blocks.sql
-- The present rows become the first block, where they are. organizations is the size of a block, and
-- blocks how many are made for new organizations; the last takes all that come later.
\set ON_ERROR_STOP on

-- The first organization of the next block, and the key of its first row.
SELECT (coalesce(max(id), 0) / :organizations + 1) * :organizations AS next FROM organizations \gset

ALTER TABLE transactions DROP CONSTRAINT IF EXISTS transactions_first; -- of an attempt that gave up
-- The rows are checked without a lock that writers wait for, which takes the longest.
SELECT format('ALTER TABLE transactions ADD CONSTRAINT transactions_first CHECK (id < %s) NOT VALID',
	:next::bigint << 43) \gexec
ALTER TABLE transactions VALIDATE CONSTRAINT transactions_first;

BEGIN;
SET LOCAL lock_timeout = '2s'; -- if a long transaction is in the way, nothing is changed: run it again
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
