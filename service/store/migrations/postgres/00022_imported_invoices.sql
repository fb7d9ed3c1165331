-- +goose Up

-- What reminders need: the numbers and days of imported invoices, and those that were paid.
ALTER TABLE imported_receivables ADD COLUMN number TEXT NOT NULL DEFAULT '';
ALTER TABLE imported_receivables ADD COLUMN issued_day BIGINT; -- days since 1900-01-01, as due_day
ALTER TABLE imported_receivables ADD COLUMN paid_day BIGINT; -- null while the invoice is open
