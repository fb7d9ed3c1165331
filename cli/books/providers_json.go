package books

import (
	"time"

	"tarmac/client/ownbooks"
)

// connectionRecord is a connection as JSON. Times are in UTC, and null if there is none.
type connectionRecord struct {
	ID           string                     `json:"id"`
	Provider     string                     `json:"provider"`
	Label        string                     `json:"label"`
	State        ownbooks.ConnectionState   `json:"state"`
	LastSuccess  *time.Time                 `json:"last_success"`
	LastTry      *time.Time                 `json:"last_try"`
	NextTry      *time.Time                 `json:"next_try"`
	Failures     int                        `json:"failures"`
	Problem      *string                    `json:"problem"`
	Residual     *string                    `json:"residual"`
	Notices      []string                   `json:"notices"`
	SignIn       []string                   `json:"sign_in"`       // banks at which the user has to sign in again
	RequestsLeft *int                       `json:"requests_left"` // null if the provider sets no limit
	Accounts     []connectionsAccountRecord `json:"accounts"`
}

// connectionsAccountRecord is an account at a provider as JSON.
type connectionsAccountRecord struct {
	ID           string  `json:"id"`
	Bank         string  `json:"bank"`
	Name         string  `json:"name"`
	Number       string  `json:"number"`
	Currency     string  `json:"currency"`
	BalanceMinor *int64  `json:"balance_minor"`
	Taken        bool    `json:"taken"`
	Missing      bool    `json:"missing"`
	Refused      *string `json:"refused"`
	BooksAccount string  `json:"books_account"`
}

// outcomeRecord is the outcome of a reading as JSON.
type outcomeRecord struct {
	Connection   connectionRecord `json:"connection"`
	Added        int              `json:"added"`
	Changed      int              `json:"changed"`
	Removed      int              `json:"removed"`
	Pending      int              `json:"pending"`
	Invoices     int              `json:"invoices"`
	PaidInvoices []string         `json:"paid_invoices"`
	Problem      *string          `json:"problem"`
}

func recordOf(c *ownbooks.Connection) connectionRecord {
	record := connectionRecord{
		ID: c.ID, Provider: c.Provider, Label: c.Label, State: c.State, LastSuccess: timeOrNull(c.LastSuccess),
		LastTry: timeOrNull(c.LastTry), NextTry: timeOrNull(c.NextTry), Failures: c.Failures,
		Problem: textOrNull(c.Problem), Residual: textOrNull(c.Residual), Notices: clean(c.Notices), SignIn: clean(c.SignIn),
		Accounts: []connectionsAccountRecord{},
	}
	if c.RequestsLeft >= 0 {
		record.RequestsLeft = &c.RequestsLeft
	}
	for _, a := range c.Accounts {
		record.Accounts = append(record.Accounts, connectionsAccountRecord{
			ID: a.ID, Bank: a.Bank, Name: a.Name, Number: a.Number, Currency: a.Currency, BalanceMinor: a.Balance,
			Taken: a.Taken, Missing: a.Missing, Refused: textOrNull(a.Refused), BooksAccount: a.BooksAccount,
		})
	}
	return record
}

func outcomeRecordOf(o *ownbooks.SyncOutcome) outcomeRecord {
	return outcomeRecord{
		Connection: recordOf(&o.Connection), Added: o.Added, Changed: o.Changed, Removed: o.Removed, Pending: o.Pending,
		Invoices: o.Invoices, PaidInvoices: clean(o.PaidInvoices), Problem: textOrNull(o.Problem),
	}
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
