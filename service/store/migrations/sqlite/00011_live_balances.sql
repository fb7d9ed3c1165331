-- +goose Up

-- When the balances of a connection were last read for an answer of the API.
ALTER TABLE connections ADD COLUMN live_read INTEGER NOT NULL DEFAULT 0;

-- What each account of the books adds to their cash. It follows from the other tables.
CREATE TABLE book_cash_shares (
    org_id          INTEGER NOT NULL REFERENCES organizations(id),
    identity        TEXT    NOT NULL, -- end of the account number, or name
    currency        TEXT    NOT NULL,
    label           TEXT    NOT NULL,
    available_cents INTEGER NOT NULL, -- USD
    pending_cents   INTEGER NOT NULL, -- USD
    last_day        INTEGER NOT NULL, -- last day of the statements, in days since 1900-01-01; 0 if none
    synced_at       INTEGER NOT NULL,
    PRIMARY KEY (org_id, identity, currency)
) STRICT, WITHOUT ROWID;
