package apiclient

import (
	"context"
	"iter"
)

// Direction is which way money went; it carries the sign (docs/api.md, Transaction).
type Direction string

// The directions.
const (
	Inflow  Direction = "inflow"
	Outflow Direction = "outflow"
)

// Known reports whether d is one of the API's.
func (d Direction) Known() bool { return d == Inflow || d == Outflow }

// Source is the feed that a transaction came from (docs/api.md, Transaction).
type Source string

// The sources.
const (
	SourceService    Source = "svc"
	SourceLinkedBank Source = "linked_bank"
)

// Known reports whether s is one of the API's.
func (s Source) Known() bool { return s == SourceService || s == SourceLinkedBank }

// Transaction is a row of the ledger (docs/api.md, Transaction). Amounts are
// magnitudes; Direction carries the sign.
type Transaction struct {
	ID               string
	Date             Date // value date
	Direction        Direction
	Amount           Amount // in its own currency
	USD              Amount // converted; unknown ones are in no USD total
	CounterpartyName string // "(unknown)" where the server does not know
	HasReceipt       bool   // matched to an invoice or bill
	Source           Source
	SourceLabel      string
	LogoURL          string // this and the following: "" when not known
	Memo             string
	Method           string
	Reference        string
	// Unreadable is why all but the id, and the date where there is one, could not be
	// read; nil where it could. Only lists have such records.
	Unreadable *ContractError
}

// Summary is the totals over everything a query selects, not only the page
// (docs/api.md, Transaction totals). Rows without a USD amount are counted, not
// summed.
type Summary struct {
	Count            int64
	InflowUSDCents   int64
	OutflowUSDCents  int64
	NetUSDCents      int64
	UnconvertedCount int64
}

// TransactionQuery selects transactions (docs/api.md, Transaction list). What is
// zero is not asked for. Limit is 1 to 200, or 0 for the server's 100.
type TransactionQuery struct {
	Direction Direction
	From, To  Date   // both inclusive
	Keyword   string // in counterparty, memo, reference or category
	Limit     int
	Cursor    string // NextCursor of the page before, with the same filters
}

// TransactionPage is one page, newest first. NextCursor is "" on the last one. A
// record that could not be read keeps its place: see Transaction.Unreadable.
type TransactionPage struct {
	Data       []Transaction
	NextCursor string
	Summary    Summary
}

// TransactionPage returns one page of transactions (docs/api.md, Keyset cursor).
func (c *Client) TransactionPage(ctx context.Context, q TransactionQuery) (*TransactionPage, error) {
	values := query{}
	values.text("direction", string(q.Direction))
	values.text("from", q.From.String())
	values.text("to", q.To.String())
	values.text("keyword", q.Keyword)
	values.limit(q.Limit)
	values.text("cursor", q.Cursor)
	call := read("/transactions", values)
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	page, err := decodeTransactions(call, body)
	// A page further on goes with those before it, and one of a row is asked for its
	// summary: what they lack is no reason to go without the rest.
	if page != nil && (q.Cursor != "" || q.Limit == 1) {
		err = nil
	}
	return page, err
}

// Transactions returns every transaction that q selects, newest first, fetching
// pages as they are needed. An error ends it; a transaction that could not be read
// does not, and has Unreadable set.
func (c *Client) Transactions(ctx context.Context, q TransactionQuery) iter.Seq2[Transaction, error] {
	return func(yield func(Transaction, error) bool) {
		for {
			page, err := c.TransactionPage(ctx, q)
			if err != nil {
				yield(Transaction{}, err)
				return
			}
			for _, transaction := range page.Data {
				if !yield(transaction, nil) {
					return
				}
			}
			if page.NextCursor == "" {
				return
			}
			if page.NextCursor == q.Cursor {
				yield(Transaction{}, read("/transactions", nil).broken("next_cursor", "leads back to the same page"))
				return
			}
			q.Cursor = page.NextCursor
		}
	}
}

// Transaction returns one transaction, or ErrNotFound.
func (c *Client) Transaction(ctx context.Context, id string) (*Transaction, error) {
	call, err := readOne("/transactions/{transactionId}", id)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, call)
	if err != nil {
		return nil, err
	}
	var answer transactionAnswer
	if err := decode(call, body, &answer); err != nil {
		return nil, err
	}
	f := call.fields()
	transaction := answer.transaction(f)
	if err := f.failure(); err != nil {
		return nil, err
	}
	return &transaction, nil
}

type transactionAnswer struct {
	ID           *string `json:"id"`
	Amount       *int64  `json:"amount_cents"`
	AmountKnown  *bool   `json:"amount_known"`
	USD          *int64  `json:"amount_usd_cents"`
	USDKnown     *bool   `json:"usd_known"`
	Currency     *string `json:"currency"`
	Direction    *string `json:"direction"`
	Date         *string `json:"date"`
	Counterparty *string `json:"counterparty_name"`
	HasReceipt   *bool   `json:"has_receipt"`
	Source       *string `json:"source"`
	SourceLabel  *string `json:"source_label"`
	LogoURL      *string `json:"logo_url"`
	Memo         *string `json:"memo"`
	Method       *string `json:"method"`
	Reference    *string `json:"reference"`
}

func (a *transactionAnswer) transaction(f *fields) Transaction {
	return Transaction{
		ID:               f.text("id", a.ID),
		Date:             f.date("date", a.Date),
		Direction:        Direction(f.text("direction", a.Direction)),
		Amount:           f.maybe("amount_cents", a.Amount, "amount_known", a.AmountKnown, f.text("currency", a.Currency)),
		USD:              f.maybe("amount_usd_cents", a.USD, "usd_known", a.USDKnown, "USD"),
		CounterpartyName: f.text("counterparty_name", a.Counterparty),
		HasReceipt:       need(f, "has_receipt", a.HasReceipt),
		Source:           Source(f.text("source", a.Source)),
		SourceLabel:      f.text("source_label", a.SourceLabel),
		LogoURL:          optionalText(a.LogoURL),
		Memo:             optionalText(a.Memo),
		Method:           optionalText(a.Method),
		Reference:        optionalText(a.Reference),
	}
}

// maybe reads a magnitude that another field says is known or a placeholder.
func (f *fields) maybe(name string, minor *int64, flag string, known *bool, currency string) Amount {
	if !need(f, flag, known) {
		return UnknownAmount(currency)
	}
	return NewAmount(f.magnitude(name, minor), currency)
}

// maxCursor is the longest cursor that is sent back in a query.
const maxCursor = 4096

// pageAnswer is a page with rows of a type.
type pageAnswer[R any] struct {
	Data       []R    `json:"data"`
	NextCursor string `json:"next_cursor"`
	Summary    *struct {
		Count       *int64 `json:"count"`
		Inflow      *int64 `json:"inflow_usd_cents"`
		Outflow     *int64 `json:"outflow_usd_cents"`
		Net         *int64 `json:"net_usd_cents"`
		Unconverted *int64 `json:"unconverted_count"`
	} `json:"summary"`
}

// decodeTransactions reads a page; there is one with an error too where only its rows
// could not be read. Rows are decoded one by one only where they cannot be decoded all
// at once, which takes half the time: a value of a wrong type leaves the rest decoded.
func decodeTransactions(call call, body []byte) (*TransactionPage, error) {
	var (
		answer pageAnswer[transactionAnswer]
		single pageAnswer[element[transactionAnswer]]
	)
	if decode(call, body, &answer) == nil {
		single.Data = elements(answer.Data)
	} else if err := decode(call, body, &single); err != nil {
		return nil, err
	}
	f := call.fields()
	if single.Data == nil {
		f.fail("data", "is missing")
	}
	if len(answer.NextCursor) > maxCursor {
		f.fail("next_cursor", "is too long")
	}
	page := &TransactionPage{NextCursor: answer.NextCursor}
	if s := answer.Summary; s == nil {
		f.fail("summary", "is missing")
	} else {
		page.Summary = Summary{
			Count:            f.magnitude("summary.count", s.Count),
			InflowUSDCents:   f.magnitude("summary.inflow_usd_cents", s.Inflow),
			OutflowUSDCents:  f.magnitude("summary.outflow_usd_cents", s.Outflow),
			NetUSDCents:      need(f, "summary.net_usd_cents", s.Net),
			UnconvertedCount: f.magnitude("summary.unconverted_count", s.Unconverted),
		}
	}
	if err := f.failure(); err != nil {
		return nil, err
	}
	var err error
	page.Data, err = readList(call, "data", single.Data, (*transactionAnswer).transaction, Transaction.reduced)
	return page, err
}

func (t Transaction) reduced(why *ContractError) Transaction {
	return Transaction{ID: t.ID, Date: t.Date, Unreadable: why}
}
