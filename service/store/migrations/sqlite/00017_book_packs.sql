-- +goose Up

-- What the derivation of the books needs of the booked lines of an account in a file, packed, by
-- month. It follows from the other tables, and need not be there.
CREATE TABLE book_packs (
    id         INTEGER PRIMARY KEY,
    org_id     INTEGER NOT NULL REFERENCES organizations(id),
    file_id    INTEGER NOT NULL REFERENCES book_files(id) ON DELETE CASCADE,
    account_id INTEGER NOT NULL,
    month      INTEGER NOT NULL, -- its first day; 0 for the digest of what all months follow from
    pack       BLOB, -- NULL if the lines of the month have changed
    UNIQUE (account_id, file_id, month)
) STRICT;
CREATE INDEX book_packs_by_file ON book_packs (file_id);
