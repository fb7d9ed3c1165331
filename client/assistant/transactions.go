package assistant

import (
	"context"
	"errors"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/internal/civil"
)

// Maximum numbers of rows in one answer. MaxTransactions and MaxInvoices are below the limits of
// the API, so that an answer stays small.
const (
	MaxTransactions = 100
	MaxInvoices     = 100
	MaxEvents       = 100
	DefaultRows     = 25
)

// TransactionsInput selects transactions. Empty fields select all.
type TransactionsInput struct {
	Period    string `json:"period,omitempty" jsonschema:"last month, 2026-05, q2, ytd, 90d or 2026-01-15..2026-02-28"`
	Direction string `json:"direction,omitempty" jsonschema:"inflow or outflow"`
	Search    string `json:"search,omitempty" jsonschema:"text in counterparty, memo, reference or category"`
	Limit     int    `json:"limit,omitempty" jsonschema:"most rows to return; totals cover all matching rows"`
	Cursor    string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous answer; repeat the other arguments"`
}

// Transactions are rows of the ledger, newest first, and the totals of all matching rows.
type Transactions struct {
	FirstDay   *string       `json:"first_day" jsonschema:"first day of the period; null if not limited"`
	LastDay    *string       `json:"last_day" jsonschema:"last day of the period; null if not limited"`
	Count      int64         `json:"count" jsonschema:"number of all matching transactions"`
	MoneyIn    Amount        `json:"money_in"`
	MoneyOut   Amount        `json:"money_out"`
	Net        Amount        `json:"net"`
	Rows       []Transaction `json:"rows"`
	NextCursor *string       `json:"next_cursor" jsonschema:"null on the last page"`
	Note       string        `json:"note,omitempty"`
}

// Transaction is a row of the ledger.
type Transaction struct {
	ID           string     `json:"id"`
	Date         string     `json:"date"`
	Direction    string     `json:"direction"`
	Amount       Amount     `json:"amount" jsonschema:"never negative"`
	USD          *Amount    `json:"usd,omitempty" jsonschema:"in US dollars, if the currency is another one"`
	Counterparty Untrusted  `json:"counterparty"`
	Memo         *Untrusted `json:"memo,omitempty"`
	Reference    *Untrusted `json:"reference,omitempty"`
	Category     *Untrusted `json:"category,omitempty" jsonschema:"by a rule of own books"`
	Evidence     string     `json:"evidence,omitempty" jsonschema:"code that says why it is own money or financing"`
	Source       string     `json:"source"`
	HasReceipt   bool       `json:"has_receipt"`
}

// GetTransactions returns the newest transactions that in selects. today is the current day in UTC.
func GetTransactions(
	ctx context.Context, source Source, today civil.Date, in TransactionsInput,
) (*Transactions, error) {
	q, err := in.query(today)
	if err != nil {
		return nil, err
	}
	page, err := source.TransactionPage(ctx, q)
	if err != nil {
		return nil, err
	}
	flows := figures.FlowsOf(page.Summary, q.Direction)
	t := &Transactions{
		FirstDay: day(q.From), LastDay: day(q.To), Count: page.Summary.Count,
		MoneyIn: totalOf(flows.In), MoneyOut: totalOf(flows.Out), Net: totalOf(flows.Net),
		Rows: []Transaction{}, Note: unreadable(page.Data, "transaction"),
	}
	for _, row := range apiclient.Readable(page.Data) {
		t.Rows = append(t.Rows, transactionOf(row))
	}
	var ok bool
	if t.NextCursor, ok = cursorOf(page.NextCursor); !ok {
		t.Note = joinSentences(t.Note, noCursor)
	}
	return t, nil
}

// noCursor is the note of a page whose cursor cannot be passed on.
const noCursor = "There are more rows, but the server's cursor is not safe to pass on."

func (in *TransactionsInput) query(today civil.Date) (apiclient.TransactionQuery, error) {
	q := apiclient.TransactionQuery{
		Direction: apiclient.Direction(in.Direction), Keyword: in.Search, Limit: limitOf(in.Limit, MaxTransactions),
		Cursor: in.Cursor,
	}
	if in.Direction != "" && !q.Direction.Known() {
		return q, &InputError{Text: "direction must be inflow or outflow"}
	}
	if in.Period == "" {
		return q, nil
	}
	period, err := civil.ParsePeriod(in.Period, today)
	switch {
	case errors.Is(err, civil.ErrPeriod):
		return q, &InputError{Text: "period must be like 2026-01-31, 2026-05, q3, \"last month\", ytd or 90d"}
	case err != nil:
		return q, &InputError{Text: "period: " + err.Error()}
	}
	q.From, q.To = period.From, period.To
	return q, nil
}

// limitOf returns the number of rows to ask for. 0 means DefaultRows.
func limitOf(limit, most int) int {
	if limit <= 0 {
		return DefaultRows
	}
	return min(limit, most)
}

// day returns a date as text, or nil for the zero date.
func day(d civil.Date) *string {
	if d.IsZero() {
		return nil
	}
	text := d.String()
	return &text
}

func transactionOf(t apiclient.Transaction) Transaction {
	row := Transaction{
		ID: identifier(t.ID), Date: t.Date.String(), Direction: word(t.Direction), Amount: amountOf(t.Amount),
		Counterparty: untrusted(t.CounterpartyName), Memo: optionalUntrusted(t.Memo),
		Reference: optionalUntrusted(t.Reference), Category: optionalUntrusted(t.Category),
		Evidence: evidenceOf(t.Evidence),
		Source:   word(t.Source), HasReceipt: t.HasReceipt,
	}
	if row.Amount.Currency != t.USD.Currency() {
		usd := amountOf(t.USD)
		row.USD = &usd
	}
	return row
}

// evidenceOf returns the code of evidence, or "" for codes that this client doesn't know.
func evidenceOf(e apiclient.Evidence) string {
	if record.EvidenceSentence(e) == "" {
		return ""
	}
	return e.Code
}
