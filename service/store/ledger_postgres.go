package store

import (
	"strings"
	"unicode"

	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// fromWide selects a filter's rows from PostgreSQL's one table of the ledger. A
// keyword that is frequent is kept from the search index, whose hits would all be
// sorted for each page.
func (q *selection) fromWide(f ledger.Filter, frequent bool, first, last int64) {
	q.from = "transactions t"
	q.and("t.id BETWEEN ? AND ?", first, last)
	if f.Direction != nil {
		q.and("t.direction = ?", int64(*f.Direction))
	}
	switch {
	case f.Keyword == "":
	case !database.CanHoldText(f.Keyword):
		q.and("false")
	case wordy(f.Keyword) && !frequent:
		q.and("t.search_text LIKE ?", "%"+likeEscapes.Replace(f.Keyword)+"%")
	default:
		q.and("strpos(t.search_text, ?) > 0", f.Keyword)
	}
}

// frequent reports whether a page of the keyword's hits is full sooner by going back
// from the newest row than by sorting the hits. PostgreSQL goes by how frequent a word
// is with all organizations, which says little of one.
func (s *Snapshot) frequent(org OrgKey, f ledger.Filter, sum total) (bool, error) {
	if s.db.Dialect == database.SQLite || f.Keyword == "" || sum.Count < s.growth.worth {
		return false, nil
	}
	// Rows are counted and not added up: what all of them add up to may not fit.
	days, err := s.daysAt(org, sum)
	rows := between(org, days, sum.oldest, sum.newest)
	// A page of a hundred looks at a hundred times as many rows as there are for a hit.
	return float64(sum.Count)*float64(sum.Count) > 100*float64(rows), err
}

var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// wordy reports whether PostgreSQL's index of three-letter parts knows something of
// a keyword. It holds letters and digits only; with anything else the whole index
// would be gone through, which takes longer than the rows do.
func wordy(keyword string) bool {
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

// wideSums are a total's columns over rows.
const wideSums = `count(*), CAST(coalesce(sum(CASE WHEN t.direction = 1 THEN t.usd_cents ELSE 0 END), 0) AS BIGINT),
	CAST(coalesce(sum(CASE WHEN t.direction = 0 THEN t.usd_cents ELSE 0 END), 0) AS BIGINT),
	count(*) FILTER (WHERE t.usd_known = 0), coalesce(min(t.id), 0), coalesce(max(t.id), 0)`

// columns are rows of the ledger as PostgreSQL takes many at once.
type columns struct {
	keys, directions, sources, amounts, amountsKnown, cents, centsKnown, receipts []int64
	ids, currencies, counterparties, categories, logos, memos, methods            []string
	references, texts                                                             []string
}

func (c *columns) add(key int64, t *ledger.Transaction, text string) {
	c.keys, c.ids = append(c.keys, key), append(c.ids, t.ID[len(ids.Transaction):])
	c.directions, c.sources = append(c.directions, int64(t.Direction)), append(c.sources, int64(t.Source))
	c.amounts, c.amountsKnown = append(c.amounts, t.AmountMinor), append(c.amountsKnown, bit(t.AmountKnown))
	c.cents, c.centsKnown = append(c.cents, t.USDCents), append(c.centsKnown, bit(t.USDKnown))
	c.receipts, c.currencies = append(c.receipts, bit(t.HasReceipt)), append(c.currencies, t.Currency)
	c.counterparties, c.categories = append(c.counterparties, t.Counterparty), append(c.categories, t.Category)
	c.logos, c.memos = append(c.logos, t.LogoURL), append(c.memos, t.Memo)
	c.methods, c.references = append(c.methods, t.Method), append(c.references, t.Reference)
	c.texts = append(c.texts, text)
}

// mostColumns is how many rows one statement inserts.
const mostColumns = 1000

// insertColumns adds the rows, in one statement.
func (tx *Tx) insertColumns(c *columns) error {
	if len(c.keys) == 0 {
		return nil
	}
	_, err := tx.db.Exec(`INSERT INTO transactions (id, public_id, direction, source, amount_minor, amount_known, usd_cents, usd_known,
			has_receipt, currency, counterparty, category, logo_url, memo, method, reference, search_text)
		SELECT * FROM unnest(?::bigint[], ?::text[], ?::smallint[], ?::smallint[], ?::bigint[], ?::smallint[], ?::bigint[], ?::smallint[],
			?::smallint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])`,
		c.keys, c.ids, c.directions, c.sources, c.amounts, c.amountsKnown, c.cents, c.centsKnown,
		c.receipts, c.currencies, c.counterparties, c.categories, c.logos, c.memos, c.methods, c.references, c.texts)
	return err
}
