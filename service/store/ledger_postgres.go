package store

import (
	"database/sql"
	"strings"
	"unicode"

	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// selectPostgres makes q select the rows that match a filter from PostgreSQL's table transactions,
// under the alias t. For a frequent keyword it scans rows instead of using the search index: with
// the index, PostgreSQL would sort all matching rows for each page.
func (q *selectQuery) selectPostgres(f ledger.Filter, frequent bool, first, last int64) {
	q.from = "transactions t"
	q.where("t.id BETWEEN ? AND ?", first, last)
	if f.Direction != nil {
		q.where("t.direction = ?", int64(*f.Direction))
	}
	switch {
	case f.Keyword == "":
	case !database.CanHoldText(f.Keyword):
		q.where("false")
	case hasTrigram(f.Keyword) && !frequent:
		q.where("t.search_text LIKE ?", "%"+likeEscapes.Replace(f.Keyword)+"%")
	default:
		q.where("strpos(t.search_text, ?) > 0", f.Keyword)
	}
}

// isFrequent reports whether a keyword is so frequent that scanning from the newest row fills a
// page sooner than sorting all matches. PostgreSQL's planner cannot decide that, because it knows
// the frequency of words only for all organizations together.
func (s *Snapshot) isFrequent(org OrgKey, f ledger.Filter, summary partialSummary) (bool, error) {
	if s.db.Dialect == database.SQLite || f.Keyword == "" || summary.Count < s.history.minTracked {
		return false, nil
	}
	// The rows are counted by day, because a summary of all rows could overflow.
	days, err := s.dayCountsAt(org, summary)
	rows := countRows(ledgerOfKey(summary.newest), days, summary.oldest, summary.newest)
	// To fill a page of 100, a scan reads about 100 × rows ÷ matches rows. Sorting reads all
	// matches.
	return float64(summary.Count)*float64(summary.Count) > 100*float64(rows), err
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// hasTrigram reports whether PostgreSQL's trigram index can find a keyword, because it has three
// letters or digits in a row. For other keywords PostgreSQL would read the whole index, which is
// slower than scanning the rows.
func hasTrigram(keyword string) bool {
	run := 0
	for _, r := range keyword {
		run++
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			run = 0
		}
		if run == trigram {
			return true
		}
	}
	return false
}

// postgresColumns computes the fields of a partialSummary in US dollars from rows of the table
// transactions, with the alias t.
const postgresColumns = `count(*),
	CAST(coalesce(sum(CASE WHEN t.direction = 1 THEN t.usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN t.direction = 0 THEN t.usd_cents ELSE 0 END), 0) AS BIGINT),
	count(*) FILTER (WHERE t.usd_known = 0), coalesce(min(t.id), 0), coalesce(max(t.id), 0)`

// rowBatch holds transactions that one SQL statement inserts on PostgreSQL, as a slice for each
// column.
type rowBatch struct {
	reporting []sql.NullInt64

	keys, directions, sources, amounts, amountsKnown, cents, centsKnown, receipts []int64
	ids, currencies, counterparties, categories, logos, memos, methods            []string
	references, texts                                                             []string
}

func (b *rowBatch) add(key int64, t *ledger.Transaction, text string) {
	b.keys, b.ids = append(b.keys, key), append(b.ids, t.ID[len(ids.Transaction):])
	b.directions, b.sources = append(b.directions, int64(t.Direction)), append(b.sources, int64(t.Source))
	b.amounts, b.amountsKnown = append(b.amounts, t.AmountMinor), append(b.amountsKnown, bit(t.AmountKnown))
	b.cents, b.centsKnown = append(b.cents, t.USDCents), append(b.centsKnown, bit(t.USDKnown))
	b.receipts, b.currencies = append(b.receipts, bit(t.HasReceipt)), append(b.currencies, t.Currency)
	b.counterparties, b.categories = append(b.counterparties, t.Counterparty), append(b.categories, t.Category)
	b.logos, b.memos = append(b.logos, t.LogoURL), append(b.memos, t.Memo)
	b.methods, b.references = append(b.methods, t.Method), append(b.references, t.Reference)
	b.texts, b.reporting = append(b.texts, text), append(b.reporting, reportingMinor(t))
}

// maxBatchRows is the largest number of rows that one SQL statement inserts.
const maxBatchRows = 1000

func (tx *Tx) insertBatch(b *rowBatch) error {
	if len(b.keys) == 0 {
		return nil
	}
	_, err := tx.db.Exec(`INSERT INTO transactions (id, public_id, direction, source, amount_minor, amount_known,
			usd_cents, usd_known, has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text,
			reporting_minor)
		SELECT * FROM unnest(?::bigint[], ?::text[], ?::smallint[], ?::smallint[], ?::bigint[], ?::smallint[],
			?::bigint[], ?::smallint[], ?::smallint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
			?::text[], ?::text[], ?::bigint[])`,
		b.keys, b.ids, b.directions, b.sources, b.amounts, b.amountsKnown, b.cents, b.centsKnown, b.receipts,
		b.currencies, b.counterparties, b.categories, b.logos, b.memos, b.methods, b.references, b.texts, b.reporting)
	return err
}
