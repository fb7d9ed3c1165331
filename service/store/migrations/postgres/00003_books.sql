-- +goose Up

-- The ledger's revision when transactions were last changed or removed. A cached summary of an
-- earlier revision cannot be updated with the transactions that were added since.
ALTER TABLE organizations ADD COLUMN ledger_rewritten BIGINT NOT NULL DEFAULT 0;
