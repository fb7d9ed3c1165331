-- +goose Up

-- Lists of bills are stored like lists of open invoices; book_open_items.customer is the vendor then.
ALTER TABLE book_open_lists ADD COLUMN side INTEGER NOT NULL DEFAULT 0; -- 1: bills of vendors

-- What the API answers about bills: computed from lists, payments, answers and marks.
CREATE TABLE imported_bills (
    id              INTEGER PRIMARY KEY,
    org_id          INTEGER NOT NULL REFERENCES organizations(id),
    number          TEXT    NOT NULL, -- empty if unknown
    vendor          TEXT    NOT NULL,
    currency        TEXT    NOT NULL,
    open_minor      INTEGER NOT NULL, -- 0 for paid ones
    usd_cents       INTEGER,          -- NULL: unknown
    reporting_minor INTEGER,          -- NULL: unknown
    issued_day      INTEGER,
    due_day         INTEGER,
    paid_day        INTEGER,
    paid_by         TEXT    NOT NULL, -- public id of the last payment; empty if unknown
    state           TEXT    NOT NULL, -- open, disputed or paid
    may_be_paid     INTEGER NOT NULL, -- 1: a question asks whether a payment pays it
    source          TEXT    NOT NULL
) STRICT;
CREATE INDEX imported_bills_by_org ON imported_bills (org_id);
