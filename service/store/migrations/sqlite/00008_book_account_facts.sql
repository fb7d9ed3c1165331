-- +goose Up

-- What a statement says about its account, '' for what it does not say. Files of several formats
-- may name one account in different ways.
ALTER TABLE book_statements ADD COLUMN number TEXT NOT NULL DEFAULT '';
ALTER TABLE book_statements ADD COLUMN bank TEXT NOT NULL DEFAULT '';
ALTER TABLE book_statements ADD COLUMN name TEXT NOT NULL DEFAULT '';
UPDATE book_statements SET
    number = COALESCE((SELECT a.number FROM book_accounts a WHERE a.id = account_id), ''),
    bank = COALESCE((SELECT a.bank FROM book_accounts a WHERE a.id = account_id), ''),
    name = COALESCE((SELECT a.name FROM book_accounts a WHERE a.id = account_id), '');

-- What people decide holds for the account whatever number a file gives it.
ALTER TABLE book_account_choices RENAME COLUMN number TO identity;
