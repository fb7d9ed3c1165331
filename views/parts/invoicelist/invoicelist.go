// Package invoicelist fetches the invoices that several pages derive figures from, such as the
// habits of customers.
package invoicelist

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views/parts/page"
)

// minAge is how old the invoices must be before an event causes another fetch, which can take three
// requests.
const minAge = 15 * time.Second

// Data returns the invoices as data of a page. took is called when they have been stored.
func Data(s *snapshot.Snapshot, source collections.Source, took func() tea.Cmd) *page.Data[collections.List] {
	d := &page.Data[collections.List]{
		Read:    func(ctx context.Context, _ string) (collections.List, error) { return collections.Read(ctx, source) },
		Partial: func(l collections.List) resource.Partial { return resource.PartialOf("invoice", l.Invoices) },
		Changes: page.IsInvoice, MinAge: minAge, Secondary: true,
	}
	d.OnValue = func() tea.Cmd {
		list, _ := d.Value()
		s.SetCustomers(list.Invoices)
		return took()
	}
	return d
}
