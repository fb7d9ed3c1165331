package apiclient

import (
	"context"
	"iter"
)

// Direction tells whether money came in or went out (docs/api.md, Transaction).
type Direction string

// The directions.
const (
	Inflow  Direction = "inflow"
	Outflow Direction = "outflow"
)

// Known reports whether the API defines d.
func (d Direction) Known() bool { return d == Inflow || d == Outflow }

// Source is the feed that a transaction came from (docs/api.md, Transaction).
type Source string

// The sources.
const (
	SourceService    Source = "svc"
	SourceLinkedBank Source = "linked_bank"
)

// Known reports whether the API defines s.
func (s Source) Known() bool { return s == SourceService || s == SourceLinkedBank }

// Transaction is a row of the ledger (docs/api.md, Transaction). Amounts are not negative;
// Direction gives the sign.
type Transaction struct {
	ID               string
	Date             Date // value date
	Direction        Direction
	Amount           Amount // in the transaction's own currency
	USD              Amount // converted; USD totals exclude unknown amounts
	CounterpartyName string // "(unknown)" if the server does not know the name
	HasReceipt       bool   // matched to an invoice or bill
	Source           Source
	SourceLabel      string
	LogoURL          string // "" if unknown
	Memo             string // "" if unknown
	Method           string // "" if unknown
	Reference        string // "" if unknown
	// Unreadable is set when only ID, and possibly Date, could be read, and tells why. Only
	// records of lists can be unreadable.
	Unreadable *ContractError
}

// Summary holds the totals of all transactions that a query selects, not only of one page
// (docs/api.md, Transaction totals). Count includes transactions without a USD amount; the USD
// totals exclude them, and UnconvertedCount is their number.
type Summary struct {
	Count            int64
	InflowUSDCents   int64
	OutflowUSDCents  int64
	NetUSDCents      int64
	UnconvertedCount int64
}

// TransactionQuery selects transactions (docs/api.md, Transaction list). Zero fields select
// everything. Limit is 1 to 200, or 0 for the server's 100.
type TransactionQuery struct {
	Direction Direction
	From, To  Date   // inclusive
	Keyword   string // found in counterparty, memo, reference or category
	Limit     int
	Cursor    string // NextCursor of the previous page, with the same filters
}

// TransactionPage is a page of transactions, newest first. NextCursor is "" on the last
// page. Unreadable records keep their place; see Transaction.Unreadable.
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
	// A page without a readable row is normally an error. The error of a later page would make
	// callers lose the pages before, and a page of one row is requested for its summary.
	if page != nil && (q.Cursor != "" || q.Limit == 1) {
		err = nil
	}
	return page, err
}

// Transactions iterates over all transactions that q selects, newest first, and fetches
// pages as needed. It ends with the first error. Transactions that could not be read have
// Unreadable set and do not end it.
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
			next, more, err := page.Next(q)
			if err != nil {
				yield(Transaction{}, err)
			}
			if !more {
				return
			}
			q = next
		}
	}
}

// Next returns the query for the page after p, which answered q, and false if p is the last
// page. It returns a *ContractError if the cursor would repeat p.
func (p *TransactionPage) Next(q TransactionQuery) (next TransactionQuery, more bool, err error) {
	next = q
	next.Cursor, err = nextCursor("/transactions", q.Cursor, p.NextCursor, len(p.Data))
	return next, next.Cursor != "", err
}

// nextCursor returns the cursor of the page that follows one with so many rows, or "" for
// the last page. It refuses a cursor that leads nowhere, since a listing would never end.
func nextCursor(route, cursor, next string, rows int) (string, error) {
	if next != "" && (next == cursor || rows == 0) {
		return "", cursorLoop(route)
	}
	return next, nil
}

func cursorLoop(route string) error {
	return read(route, nil).contractError("next_cursor", "leads back to the same page")
}

// Transaction returns one transaction, or ErrNotFound.
func (c *Client) Transaction(ctx context.Context, id string) (*Transaction, error) {
	call, err := readOne("/transactions/{transactionId}", id)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, c, call, (*transactionJSON).transaction)
}

type transactionJSON struct {
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

func (a *transactionJSON) transaction(f *fields) Transaction {
	return Transaction{
		ID:        f.text("id", a.ID),
		Date:      f.date("date", a.Date),
		Direction: Direction(f.text("direction", a.Direction)),
		Amount: f.flaggedAmount("amount_cents", a.Amount, "amount_known", a.AmountKnown,
			f.text("currency", a.Currency)),
		USD:              f.flaggedAmount("amount_usd_cents", a.USD, "usd_known", a.USDKnown, "USD"),
		CounterpartyName: f.text("counterparty_name", a.Counterparty),
		HasReceipt:       required(f, "has_receipt", a.HasReceipt),
		Source:           Source(f.text("source", a.Source)),
		SourceLabel:      f.text("source_label", a.SourceLabel),
		LogoURL:          optionalText(a.LogoURL),
		Memo:             optionalText(a.Memo),
		Method:           optionalText(a.Method),
		Reference:        optionalText(a.Reference),
	}
}

// flaggedAmount reads an amount whose flag says whether it is known or a placeholder.
func (f *fields) flaggedAmount(name string, minor *int64, flag string, known *bool, currency string) Amount {
	if !required(f, flag, known) {
		return UnknownAmount(currency)
	}
	return NewAmount(f.magnitude(name, minor), currency)
}

// maxCursor is the length of the longest accepted cursor, in bytes.
const maxCursor = 4096

// pageJSON is a page with rows of type R.
type pageJSON[R any] struct {
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

// decodeTransactions reads a page. It returns the page with an error if none of its rows
// could be read. It decodes all rows at once, which takes half the time, and one by one
// only if that fails.
func decodeTransactions(call call, body []byte) (*TransactionPage, error) {
	var (
		response pageJSON[transactionJSON]
		single   pageJSON[element[transactionJSON]]
	)
	if decode(call, body, &response) == nil {
		single.Data = elements(response.Data)
	} else if err := decode(call, body, &single); err != nil {
		return nil, err
	}
	f := call.fields()
	if single.Data == nil {
		f.fail("data", "is missing")
	}
	if len(response.NextCursor) > maxCursor {
		f.fail("next_cursor", "is too long")
	}
	page := &TransactionPage{NextCursor: response.NextCursor}
	if s := response.Summary; s == nil {
		f.fail("summary", "is missing")
	} else {
		page.Summary = Summary{
			Count:            f.magnitude("summary.count", s.Count),
			InflowUSDCents:   f.magnitude("summary.inflow_usd_cents", s.Inflow),
			OutflowUSDCents:  f.magnitude("summary.outflow_usd_cents", s.Outflow),
			NetUSDCents:      required(f, "summary.net_usd_cents", s.Net),
			UnconvertedCount: f.magnitude("summary.unconverted_count", s.Unconverted),
		}
	}
	if err := f.failure(); err != nil {
		return nil, err
	}
	var err error
	page.Data, err = readList(call, "data", single.Data, (*transactionJSON).transaction, Transaction.asUnreadable)
	return page, err
}

func (t Transaction) asUnreadable(reason *ContractError) Transaction {
	return Transaction{ID: t.ID, Date: t.Date, Unreadable: reason}
}
