-- +goose Up

-- What says the days of a statement: 'statement' for the file, 'covers' for the user, 'lines' for
-- the first and last line; '' in rows of versions that do not know it.
ALTER TABLE book_statements ADD COLUMN period TEXT NOT NULL DEFAULT '';
-- The day on which the file was made, at the latest; 0 if unknown.
ALTER TABLE book_import_files ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
-- Days of accounts that are known by weaker evidence than statements, as JSON.
ALTER TABLE book_cash ADD COLUMN assumed TEXT NOT NULL DEFAULT '';
