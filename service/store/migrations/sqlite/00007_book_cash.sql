-- +goose Up

-- What a reader of the books' cash must know. It follows from the other tables.
CREATE TABLE book_cash (
    org_id  INTEGER PRIMARY KEY REFERENCES organizations(id),
    note    TEXT NOT NULL, -- dates of exchange rates, accounts that are left out
    unknown TEXT NOT NULL  -- why the cash is not known; '' if it is
) STRICT;
