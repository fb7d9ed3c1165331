package collections

import (
	"context"
	"slices"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// Source is the part of the API client that Read uses.
type Source interface {
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
}

// ListLimit is the largest number of invoices that the API lists. It has no cursor to list older
// ones (docs/api.md, Invoice list).
const ListLimit = 200

// List holds the invoices that Read could read.
type List struct {
	Invoices []apiclient.Invoice
	// Since is the time at which the oldest invoice of a full list was created. Paid invoices that
	// are older are missing. It is zero if none is missing.
	Since time.Time
	// IsOpenMissing says that open invoices are missing, too.
	IsOpenMissing bool
}

// Read reads the newest invoices. If the list is full, it also reads the overdue and the sent ones,
// so that old invoices that are still open are not missed. It sends at most three requests.
func Read(ctx context.Context, source Source) (List, error) {
	all, err := source.Invoices(ctx, apiclient.InvoiceFilter{Limit: ListLimit})
	if err != nil || len(all) < ListLimit {
		return List{Invoices: all}, err
	}
	list := List{Since: oldest(all)}
	for _, status := range []apiclient.InvoiceStatus{apiclient.InvoiceSent, apiclient.InvoiceOverdue} {
		open, err := source.Invoices(ctx, apiclient.InvoiceFilter{Status: status, Limit: ListLimit})
		if err != nil {
			return List{}, err
		}
		list.IsOpenMissing = list.IsOpenMissing || len(open) == ListLimit
		all = append(all, open...)
	}
	list.Invoices = newestVersions(all)
	return list, nil
}

// oldest returns the time at which the oldest invoice was created.
func oldest(invoices []apiclient.Invoice) (at time.Time) {
	for i := range invoices {
		created := invoices[i].CreatedAt
		if invoices[i].Unreadable == nil && (at.IsZero() || created.Before(at)) {
			at = created
		}
	}
	return at
}

// newestVersions removes all but the last one of the invoices with the same ID, because an invoice
// may change its status between two requests. Newest invoices come first.
func newestVersions(invoices []apiclient.Invoice) []apiclient.Invoice {
	last := map[string]int{}
	for i := range invoices {
		last[invoices[i].ID] = i
	}
	var kept []apiclient.Invoice
	for i := range invoices {
		if last[invoices[i].ID] == i {
			kept = append(kept, invoices[i])
		}
	}
	slices.SortStableFunc(kept, func(a, b apiclient.Invoice) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return kept
}

// Missing says which invoices the list lacks because the API lists no more. It returns "" if the
// list is complete.
func (l *List) Missing() string {
	if l.Since.IsZero() {
		return ""
	}
	text := "Paid invoices created before " + civil.Of(l.Since).String() + " are not counted: the API lists the newest " +
		plural.Count(ListLimit, "invoice") + "."
	if l.IsOpenMissing {
		text += " Old open invoices are missing, too."
	}
	return text
}
