-- +goose Up

-- What the last derivation of the books found out about an account. It is right while the books have
-- the digest; it follows from the other tables, and need not be there.
CREATE TABLE book_proofs (
    org_id         INTEGER NOT NULL REFERENCES organizations(id),
    account_id     INTEGER NOT NULL, -- of an account that may not exist any more
    digest         BLOB    NOT NULL,
    residual_minor INTEGER NOT NULL, -- missing between balances; 0 if the lines add up
    contradiction  TEXT    NOT NULL, -- says what is missing, '' if nothing is
    unrated_day    INTEGER NOT NULL, -- day of a balance in another currency than USD; 0 if there is none
    PRIMARY KEY (org_id, account_id)
) STRICT, WITHOUT ROWID;
