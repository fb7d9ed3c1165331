-- +goose Up

-- Grows whenever a transaction changes own books (tables book_* and connections).
ALTER TABLE organizations ADD COLUMN books_revision BIGINT NOT NULL DEFAULT 0;
