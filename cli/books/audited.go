package books

import (
	"context"

	"tarmac/client/importing"
	"tarmac/internal/ownbooks"
)

// Change calls do as a change of the books for their audit. The action is that of the command that
// does the same; target is the id of an import or connection, or "".
type Change func(ctx context.Context, action, target string, do func(context.Context) error) error

// AuditedBooks returns books whose changes leave lines in the audit.
func AuditedBooks(b importing.Books, change Change) importing.Books { return auditedBooks{b, change} }

// AuditedProviders returns connections whose changes leave lines in the audit.
func AuditedProviders(p importing.Providers, change Change) importing.Providers {
	return auditedProviders{p, change}
}

type auditedBooks struct {
	importing.Books
	change Change
}

func (b auditedBooks) Import(ctx context.Context, batch ownbooks.Batch, p *importing.Progress) (
	report ownbooks.Report, err error,
) {
	err = b.change(ctx, "import", "", func(ctx context.Context) (err error) {
		report, err = b.Books.Import(ctx, batch, p)
		return err
	})
	return report, err
}

func (b auditedBooks) Undo(ctx context.Context, id string) (undone ownbooks.Undone, err error) {
	err = b.change(ctx, "books undo", id, func(ctx context.Context) (err error) {
		undone, err = b.Books.Undo(ctx, id)
		return err
	})
	return undone, err
}

func (b auditedBooks) Answer(ctx context.Context, id, answer string) (done ownbooks.Answered, err error) {
	err = b.change(ctx, "books questions answer", id, func(ctx context.Context) (err error) {
		done, err = b.Books.Answer(ctx, id, answer)
		return err
	})
	return done, err
}

func (b auditedBooks) MarkBill(ctx context.Context, text, state string) (done ownbooks.MarkedBill, err error) {
	err = b.change(ctx, "books mark", "", func(ctx context.Context) (err error) {
		done, err = b.Books.MarkBill(ctx, text, state)
		return err
	})
	return done, err
}

func (b auditedBooks) SetCurrency(ctx context.Context, currency string) (done ownbooks.CurrencyChange, err error) {
	err = b.change(ctx, "books currency", "", func(ctx context.Context) (err error) {
		done, err = b.Books.SetCurrency(ctx, currency)
		return err
	})
	return done, err
}

type auditedProviders struct {
	importing.Providers
	change Change
}

func (p auditedProviders) Connect(ctx context.Context, r importing.ConnectRequest) (c ownbooks.Connection, err error) {
	err = p.change(ctx, "connect", "", func(ctx context.Context) (err error) {
		c, err = p.Providers.Connect(ctx, r)
		return err
	})
	return c, err
}

func (p auditedProviders) Take(ctx context.Context, id string, choices []ownbooks.AccountChoice) (
	outcome ownbooks.Outcome, err error,
) {
	err = p.change(ctx, "connect", id, func(ctx context.Context) (err error) {
		outcome, err = p.Providers.Take(ctx, id, choices)
		return err
	})
	return outcome, err
}

func (p auditedProviders) Sync(ctx context.Context, id string, acceptRemoved bool, waiting func(text string)) (
	outcomes []ownbooks.Outcome, err error,
) {
	err = p.change(ctx, "sync", id, func(ctx context.Context) (err error) {
		outcomes, err = p.Providers.Sync(ctx, id, acceptRemoved, waiting)
		return err
	})
	return outcomes, err
}

func (p auditedProviders) Disconnect(ctx context.Context, id string, forget bool) error {
	return p.change(ctx, "disconnect", id, func(ctx context.Context) error {
		return p.Providers.Disconnect(ctx, id, forget)
	})
}
