-- +goose Up

-- 1 if lines of the day or of earlier days were listed or removed after the balance was read.
ALTER TABLE book_feed_balances ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
