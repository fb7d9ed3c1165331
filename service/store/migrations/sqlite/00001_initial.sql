-- +goose Up

-- Organizations. The integer id is internal: it is the first part of a ledger
-- row's key and never leaves the service.
CREATE TABLE organizations (
    id          INTEGER PRIMARY KEY,
    public_id   TEXT    NOT NULL UNIQUE,
    name        TEXT    NOT NULL,
    owner_name  TEXT,
    owner_email TEXT,
    created_at  INTEGER NOT NULL, -- microseconds since 1970, UTC, here and in every *_at
    -- the last numbers given, increased in the transaction that uses them
    invoice_sequence INTEGER NOT NULL DEFAULT 0,
    event_sequence   INTEGER NOT NULL DEFAULT 0,
    -- grows whenever the ledger changes; cached summaries are valid for one revision
    ledger_revision  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Bearer tokens. Only the SHA-256 hash of a secret is stored.
CREATE TABLE tokens (
    id           INTEGER PRIMARY KEY,
    public_id    TEXT    NOT NULL UNIQUE,
    org_id       INTEGER NOT NULL REFERENCES organizations(id),
    hash         BLOB    NOT NULL UNIQUE,
    last_four    TEXT    NOT NULL,
    scopes       TEXT    NOT NULL, -- blank-separated
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX tokens_by_org ON tokens (org_id);

-- Keys that all processes share and that survive restarts.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    key  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- The managed account. fault makes live reads of the balance fail.
CREATE TABLE accounts (
    org_id          INTEGER PRIMARY KEY REFERENCES organizations(id),
    status          TEXT    NOT NULL CHECK (status IN ('open', 'not_open')),
    available_cents INTEGER NOT NULL DEFAULT 0,
    holding_cents   INTEGER NOT NULL DEFAULT 0,
    locked_cents    INTEGER NOT NULL DEFAULT 0,
    pending_cents   INTEGER NOT NULL DEFAULT 0,
    synced_at       INTEGER,
    fault           INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE linked_accounts (
    id            INTEGER PRIMARY KEY,
    org_id        INTEGER NOT NULL REFERENCES organizations(id),
    name          TEXT    NOT NULL,
    currency      TEXT    NOT NULL,
    balance_minor INTEGER NOT NULL,
    usd_cents     INTEGER NOT NULL,
    usd_known     INTEGER NOT NULL,
    read_at       INTEGER NOT NULL,
    UNIQUE (org_id, name)
) STRICT;

-- The ledger. id is packed: organization (20 bits) | days since 1900-01-01 (17) | number within
-- the day (26). The table is stored in the order in which it is listed, and a range of dates is a
-- range of ids.
CREATE TABLE transactions (
    id           INTEGER PRIMARY KEY,
    public_id    TEXT    NOT NULL UNIQUE, -- without its prefix
    direction    INTEGER NOT NULL, -- 0 outflow, 1 inflow
    source       INTEGER NOT NULL, -- 0 svc, 1 linked_bank
    amount_minor INTEGER NOT NULL,
    amount_known INTEGER NOT NULL,
    usd_cents    INTEGER NOT NULL,
    usd_known    INTEGER NOT NULL,
    has_receipt  INTEGER NOT NULL,
    currency     TEXT    NOT NULL,
    counterparty TEXT    NOT NULL,
    category     TEXT    NOT NULL,
    logo_url     TEXT    NOT NULL,
    memo         TEXT    NOT NULL,
    method       TEXT    NOT NULL,
    reference    TEXT    NOT NULL,
    -- counterparty, memo, reference and category, case-folded
    search_text  TEXT    NOT NULL
) STRICT;

-- What the summary of a keyword needs of a row, in fifteen bytes: adding up rows from the wide
-- table would read ten times the pages. facts is usd_cents << 2 | direction << 1 | usd_known.
CREATE TABLE transaction_facts (
    id    INTEGER PRIMARY KEY,
    facts INTEGER NOT NULL
) STRICT;

-- The sums of each day, written in the transaction that writes the rows.
-- operating is 0 for internal transfers and financing.
CREATE TABLE ledger_daily (
    org_id      INTEGER NOT NULL,
    day         INTEGER NOT NULL, -- days since 1900-01-01
    direction   INTEGER NOT NULL,
    source      INTEGER NOT NULL,
    operating   INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    usd_cents   INTEGER NOT NULL,
    unconverted INTEGER NOT NULL,
    PRIMARY KEY (org_id, day, direction, source, operating)
) STRICT, WITHOUT ROWID;

-- The trigram index of search_text; the row id is the transaction's id.
CREATE VIRTUAL TABLE transaction_search USING fts5(
    search_text, content = '', columnsize = 0, tokenize = 'trigram case_sensitive 1'
);

CREATE TABLE invoices (
    id              INTEGER PRIMARY KEY,
    public_id       TEXT    NOT NULL UNIQUE,
    org_id          INTEGER NOT NULL REFERENCES organizations(id),
    sequence        INTEGER NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('draft', 'sent', 'paid', 'overdue', 'voided')),
    currency        TEXT    NOT NULL,
    description     TEXT    NOT NULL,
    recipient_name  TEXT    NOT NULL,
    recipient_email TEXT    NOT NULL,
    subtotal_cents  INTEGER NOT NULL,
    tax_cents       INTEGER NOT NULL,
    total_cents     INTEGER NOT NULL,
    paid_cents      INTEGER NOT NULL DEFAULT 0,
    due_day         INTEGER, -- days since 1900-01-01
    notes           TEXT    NOT NULL DEFAULT '',
    line_items      TEXT    NOT NULL, -- JSON
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    sent_at         INTEGER,
    paid_at         INTEGER,
    voided_at       INTEGER,
    UNIQUE (org_id, sequence)
) STRICT;
CREATE INDEX invoices_by_status ON invoices (org_id, status, sequence);

-- Open items that accounting systems reported.
CREATE TABLE imported_receivables (
    id            INTEGER PRIMARY KEY,
    org_id        INTEGER NOT NULL REFERENCES organizations(id),
    customer_key  TEXT    NOT NULL, -- the accounting system's own id of the customer
    customer_name TEXT    NOT NULL,
    currency      TEXT    NOT NULL,
    open_minor    INTEGER NOT NULL,
    usd_cents     INTEGER NOT NULL,
    usd_known     INTEGER NOT NULL,
    due_day       INTEGER
) STRICT;
CREATE INDEX imported_receivables_by_org ON imported_receivables (org_id);

CREATE TABLE payment_intents (
    id            INTEGER PRIMARY KEY,
    public_id     TEXT    NOT NULL UNIQUE,
    org_id        INTEGER NOT NULL REFERENCES organizations(id),
    status        TEXT    NOT NULL CHECK (status IN ('processing', 'held', 'completed', 'failed', 'canceled')),
    amount_cents  INTEGER NOT NULL,
    currency      TEXT    NOT NULL,
    direction     TEXT    NOT NULL,
    description   TEXT    NOT NULL,
    counterparty  TEXT    NOT NULL,
    status_reason TEXT    NOT NULL DEFAULT '',
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    held_at       INTEGER,
    completed_at  INTEGER,
    failed_at     INTEGER,
    canceled_at   INTEGER
) STRICT;
CREATE INDEX payment_intents_by_status ON payment_intents (org_id, status);

-- The event feed, in the order of commits.
CREATE TABLE events (
    org_id      INTEGER NOT NULL REFERENCES organizations(id),
    sequence    INTEGER NOT NULL,
    public_id   TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    occurred_at INTEGER NOT NULL,
    -- the latest occurred_at so far, which never decreases along the feed, so that
    -- the first event that can still be read is one index lookup
    reached_at  INTEGER NOT NULL,
    body        BLOB    NOT NULL, -- the envelope, byte for byte
    PRIMARY KEY (org_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX events_by_public_id ON events (public_id);
CREATE INDEX events_by_reach ON events (org_id, reached_at);
CREATE INDEX events_by_type ON events (org_id, type, sequence);
