package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/internal/fold"
	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

const (
	maxTransactions     = 200
	defaultTransactions = 100
	maxKeyword          = 200
)

// transactionPage is a page of transactions (docs/api.md, Transaction list). It writes its own JSON
// because it is the API's largest and most frequent response. The bytes are those that
// encoding/json writes if it does not escape HTML.
type transactionPage struct {
	rows []ledger.Transaction
	// extension has an annotation for each row. It is nil if the client doesn't ask for it.
	extension []bookkeeping.Annotation
	next      string
	summary   ledger.Summary
	currency  string // as in ledger.Filter
}

func (p transactionPage) appendJSON(b []byte) []byte {
	b = append(b, `{"data":[`...)
	for i := range p.rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendTransaction(b, &p.rows[i], p.currency)
		if p.extension != nil {
			b = appendAnnotation(b, &p.extension[i])
		}
	}
	b = append(b, ']')
	b = appendField(b, "next_cursor", p.next)
	b = append(b, `,"summary":{"count":`...)
	b = appendDigits(b, p.summary.Count)
	if p.currency == "" {
		b = appendInt(b, "inflow_usd_cents", p.summary.Inflow)
		b = appendInt(b, "outflow_usd_cents", p.summary.Outflow)
		b = appendInt(b, "net_usd_cents", p.summary.Net())
	} else {
		b = appendField(b, "currency", p.currency)
		b = appendInt(b, "inflow_cents", p.summary.Inflow)
		b = appendInt(b, "outflow_cents", p.summary.Outflow)
		b = appendInt(b, "net_cents", p.summary.Net())
	}
	b = appendInt(b, "unconverted_count", p.summary.Unconverted)
	return append(b, "}}"...)
}

type transactionResponse struct {
	row       *ledger.Transaction
	currency  string                  // as in ledger.Filter
	extension *bookkeeping.Annotation // nil if the client doesn't ask for the extension
}

func (a transactionResponse) appendJSON(b []byte) []byte {
	b = appendTransaction(b, a.row, a.currency)
	if a.currency != "" { // in a list, the summary names it
		b = append(appendField(b[:len(b)-1], "reporting_currency", a.currency), '}')
	}
	if a.extension != nil {
		b = appendAnnotation(b, a.extension)
	}
	return b
}

// appendAnnotation adds the extension to the transaction at the end of b. Texts that aren't known
// are left out.
func appendAnnotation(b []byte, a *bookkeeping.Annotation) []byte {
	b = append(appendKey(b[:len(b)-1], "extension"), '{')
	begin := len(b)
	for _, text := range [...]struct{ name, value string }{
		{"category", a.Category}, {"kind", a.Kind}, {"account", a.Account},
	} {
		if text.value != "" {
			b = appendField(b, text.name, text.value)
		}
	}
	if a.Evidence.Code != "" {
		b = append(appendKey(b, "evidence"), `[{"code":`...)
		b = append(appendString(b, string(a.Evidence.Code)), `,"data":{`...)
		if a.Evidence.Account != "" {
			b = appendString(append(b, `"account":`...), a.Evidence.Account)
		}
		b = append(b, "}}]"...)
	}
	if len(b) > begin {
		b = slices.Delete(b, begin, begin+1) // the comma before the first member
	}
	return append(b, "}}"...)
}

// appendTransaction appends a transaction as JSON (docs/api.md, Transaction). Empty optional fields
// are omitted. The category is always omitted. The amount in the reporting currency is part of
// answers in it alone.
func appendTransaction(b []byte, t *ledger.Transaction, currency string) []byte {
	b = append(b, `{"id":`...)
	b = appendString(b, t.ID)
	b = appendInt(b, "amount_cents", t.AmountMinor)
	b = appendBool(b, "amount_known", t.AmountKnown)
	b = appendInt(b, "amount_usd_cents", t.USDCents)
	b = appendBool(b, "usd_known", t.USDKnown)
	if currency != "" {
		b = appendInt(b, "reporting_cents", t.ReportingMinor)
		b = appendBool(b, "reporting_known", t.ReportingKnown)
	}
	b = appendField(b, "currency", t.Currency)
	b = appendField(b, "direction", t.Direction.String())
	b = appendDate(b, "date", t.Date)
	b = appendField(b, "counterparty_name", t.Counterparty)
	b = appendBool(b, "has_receipt", t.HasReceipt)
	b = appendField(b, "source", t.Source.String())
	b = appendField(b, "source_label", t.Source.Label())
	for _, optional := range [...]struct{ name, value string }{
		{"logo_url", t.LogoURL}, {"memo", t.Memo}, {"method", t.Method}, {"reference", t.Reference},
	} {
		if optional.value != "" {
			b = appendField(b, optional.name, optional.value)
		}
	}
	return append(b, '}')
}

// listTransactions responds with a page of transactions and a summary of all transactions that
// match the filter. Both are read in the same snapshot.
func listTransactions(c *call, currency string) (any, error) {
	values, err := c.query("direction", "from", "to", "keyword", "limit", "cursor")
	if err != nil {
		return nil, err
	}
	filter, err := transactionFilter(values)
	if err != nil {
		return nil, err
	}
	filter.Currency = currency
	size, err := pageSize(values, maxTransactions, defaultTransactions)
	if err != nil {
		return nil, err
	}
	var after *ledger.Position
	if values.Has("cursor") {
		position, err := c.api.Cursors.Decode(c.credential.OrgPublicID, filter, values.Get("cursor"))
		if err != nil {
			return nil, invalid("cursor is not valid for this query")
		}
		after = &position
	}
	// The revisions were read together with the token, during this request. A cached page of these
	// revisions is therefore up to date.
	key := newPageKey(c.credential.Org, filter, after, size)
	revision := pageRevision{ledger: c.credential.LedgerRevision}
	if key.extended = c.extended(); key.extended {
		revision.books = c.credential.BooksRevision
	}
	if cached := c.api.pageCache.get(key, revision); cached != nil {
		return customResponse{status: http.StatusOK, raw: cached}, nil
	}
	page, summary, err := c.api.Store.Listing(c.ctx, c.credential.Org, filter, after, size)
	if err != nil {
		return nil, err
	}
	response := transactionPage{rows: page.Rows, summary: summary, currency: currency}
	if page.Next != nil {
		response.next = c.api.Cursors.Encode(c.credential.OrgPublicID, filter, *page.Next)
	}
	if key.extended {
		err = c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
			response.extension, err = bookkeeping.Annotations(snap, c.credential.Org, page.Rows)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	body, err := encodeJSON(response)
	if err != nil {
		return nil, err
	}
	revision.ledger = page.Revision
	c.api.pageCache.set(key, revision, body)
	return customResponse{status: http.StatusOK, raw: body}, nil
}

func transactionFilter(values url.Values) (f ledger.Filter, err error) {
	if values.Has("direction") {
		d, ok := ledger.ParseDirection(values.Get("direction"))
		if !ok {
			return f, invalid("direction must be inflow or outflow")
		}
		f.Direction = &d
	}
	if f.From, err = date(values, "from"); err != nil {
		return f, err
	}
	if f.To, err = date(values, "to"); err != nil {
		return f, err
	}
	if !f.From.IsZero() && !f.To.IsZero() && f.From.After(f.To) {
		return f, invalid("from must not be after to")
	}
	if values.Has("keyword") {
		f.Keyword, err = keyword(values.Get("keyword"))
	}
	return f, err
}

// keyword checks a search text and folds it like the texts that the ledger searches (package fold).
func keyword(given string) (string, error) {
	given = strings.TrimSpace(given)
	if n := utf8.RuneCountInString(given); n < 1 || n > maxKeyword {
		return "", invalid("keyword must have 1 to %d characters", maxKeyword)
	}
	if strings.ContainsFunc(given, unicode.IsControl) {
		return "", invalid("keyword must not contain control characters")
	}
	folded := fold.String(given)
	if folded == "" {
		return "", invalid("keyword must have a character that can be seen")
	}
	return folded, nil
}

func getTransaction(c *call, currency string) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	response := transactionResponse{currency: currency}
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) error {
		if err := snap.CheckCurrency(c.credential.Org, currency); err != nil {
			return err
		}
		row, err := snap.Transaction(c.credential.Org, c.pathParam)
		if response.row = &row; err != nil || !c.extended() {
			return err
		}
		annotations, err := bookkeeping.Annotations(snap, c.credential.Org, []ledger.Transaction{row})
		if err == nil {
			response.extension = &annotations[0]
		}
		return err
	})
	if err != nil {
		return nil, lookupError(err, "transaction")
	}
	return response, nil
}
