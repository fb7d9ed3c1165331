-- +goose Up

-- The transactions that burn leaves out until the question is answered: day and US cents, separated
-- by a colon, negative for money out. They are separated by spaces.
ALTER TABLE book_questions ADD COLUMN flows TEXT NOT NULL DEFAULT '';
