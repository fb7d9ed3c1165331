-- +goose Up

-- Large imports into own books are written in short transactions that nobody sees, and a last one
-- makes them count.

-- The side of the ledger that counts: 0, or 1 for the one whose number in keys of transactions and in
-- ledger_daily is 2^19 greater than the organization's. Public ids of the second side end with ~.
ALTER TABLE organizations ADD COLUMN ledger_side INTEGER NOT NULL DEFAULT 0;
-- 0, 1 while an import has rows that do not count, 2 while transactions of the other side are left,
-- 3 while rows of an import that was not made are removed.
ALTER TABLE organizations ADD COLUMN books_stage INTEGER NOT NULL DEFAULT 0;

-- 0 for what counts, 1 for what an import has written that has not ended, 2 for what it gave up.
ALTER TABLE book_files ADD COLUMN staged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE book_imports ADD COLUMN staged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE book_accounts ADD COLUMN staged INTEGER NOT NULL DEFAULT 0;
