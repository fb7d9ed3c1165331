-- +goose Up

-- How many drafts of invoices an organization may have, and how many bytes they may take; NULL for
-- the limit of organizations without their own.
ALTER TABLE organizations ADD COLUMN max_drafts INTEGER;
ALTER TABLE organizations ADD COLUMN max_draft_bytes BIGINT;
