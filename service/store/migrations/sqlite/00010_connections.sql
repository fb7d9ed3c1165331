-- +goose Up

-- Connections to providers, which are read over the network.
CREATE TABLE connections (
    id             INTEGER PRIMARY KEY,
    org_id         INTEGER NOT NULL REFERENCES organizations(id),
    public_id      TEXT    NOT NULL UNIQUE,
    provider       TEXT    NOT NULL, -- 'mercury', 'simplefin', 'stripe'
    label          TEXT    NOT NULL, -- name that a person uses
    company        TEXT    NOT NULL DEFAULT '',
    secret         BLOB,             -- sealed credential; NULL while it is claimed and after removal
    state          TEXT    NOT NULL CHECK (state IN
                       ('claiming', 'choosing', 'ready', 'failing', 'asking', 'denied', 'removed')),
    created_at     INTEGER NOT NULL,
    last_success   INTEGER,
    last_try       INTEGER,
    next_try       INTEGER,
    wait_until     INTEGER, -- the provider must not be asked before this time
    failures       INTEGER NOT NULL DEFAULT 0, -- since the last success
    problem        TEXT    NOT NULL DEFAULT '',
    residual       TEXT    NOT NULL DEFAULT '', -- says which balances do not add up
    notices        TEXT    NOT NULL DEFAULT '', -- the provider's remarks, one a line
    lease_number   INTEGER NOT NULL DEFAULT 0, -- readings begun; only the last may record its outcome
    lease_until    INTEGER NOT NULL DEFAULT 0,
    history_day    INTEGER NOT NULL DEFAULT 0, -- first day that was read
    history_empty  INTEGER NOT NULL DEFAULT 0, -- windows without lines that were read last
    history_whole  INTEGER NOT NULL DEFAULT 0, -- 1 if no earlier days are to be read
    -- The live balance: one process at a time asks for it.
    live_until     INTEGER NOT NULL DEFAULT 0,
    live_retry     INTEGER NOT NULL DEFAULT 0, -- time before which the provider must not be asked again
    live_limited   INTEGER NOT NULL DEFAULT 0, -- 1 if the provider gave that time
    live_problem   TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX connections_by_org ON connections (org_id);
CREATE INDEX connections_due ON connections (next_try) WHERE next_try IS NOT NULL;

CREATE TABLE connection_accounts (
    id              INTEGER PRIMARY KEY,
    org_id          INTEGER NOT NULL REFERENCES organizations(id),
    connection_id   INTEGER NOT NULL REFERENCES connections(id),
    remote_id       TEXT    NOT NULL, -- the provider's id
    name            TEXT    NOT NULL,
    bank            TEXT    NOT NULL,
    number          TEXT    NOT NULL, -- as the provider gives it, or its last digits
    kind            INTEGER NOT NULL,
    currency        TEXT    NOT NULL,
    books_number    TEXT    NOT NULL, -- account number in the books; '' if the account is not taken
    taken           INTEGER NOT NULL,
    refused         TEXT    NOT NULL, -- why the account cannot be taken; '' if it can
    last_seen       INTEGER NOT NULL,
    missing_since   INTEGER,          -- when a reading first lacked the account
    pending_day     INTEGER NOT NULL DEFAULT 0, -- day of the oldest pending line
    current_minor   INTEGER,          -- NULL, like the next columns, if no balance was read
    available_minor INTEGER,
    balance_at      INTEGER,          -- time for which the provider states the balance
    balance_read    INTEGER,          -- time of the reading
    UNIQUE (connection_id, remote_id)
) STRICT;
CREATE INDEX connection_accounts_by_org ON connection_accounts (org_id);

-- Open invoices of providers, which are looked up when they are not open any more.
CREATE TABLE connection_invoices (
    org_id        INTEGER NOT NULL REFERENCES organizations(id),
    connection_id INTEGER NOT NULL REFERENCES connections(id),
    remote_id     TEXT    NOT NULL,
    PRIMARY KEY (connection_id, remote_id)
) STRICT, WITHOUT ROWID;

-- Requests of the last 24 hours to providers that limit them, each counted before it is sent.
CREATE TABLE connection_requests (
    id            INTEGER PRIMARY KEY,
    org_id        INTEGER NOT NULL REFERENCES organizations(id),
    connection_id INTEGER NOT NULL REFERENCES connections(id),
    sent_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX connection_requests_by_age ON connection_requests (connection_id, sent_at);
