package assistant

import (
	"context"

	"tarmac/apiclient"
)

// Source lists the API requests from which questions are answered. *apiclient.Client implements it.
type Source interface {
	Account(ctx context.Context) (*apiclient.Account, error)
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	ReceivablesAging(ctx context.Context) (*apiclient.ReceivablesAging, error)
	Bills(ctx context.Context) (*apiclient.Bills, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
	Invoice(ctx context.Context, id string) (*apiclient.Invoice, error)
	EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error)
}

// InputError says in a sentence why a question cannot be answered as it was asked.
type InputError struct{ Text string }

func (e *InputError) Error() string { return e.Text }
