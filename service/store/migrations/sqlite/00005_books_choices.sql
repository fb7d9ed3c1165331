-- +goose Up

-- The rules in force for the lines of the books, as a text of TOML (docs/import.md, Rules).
CREATE TABLE book_rules (
    org_id INTEGER PRIMARY KEY REFERENCES organizations(id),
    text   TEXT NOT NULL
) STRICT;

-- What a person decided about an account. It outlives the account's statements, so that it holds
-- again when an import that was undone is repeated.
CREATE TABLE book_account_choices (
    id       INTEGER PRIMARY KEY,
    org_id   INTEGER NOT NULL REFERENCES organizations(id),
    number   TEXT NOT NULL,
    currency TEXT NOT NULL,
    name     TEXT NOT NULL, -- '' for the name in the files
    role     TEXT NOT NULL, -- '' for the role by the files
    UNIQUE (org_id, number, currency)
) STRICT;

-- Balances that a person stated at an import, at the end of a day.
CREATE TABLE book_balances (
    id         INTEGER PRIMARY KEY,
    org_id     INTEGER NOT NULL REFERENCES organizations(id),
    import_id  INTEGER NOT NULL REFERENCES book_imports(id),
    account_id INTEGER NOT NULL REFERENCES book_accounts(id),
    day        INTEGER NOT NULL,
    minor      INTEGER NOT NULL
) STRICT;
CREATE INDEX book_balances_by_import ON book_balances (import_id);
CREATE INDEX book_balances_by_account ON book_balances (account_id);

-- The role that follows from the kind of account in the file, '' if the file does not say.
ALTER TABLE book_statements ADD COLUMN role TEXT NOT NULL DEFAULT '';
UPDATE book_statements SET role = (SELECT a.role FROM book_accounts a WHERE a.id = account_id AND a.role <> 'operating')
    WHERE EXISTS (SELECT 1 FROM book_accounts a WHERE a.id = account_id AND a.role <> 'operating');
