-- +goose Up

-- Large imports into own books are written in short transactions on SQLite, where they would keep
-- others from writing. Here an import is one transaction, and all of these stay 0.
ALTER TABLE organizations ADD COLUMN ledger_side BIGINT NOT NULL DEFAULT 0;
ALTER TABLE organizations ADD COLUMN books_stage BIGINT NOT NULL DEFAULT 0;
ALTER TABLE book_files ADD COLUMN staged BIGINT NOT NULL DEFAULT 0;
ALTER TABLE book_imports ADD COLUMN staged BIGINT NOT NULL DEFAULT 0;
ALTER TABLE book_accounts ADD COLUMN staged BIGINT NOT NULL DEFAULT 0;
