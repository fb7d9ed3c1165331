-- +goose Up

-- The ledger's revision when transactions were last changed or removed. A cached summary of an
-- earlier revision cannot be updated with the transactions that were added since.
ALTER TABLE organizations ADD COLUMN ledger_rewritten INTEGER NOT NULL DEFAULT 0;

-- Own books: what files of banks and accounting programs say, as it was read. Transactions,
-- balances and receivables of an organization with own books follow from these tables alone.
CREATE TABLE book_accounts (
    id       INTEGER PRIMARY KEY,
    org_id   INTEGER NOT NULL REFERENCES organizations(id),
    number   TEXT    NOT NULL, -- as the first file has it, or the name that a person gave
    currency TEXT    NOT NULL,
    bank     TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    role     TEXT    NOT NULL CHECK (role IN ('operating', 'savings', 'card', 'closed', 'excluded')),
    UNIQUE (org_id, number, currency)
) STRICT;

-- Files, each stored once however often it is imported.
CREATE TABLE book_files (
    id     INTEGER PRIMARY KEY,
    org_id INTEGER NOT NULL REFERENCES organizations(id),
    hash   BLOB    NOT NULL, -- SHA-256 of the content and of the options it was read with
    sha256 BLOB    NOT NULL, -- of the content
    format TEXT    NOT NULL,
    making TEXT    NOT NULL, -- the format, and for CSV its columns
    rank   INTEGER NOT NULL, -- 0 for the format with the richest texts
    UNIQUE (org_id, hash)
) STRICT;

CREATE TABLE book_imports (
    id          INTEGER PRIMARY KEY,
    org_id      INTEGER NOT NULL REFERENCES organizations(id),
    public_id   TEXT    NOT NULL UNIQUE,
    imported_at INTEGER NOT NULL
) STRICT;
CREATE INDEX book_imports_by_org ON book_imports (org_id, id);

CREATE TABLE book_import_files (
    org_id    INTEGER NOT NULL REFERENCES organizations(id),
    import_id INTEGER NOT NULL REFERENCES book_imports(id),
    file_id   INTEGER NOT NULL REFERENCES book_files(id),
    name      TEXT    NOT NULL, -- the file's name, without its directory
    PRIMARY KEY (import_id, file_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX book_import_files_by_file ON book_import_files (file_id);

-- Statements, with the days they cover (docs/import.md, Covered days).
CREATE TABLE book_statements (
    id            INTEGER PRIMARY KEY,
    org_id        INTEGER NOT NULL REFERENCES organizations(id),
    file_id       INTEGER NOT NULL REFERENCES book_files(id),
    account_id    INTEGER NOT NULL REFERENCES book_accounts(id) DEFERRABLE INITIALLY DEFERRED,
    first_day     INTEGER NOT NULL, -- days since 1900-01-01, as all days
    last_day      INTEGER NOT NULL,
    opening_minor INTEGER,
    opening_day   INTEGER NOT NULL,
    closing_minor INTEGER,
    closing_day   INTEGER NOT NULL,
    lines         INTEGER NOT NULL, -- booked lines
    inflow_minor  INTEGER NOT NULL,
    outflow_minor INTEGER NOT NULL,
    pending_lines INTEGER NOT NULL,
    pending_minor INTEGER NOT NULL
) STRICT;
CREATE INDEX book_statements_by_file ON book_statements (file_id);
CREATE INDEX book_statements_by_account ON book_statements (account_id);

CREATE TABLE book_lines (
    id                INTEGER PRIMARY KEY,
    org_id            INTEGER NOT NULL REFERENCES organizations(id),
    statement_id      INTEGER NOT NULL REFERENCES book_statements(id),
    place             INTEGER NOT NULL,
    day               INTEGER NOT NULL,
    value_day         INTEGER NOT NULL, -- 0 if the file has none
    minor             INTEGER NOT NULL, -- negative for money out
    pending           INTEGER NOT NULL,
    transfer          INTEGER NOT NULL, -- by the bank's code
    bank_id           TEXT    NOT NULL,
    counterparty      TEXT    NOT NULL,
    other_account     TEXT    NOT NULL,
    description       TEXT    NOT NULL,
    reference         TEXT    NOT NULL,
    method            TEXT    NOT NULL,
    original_currency TEXT    NOT NULL,
    original_minor    INTEGER NOT NULL,
    original_rate     TEXT    NOT NULL,
    raw               TEXT    NOT NULL  -- the line as the file has it
) STRICT;
CREATE INDEX book_lines_by_statement ON book_lines (statement_id, day);

-- Lists of open invoices. Of each source the list of the latest day counts.
CREATE TABLE book_open_lists (
    id        INTEGER PRIMARY KEY,
    org_id    INTEGER NOT NULL REFERENCES organizations(id),
    file_id   INTEGER NOT NULL REFERENCES book_files(id),
    source    TEXT    NOT NULL,
    as_of_day INTEGER NOT NULL
) STRICT;
CREATE INDEX book_open_lists_by_file ON book_open_lists (file_id);

CREATE TABLE book_open_items (
    id         INTEGER PRIMARY KEY,
    org_id     INTEGER NOT NULL REFERENCES organizations(id),
    list_id    INTEGER NOT NULL REFERENCES book_open_lists(id),
    place      INTEGER NOT NULL,
    number     TEXT    NOT NULL,
    customer   TEXT    NOT NULL,
    issued_day INTEGER NOT NULL, -- 0 if unknown
    due_day    INTEGER NOT NULL, -- 0 if unknown
    currency   TEXT    NOT NULL,
    minor      INTEGER NOT NULL  -- negative for credits
) STRICT;
CREATE INDEX book_open_items_by_list ON book_open_items (list_id);

-- One unit of a currency is worth numerator/denominator US dollars.
CREATE TABLE book_rates (
    org_id      INTEGER NOT NULL REFERENCES organizations(id),
    file_id     INTEGER NOT NULL REFERENCES book_files(id),
    currency    TEXT    NOT NULL,
    day         INTEGER NOT NULL,
    numerator   INTEGER NOT NULL,
    denominator INTEGER NOT NULL,
    PRIMARY KEY (org_id, currency, day, file_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX book_rates_by_file ON book_rates (file_id);

-- What a person decided where files cannot: equal lines at the end of a file, proposed
-- transfers, large inflows, residuals.
CREATE TABLE book_answers (
    id       INTEGER PRIMARY KEY,
    org_id   INTEGER NOT NULL REFERENCES organizations(id),
    question TEXT    NOT NULL,
    answer   TEXT    NOT NULL,
    UNIQUE (org_id, question)
) STRICT;

-- Digests of the transactions that were derived for each day, to tell which days a change of the
-- books concerns.
CREATE TABLE book_days (
    org_id INTEGER NOT NULL REFERENCES organizations(id),
    day    INTEGER NOT NULL,
    digest BLOB    NOT NULL,
    PRIMARY KEY (org_id, day)
) STRICT, WITHOUT ROWID;
