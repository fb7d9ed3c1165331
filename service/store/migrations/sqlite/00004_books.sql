-- +goose Up

-- The ledger's revision when transactions were last changed or removed. Totals of earlier
-- revisions cannot be continued with the transactions that were added since.
ALTER TABLE organizations ADD COLUMN ledger_rewritten INTEGER NOT NULL DEFAULT 0;
