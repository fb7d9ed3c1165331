package ui

import (
	"crypto/rand"
	"time"

	"tarmac/views"
	"tarmac/views/alerts"
	"tarmac/views/books"
	"tarmac/views/events"
	"tarmac/views/intent"
	"tarmac/views/invoices"
	"tarmac/views/overview"
	"tarmac/views/propose"
	"tarmac/views/receivables"
	"tarmac/views/runway"
	"tarmac/views/spend"
	"tarmac/views/transactions"
	"tarmac/views/webhooks"
)

// pages lists the pages in the order of the tab line. When pages are added, existing ones keep
// their digits.
func pages() []views.Page {
	return []views.Page{
		overview.Page(), runway.Page(), receivables.Page(), transactions.Page(), invoices.Page(), events.Page(),
		webhooks.Page(), spend.Page(), books.Page(),
		propose.Page(), intent.Page(), alerts.Page(),
	}
}

// page joins a views.Page with its screen in one session.
type page struct {
	views.Page
	screen  views.Screen
	opened  bool
	retried time.Time // when the user last returned to the page and failed requests were retried
}

// remotePages is views.Env.KeptPages of a remote session, because many share a machine's memory.
const remotePages = 10

// newPages creates the screens of the pages that a session has.
func newPages(m *Model, s *session) []page {
	env := views.Env{
		Snapshot: s.data, Client: s.connection.Client, Now: m.options.Now, Timeout: m.options.Timeout, Theme: m.theme,
		Places: m.options.Documents.Places, Open: m.options.Documents.Open,
		Drafts: s.drafts, Plan: s.connection.planIn(s.drafts),
		Origin: s.connection.Client.Origin(), Entropy: rand.Reader, ReadOnly: s.readOnly,
		Credential: s.connection.Client.Credential(),
		Books:      s.connection.Books, Providers: s.connection.Providers,
		Alerts: s.connection.Alerts, Annotations: s.annotations.file,
	}
	if m.options.Remote {
		env.KeptPages = remotePages
	}
	var made []page
	for _, p := range pages() {
		if p.Available != nil && !p.Available(env) {
			continue
		}
		env.Context = s.visiblePage.background(s.ctx, p.Name)
		made = append(made, page{Page: p, screen: p.New(env)})
	}
	return made
}
