-- +goose Up

-- Readings of a connection to a provider are kept as one file, whose lines each reading replaces
-- for the days that it covers.
ALTER TABLE book_files ADD COLUMN connection TEXT NOT NULL DEFAULT ''; -- public id, '' for a file
ALTER TABLE book_files ADD COLUMN own_feed BIGINT NOT NULL DEFAULT 0; -- 1 if rows have the source svc
CREATE UNIQUE INDEX book_files_by_connection ON book_files (org_id, connection) WHERE connection <> '';

-- Balances in the readings of a connection: of each day the one that was read last.
CREATE TABLE book_feed_balances (
    org_id     BIGINT NOT NULL REFERENCES organizations(id),
    file_id    BIGINT NOT NULL REFERENCES book_files(id),
    account_id BIGINT NOT NULL REFERENCES book_accounts(id),
    day        BIGINT NOT NULL, -- days since 1900-01-01
    minor      BIGINT NOT NULL,
    PRIMARY KEY (file_id, account_id, day)
);

-- Invoices that were paid, in the readings of a connection.
CREATE TABLE book_paid_invoices (
    org_id      BIGINT NOT NULL REFERENCES organizations(id),
    file_id     BIGINT NOT NULL REFERENCES book_files(id),
    remote_id   TEXT   NOT NULL, -- the provider's id
    number      TEXT   NOT NULL,
    email       TEXT   NOT NULL, -- the customer's, '' if unknown
    currency    TEXT   NOT NULL,
    total_minor BIGINT NOT NULL,
    paid_day    BIGINT NOT NULL, -- 0 if unknown
    PRIMARY KEY (file_id, remote_id)
);
