package ui

import (
	"crypto/rand"
	"time"

	"tarmac/views"
	"tarmac/views/events"
	"tarmac/views/intent"
	"tarmac/views/invoices"
	"tarmac/views/overview"
	"tarmac/views/propose"
	"tarmac/views/receivables"
	"tarmac/views/runway"
	"tarmac/views/transactions"
	"tarmac/views/webhooks"
)

// page is a screen with its place in the tab line.
type page struct {
	digit, title string // no digit: it has no place in the tab line and is reached from others
	short        string // title where there is little room
	name         string // what other screens call it
	does         string // what the palette calls it; "" is its title
	writes       bool   // it is of no use where nothing may be changed
	target       any    // what the palette has it show
	screen       views.Screen
	opened       bool
	again        time.Time // when its own figures were last asked for because somebody came back
}

// newPages makes the screens of a connection, in the order of the tab line. The
// digits are the screens' own and stay the same when others come between.
func newPages(m *Model, s *session) []page {
	client, data := s.connection.Client, s.data
	return []page{
		{digit: "1", title: "Overview", short: "Over", name: views.Overview, screen: overview.New(overview.Options{
			Snapshot: data, Now: m.options.Now,
		})},
		{digit: "2", title: "Runway", short: "Run", name: views.Runway, screen: runway.New(runway.Options{
			Snapshot: data, Now: m.options.Now, Directory: m.options.Drafts, Origin: client.Origin(),
		})},
		{digit: "3", title: "Receivables", short: "Recv", name: views.Receivables, screen: receivables.New(receivables.Options{
			Snapshot: data, Now: m.options.Now, Places: m.options.Documents.Places,
		})},
		{digit: "4", title: "Transactions", short: "Trans", name: views.Transactions, screen: transactions.New(transactions.Options{
			Context: s.stage.behind(s.ctx, views.Transactions), Snapshot: data, Source: client, Now: m.options.Now, Timeout: m.options.Timeout,
			Places: m.options.Documents.Places,
		})},
		{digit: "5", title: "Invoices", short: "Inv", name: views.Invoices, screen: invoices.New(invoices.Options{
			Context: s.stage.behind(s.ctx, views.Invoices), Snapshot: data, Source: client, Now: m.options.Now, Timeout: m.options.Timeout,
			Places: m.options.Documents.Places, Open: m.options.Documents.Open, ReadOnly: s.readOnly,
		})},
		{digit: "6", title: "Events", short: "Ev", name: views.Events, screen: events.New(events.Options{
			Snapshot: data, Now: m.options.Now, Places: m.options.Documents.Places,
		})},
		{digit: "7", title: "Webhooks", short: "Hooks", name: views.Webhooks, screen: webhooks.New(webhooks.Options{
			Context: s.stage.behind(s.ctx, views.Webhooks), Source: client, Now: m.options.Now, Timeout: m.options.Timeout,
			Places: m.options.Documents.Places, ReadOnly: s.readOnly,
		})},
		{title: "Propose", does: "Propose an invoice", writes: true, target: views.ProposeTarget{}, name: views.Propose, screen: propose.New(propose.Options{
			Context: s.stage.behind(s.ctx, views.Propose), Snapshot: data, Source: client, Now: m.options.Now, Timeout: m.options.Timeout,
			ReadOnly: s.readOnly, Drafts: m.options.Drafts, Origin: client.Origin(), Entropy: rand.Reader,
		})},
		{title: "Payment", does: "Payment, by its id", name: views.Intent, screen: intent.New(intent.Options{
			Context: s.stage.behind(s.ctx, views.Intent), Snapshot: data, Source: client, Now: m.options.Now, Timeout: m.options.Timeout,
		})},
	}
}
