package apiclient

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
)

// Direction says whether money came in or went out (docs/api.md, Transaction).
type Direction string

// Values of Direction.
const (
	Inflow  Direction = "inflow"
	Outflow Direction = "outflow"
)

// Known reports whether d is one of the values that the API defines.
func (d Direction) Known() bool { return d == Inflow || d == Outflow }

// Source is the feed from which a transaction comes (docs/api.md, Transaction).
type Source string

// Values of Source.
const (
	SourceService    Source = "svc"
	SourceLinkedBank Source = "linked_bank"
)

// Known reports whether s is one of the values that the API defines.
func (s Source) Known() bool { return s == SourceService || s == SourceLinkedBank }

// Transaction is a row of the ledger (docs/api.md, Transaction). Its amounts are never negative;
// Direction says whether the money came in or went out.
type Transaction struct {
	ID               string
	Date             Date // value date
	Direction        Direction
	Amount           Amount // in the currency of the transaction
	Reporting        Amount // in the currency of the totals; if unknown, they leave the transaction out
	USD              Amount // in US dollars, for JSON; equal to Reporting where that is in US dollars
	CounterpartyName string // "(unknown)" if the server does not know it
	HasReceipt       bool   // the transaction has been matched to an invoice or bill
	Source           Source
	SourceLabel      string
	LogoURL          string   // "" if unknown
	Memo             string   // "" if unknown
	Method           string   // "" if unknown
	Reference        string   // "" if unknown
	Category         string   // as people read it; "" if unknown, as on servers without the extension
	Account          string   // account of own books; "" as Category
	Evidence         Evidence // why it is own money or financing; empty as Category
	// Unreadable says why the transaction could not be decoded. If it is set, only ID and possibly
	// Date are valid. Only transactions of a list can be unreadable.
	Unreadable *ContractError
}

// Evidence says why a transaction is own money or financing (docs/api.md, Facts). Account is the
// other account, or "" if that isn't known.
type Evidence struct{ Code, Account string }

// Summary holds the totals of all transactions that a query selects, not only of those on one page
// (docs/api.md, Transaction totals), in minor units of Currency. Count includes transactions whose
// amount in that currency is unknown. The totals leave these out, and UnconvertedCount is their
// number.
type Summary struct {
	Currency         string
	Count            int64
	InflowMinor      int64
	OutflowMinor     int64
	NetMinor         int64
	UnconvertedCount int64
}

// TransactionQuery selects transactions (docs/api.md, Transaction list). A zero field does not
// restrict the selection. Limit is 1 to 200; 0 means 100, the server's default.
type TransactionQuery struct {
	Direction Direction
	From, To  Date   // both days are included
	Keyword   string // text in the counterparty, memo, reference or category
	Limit     int
	Cursor    string // NextCursor of the previous page, for the same query
}

// TransactionPage is a page of transactions, newest first. NextCursor is "" on the last page. A
// transaction that could not be decoded has its place on the page; see Transaction.Unreadable.
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
	body, err := c.send(ctx, &call)
	if err != nil {
		return nil, err
	}
	if call.extended {
		c.annotated.Store(true)
	}
	page, err := c.transactionPage(call, body)
	// Normally, it is an error if no transaction on the page could be decoded. But callers would
	// lose earlier pages if a later one returned an error, and a page of one row is requested only
	// for its summary.
	if page != nil && (q.Cursor != "" || q.Limit == 1) {
		err = nil
	}
	return page, err
}

// Transactions iterates over all transactions that q selects, newest first. It fetches pages as
// needed and ends with the first error. A transaction that could not be decoded has Unreadable set
// and is not an error.
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

// Next returns the query for the page after p, which is the response to q. The result more is false
// if p is the last page. If the cursor would return p again, Next returns a *ContractError.
func (p *TransactionPage) Next(q TransactionQuery) (next TransactionQuery, more bool, err error) {
	next = q
	next.Cursor, err = nextCursor("/transactions", q.Cursor, p.NextCursor, len(p.Data))
	return next, next.Cursor != "", err
}

// nextCursor returns next, the cursor that the server sent for the following page; "" means that
// there is none. It returns an error if next equals the current page's cursor or if the current
// page has no rows, because a listing that follows such a cursor would never end.
func nextCursor(route, cursor, next string, rows int) (string, error) {
	if next != "" && (next == cursor || rows == 0) {
		return "", cursorLoop(route)
	}
	return next, nil
}

func cursorLoop(route string) error {
	return read(route, nil).contractError("next_cursor", "leads back to the same page")
}

// Transaction returns the transaction with this ID. It returns ErrNotFound if there is none.
func (c *Client) Transaction(ctx context.Context, id string) (*Transaction, error) {
	call, err := readOne("/transactions/{transactionId}", id)
	if err != nil {
		return nil, err
	}
	body, err := c.send(ctx, &call)
	if err != nil {
		return nil, err
	}
	if call.extended {
		c.annotated.Store(true)
	}
	return decodeRecord(call, body, (*transactionJSON).transaction)
}

// HasCategories reports whether transactions that this client has read had the extension, and so
// categories where the server knows them.
func (c *Client) HasCategories() bool { return c.annotated.Load() }

type transactionJSON struct {
	ID           *string `json:"id"`
	Amount       *int64  `json:"amount_cents"`
	AmountKnown  *bool   `json:"amount_known"`
	USD          *int64  `json:"amount_usd_cents"`
	USDKnown     *bool   `json:"usd_known"`
	Reporting    *int64  `json:"reporting_cents"`
	ReportsKnown *bool   `json:"reporting_known"`
	// ReportsIn is part of a transaction alone; in a list, the summary names the currency.
	ReportsIn    json.RawMessage `json:"reporting_currency"`
	Currency     *string         `json:"currency"`
	Direction    *string         `json:"direction"`
	Date         *string         `json:"date"`
	Counterparty *string         `json:"counterparty_name"`
	HasReceipt   *bool           `json:"has_receipt"`
	Source       *string         `json:"source"`
	SourceLabel  *string         `json:"source_label"`
	LogoURL      *string         `json:"logo_url"`
	Memo         *string         `json:"memo"`
	Method       *string         `json:"method"`
	Reference    *string         `json:"reference"`
	Extension    *struct {
		Category *string `json:"category"`
		Account  *string `json:"account"`
		Evidence []struct {
			Code string `json:"code"`
			Data struct {
				Account string `json:"account"`
			} `json:"data"`
		} `json:"evidence"`
	} `json:"extension"`
}

func (a *transactionJSON) transaction(f *fields) Transaction {
	t := Transaction{
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
	if x := a.Extension; x != nil && f.call.extended {
		t.Category = strings.TrimSpace(optionalText(x.Category))
		t.Account = strings.TrimSpace(optionalText(x.Account))
		if len(x.Evidence) > 0 {
			first := &x.Evidence[0]
			t.Evidence = Evidence{first.Code, strings.TrimSpace(optionalText(&first.Data.Account))}
		}
	}
	t.Reporting = t.USD
	if f.call.reporting {
		currency := f.call.currency
		if currency == "" {
			currency = f.currency("reporting_currency", a.ReportsIn)
		}
		t.Reporting = f.flaggedAmount("reporting_cents", a.Reporting, "reporting_known", a.ReportsKnown, currency)
	}
	return t
}

// flaggedAmount reads an amount. The field named flag says whether the amount is known or only a
// placeholder.
func (f *fields) flaggedAmount(name string, minor *int64, flag string, known *bool, currency string) Amount {
	if !required(f, flag, known) {
		return UnknownAmount(currency)
	}
	return NewAmount(f.magnitude(name, minor), currency)
}

// maxCursor is the maximum length of an accepted cursor, in bytes.
const maxCursor = 4096

// pageJSON is the JSON form of a page with rows of type R.
type pageJSON[R any] struct {
	Data       []R          `json:"data"`
	NextCursor string       `json:"next_cursor"`
	Summary    *summaryJSON `json:"summary"`
}

// summaryJSON has the totals in US dollars or, with the preference, in the reporting currency.
type summaryJSON struct {
	Count       *int64          `json:"count"`
	InflowUSD   *int64          `json:"inflow_usd_cents"`
	OutflowUSD  *int64          `json:"outflow_usd_cents"`
	NetUSD      *int64          `json:"net_usd_cents"`
	Currency    json.RawMessage `json:"currency"`
	Inflow      *int64          `json:"inflow_cents"`
	Outflow     *int64          `json:"outflow_cents"`
	Net         *int64          `json:"net_cents"`
	Unconverted *int64          `json:"unconverted_count"`
}

func (s *summaryJSON) summary(f *fields) Summary {
	infix := "usd_"
	if f.call.reporting {
		infix = ""
	} else {
		s.Inflow, s.Outflow, s.Net = s.InflowUSD, s.OutflowUSD, s.NetUSD
	}
	return Summary{
		Currency:         f.currency("summary.currency", s.Currency),
		Count:            f.magnitude("summary.count", s.Count),
		InflowMinor:      f.magnitude("summary.inflow_"+infix+"cents", s.Inflow),
		OutflowMinor:     f.magnitude("summary.outflow_"+infix+"cents", s.Outflow),
		NetMinor:         required(f, "summary.net_"+infix+"cents", s.Net),
		UnconvertedCount: f.magnitude("summary.unconverted_count", s.Unconverted),
	}
}

// decodeTransactions decodes a page. If none of its rows could be decoded, it returns both the page
// and an error. Decoding all rows at once takes half the time, so it decodes them one by one only
// if that fails.
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
		page.Summary = s.summary(f)
		call.currency = page.Summary.Currency
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
