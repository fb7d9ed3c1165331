-- +goose Up

-- The currency in which an organization with own books reports. All columns here are empty where it
-- is USD, and in rows that a version writes which does not know them: they are unknown amounts then.
ALTER TABLE organizations ADD COLUMN reporting_currency TEXT NOT NULL DEFAULT 'USD';
-- What the owner has decided; NULL if the currency follows from the oldest import.
ALTER TABLE organizations ADD COLUMN reporting_chosen TEXT;

ALTER TABLE transactions ADD COLUMN reporting_minor BIGINT; -- NULL: unknown
ALTER TABLE ledger_daily ADD COLUMN reporting_minor BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger_daily ADD COLUMN reporting_n BIGINT NOT NULL DEFAULT 0; -- transactions in reporting_minor

-- organizations.text_sums_rewritten is -1 - ledger_rewritten if ledger_text_sums has sums in the
-- reporting currency.

ALTER TABLE imported_receivables ADD COLUMN reporting_minor BIGINT; -- NULL: unknown

ALTER TABLE book_cash ADD COLUMN reporting_note TEXT NOT NULL DEFAULT '';
ALTER TABLE book_cash ADD COLUMN reporting_unknown TEXT NOT NULL DEFAULT '';
ALTER TABLE book_cash_shares ADD COLUMN reporting_available BIGINT; -- these are NULL together
ALTER TABLE book_cash_shares ADD COLUMN reporting_pending BIGINT;
ALTER TABLE book_cash_shares ADD COLUMN reporting_holding BIGINT;
ALTER TABLE book_questions ADD COLUMN reporting_flows TEXT NOT NULL DEFAULT '';
-- The currency of reports if this is the oldest import; NULL for that of most of its lines.
ALTER TABLE book_imports ADD COLUMN reporting TEXT;
