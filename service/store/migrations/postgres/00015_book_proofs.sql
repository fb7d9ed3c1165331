-- +goose Up

-- What the last derivation of the books found out about an account. It is right while the books have
-- the digest; it follows from the other tables, and need not be there.
CREATE TABLE book_proofs (
    org_id         BIGINT NOT NULL REFERENCES organizations(id),
    account_id     BIGINT NOT NULL, -- of an account that may not exist any more
    digest         BYTEA  NOT NULL,
    residual_minor BIGINT NOT NULL, -- missing between balances; 0 if the lines add up
    contradiction  TEXT   NOT NULL, -- says what is missing, '' if nothing is
    unrated_day    BIGINT NOT NULL, -- day of a balance in another currency than USD; 0 if there is none
    PRIMARY KEY (org_id, account_id)
);
