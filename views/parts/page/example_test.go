package page_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// endpoints is a page that lists webhook endpoints. It fetches them once a minute and retries after
// failures, shows how old they are then, filters them by text, shows the details of one next to the
// list or instead of it, reacts to clicks, copies an ID and exports the list.
type endpoints struct {
	*page.Page
	data page.Data[[]apiclient.Webhook]
	list *page.List[apiclient.Webhook]
}

func newEndpoints(env views.Env, read func(context.Context, string) ([]apiclient.Webhook, error)) *endpoints {
	s := &endpoints{Page: page.New(env)}
	s.data = page.Records("endpoint", read)
	s.data.MaxAge = func() time.Duration { return time.Minute }
	s.list = page.NewList(s.Page, page.Listing[apiclient.Webhook]{
		Title: "Endpoints", Noun: "Endpoint",
		Data:    func() *page.Data[[]apiclient.Webhook] { return &s.data },
		ID:      func(w *apiclient.Webhook) string { return w.ID },
		Record:  record.Webhook,
		Columns: []table.Column{{Field: "url", Min: 20, Flex: 1}, {Field: "status", Min: 8}},
		Cell:    func(_ *apiclient.Webhook, f record.Field) table.Cell { return table.Cell{Text: f.TextOrDash()} },
		Detail:  s.fields,
		Empty:   func() string { return "No endpoints." },
		Hint:    "URL or id", Searched: []string{"url", "id"},
	})
	id := func(w *apiclient.Webhook) string { return w.ID }
	keys := views.Actions{
		s.list.BackKey(), s.list.OpenKey(), s.list.FilterKey(s.list.HasCurrent), s.RemoveKey(nil),
		s.list.ExportKey(s.table, "tarmac webhooks list", func() []string { return []string{"endpoints", s.list.Text} }),
		s.list.CopyKey("y", "copy id", "the endpoint's id", id),
	}
	s.Declare(page.Spec{
		Title: "Endpoints", Keys: func() views.Actions { return keys }, Data: []page.Source{&s.data},
		Lists: []page.Lister{s.list}, Chips: []page.Chip{s.list.Chip()},
		Head: func() []page.Line { return s.list.Head(nil, s.list.Position(), s.Theme.Caution, s.list.Stale()) },
	})
	return s
}

func (s *endpoints) fields(w *apiclient.Webhook) []table.Field {
	return table.Fields(record.Webhook(*w), table.Ink{}, func(record.Field) table.Ink { return table.Ink{} })
}

func (s *endpoints) table() saveas.Table {
	return saveas.List(s.list.All(), record.Webhook, "endpoint")
}

func Example() {
	now := func() time.Time { return time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC) }
	ctx := context.Background()
	env := views.Env{
		Context: ctx, Now: now, Timeout: time.Minute, Theme: theme.New(true),
		Snapshot: snapshot.New(ctx, nil, snapshot.Options{Now: now, Timeout: time.Minute}),
	}
	s := newEndpoints(env, func(context.Context, string) ([]apiclient.Webhook, error) {
		return []apiclient.Webhook{
			{ID: "wh_1", URL: "https://a.example", Status: apiclient.WebhookActive},
			{ID: "wh_2", URL: "https://b.example", Status: apiclient.WebhookPaused},
		}, nil
	})
	s.SetSize(44, 6)

	answer := s.Init()() // the dashboard runs commands and returns their messages
	s.Update(answer)
	s.Update(tea.KeyPressMsg{Code: 'j', Text: "j"})

	for line := range strings.Lines(ansi.Strip(s.View())) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	// Output:
	// no filter                         row 2 of 2
	// URL                                 Status
	// https://a.example                   active
	// https://b.example                   paused
}
