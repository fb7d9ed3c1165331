package assistant

import (
	"context"

	"tarmac/apiclient"
	"tarmac/client/answer"
)

// Source lists the API requests of the questions. *apiclient.Client implements it.
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

// InputError says why a question cannot be answered as it was asked.
type InputError = answer.InputError
