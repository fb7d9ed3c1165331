-- +goose Up

-- Sums of a day's transactions by the pattern of their search text. They are derived from the table
-- transactions, and are filled after it. No days need to be here.
CREATE TABLE ledger_text_sums (
    id      BIGINT PRIMARY KEY, -- key of the day's transaction number 0, which does not exist
    n       BIGINT NOT NULL, -- the sums are of the day's first n transactions
    entries BYTEA -- one for each pattern; NULL if there are too many
);

-- ledger_rewritten when all sums were right. Versions that do not know the sums change that alone.
ALTER TABLE organizations ADD COLUMN text_sums_rewritten BIGINT NOT NULL DEFAULT 0;
UPDATE organizations SET text_sums_rewritten = ledger_rewritten;
