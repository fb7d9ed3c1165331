package invoicelist

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/collections"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/views/parts/page"
)

// Data returns the invoices as what a page fetches besides its own data. took is called when they
// have been stored.
func Data(s *snapshot.Snapshot, source collections.Source, took func() tea.Cmd) *page.Data[collections.List] {
	d := &page.Data[collections.List]{
		Read:    func(ctx context.Context, _ string) (collections.List, error) { return collections.Read(ctx, source) },
		Partial: func(l collections.List) resource.Partial { return resource.PartialOf("invoice", l.Invoices) },
		Changes: page.IsInvoice, MinAge: minRefetchAge, Secondary: true,
	}
	d.OnValue = func() tea.Cmd {
		list, _ := d.Value()
		s.SetCustomers(list.Invoices)
		return took()
	}
	return d
}
