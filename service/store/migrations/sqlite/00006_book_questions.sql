-- +goose Up

-- Questions about own books that nobody has answered yet. They follow from the other tables, and
-- are kept for the cash position, which names those that concern burn.
CREATE TABLE book_questions (
    org_id   INTEGER NOT NULL REFERENCES organizations(id),
    question TEXT    NOT NULL, -- as in book_answers
    kind     TEXT    NOT NULL,
    day      INTEGER NOT NULL, -- days since 1900-01-01
    text     TEXT    NOT NULL,
    PRIMARY KEY (org_id, question)
) STRICT, WITHOUT ROWID;

-- Imported payments that paid invoices of the organization itself, so that none is applied twice.
CREATE TABLE book_invoice_payments (
    org_id         INTEGER NOT NULL REFERENCES organizations(id),
    invoice_id     TEXT    NOT NULL, -- public id
    transaction_id TEXT    NOT NULL, -- public id
    minor          INTEGER NOT NULL, -- in the invoice's currency
    booked         INTEGER NOT NULL, -- 0 if the transaction's import was undone
    PRIMARY KEY (org_id, invoice_id, transaction_id)
) STRICT, WITHOUT ROWID;
