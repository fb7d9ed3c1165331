-- +goose Up

-- The balance of the account in its own currency; NULL in rows of versions that do not know it.
ALTER TABLE book_cash_shares ADD COLUMN balance_minor BIGINT;
ALTER TABLE book_cash_shares ADD COLUMN balance_day BIGINT;
-- 1 if the cash leaves the account out, because it has no exchange rate.
ALTER TABLE book_cash_shares ADD COLUMN unrated SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE book_cash_shares ADD COLUMN reporting_unrated SMALLINT NOT NULL DEFAULT 0;

-- Until now only the note said it.
UPDATE book_cash_shares SET
    unrated = (SELECT count(*) FROM book_cash c WHERE c.org_id = book_cash_shares.org_id
        AND strpos(c.note, label || ' in ' || currency) > 0),
    reporting_unrated = (SELECT count(*) FROM book_cash c WHERE c.org_id = book_cash_shares.org_id
        AND strpos(c.reporting_note, label || ' in ' || currency) > 0);
