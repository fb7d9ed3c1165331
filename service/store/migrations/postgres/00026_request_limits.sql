-- +goose Up

-- Requests a minute that all tokens and keys of an organization may make together; NULL for no
-- limit of its own.
ALTER TABLE organizations ADD COLUMN requests_per_minute INTEGER;
