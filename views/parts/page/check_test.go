package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/views"
	"tarmac/views/parts/page"
	"tarmac/views/parts/table"
)

// Each case takes something away from a complete declaration.
func TestAnIncompleteDeclarationFailsAtOnce(t *testing.T) {
	type listing = page.Listing[apiclient.Webhook]
	for want, spoil := range map[string]func(l *listing, s *page.Spec){
		"Spec needs Title":         func(_ *listing, s *page.Spec) { s.Title = "" },
		"Spec needs Keys":          func(_ *listing, s *page.Spec) { s.Keys = nil },
		"Spec needs Lists or Body": func(_ *listing, s *page.Spec) { s.Lists = nil },
		"a Chip needs":             func(_ *listing, s *page.Spec) { s.Chips[0].Off = nil },
		"Data isn't in Spec.Data":  func(_ *listing, s *page.Spec) { s.Data = nil },
		"a Data needs Read": func(_ *listing, s *page.Spec) {
			s.Data = append(s.Data, &page.Data[int]{})
		},
		"exactly one of Data":   func(l *listing, _ *page.Spec) { l.Data = nil },
		"ID is missing":         func(l *listing, _ *page.Spec) { l.ID = nil },
		"cells need":            func(l *listing, _ *page.Spec) { l.Cell = nil },
		"Empty is missing":      func(l *listing, _ *page.Spec) { l.Empty = nil },
		"Detail needs Noun":     func(l *listing, _ *page.Spec) { l.Noun = "" },
		"need Detail":           func(l *listing, _ *page.Spec) { l.Detail = nil },
		"needs Searched":        func(l *listing, _ *page.Spec) { l.Searched = nil },
		"Searched has colour":   func(l *listing, _ *page.Spec) { l.Searched[0] = "colour" },
		"a column shows colour": func(l *listing, _ *page.Spec) { l.Columns[0].Field = "colour" },
		"Items and At need State": func(l *listing, s *page.Spec) {
			l.Data, l.Items = nil, func() []apiclient.Webhook { return nil }
		},
		"Single isn't in Spec.Data": func(l *listing, _ *page.Spec) { l.Single = &page.Data[*apiclient.Webhook]{} },
		"":                          func(*listing, *page.Spec) {},
	} {
		e := env(t)
		p := page.New(e)
		data := page.Records("endpoint", func(context.Context, string) ([]apiclient.Webhook, error) { return nil, nil })
		complete := listing{
			Title: "Endpoints", Noun: "Endpoint", Data: func() *page.Data[[]apiclient.Webhook] { return &data },
			ID: func(w *apiclient.Webhook) string { return w.ID }, Record: record.Webhook,
			Columns:  []table.Column{{Field: "url", Min: 20}},
			Cell:     func(_ *apiclient.Webhook, f record.Field) table.Cell { return table.Cell{} },
			Detail:   func(*apiclient.Webhook) []table.Field { return nil },
			Empty:    func() string { return "" },
			Searched: []string{"url"},
		}
		spec := page.Spec{
			Title: "Endpoints", Data: []page.Source{&data},
			Chips: []page.Chip{{Label: func() string { return "" }, Off: func() {}}},
		}
		spoil(&complete, &spec)
		l := page.NewList(p, complete)
		keys := views.Actions{l.OpenKey(), l.FilterKey(nil)}
		spec.Keys, spec.Lists = func() views.Actions { return keys }, []page.Lister{l}
		spoil(&complete, &spec)
		if got := problems(p, spec); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("declared, it says %q; want %q", got, want)
		}
	}
}

func TestAFilterKeyNeedsItsPrompt(t *testing.T) {
	p := page.New(env(t))
	inner := page.NewList(p, page.Listing[int]{
		Items: func() []int { return nil }, State: func() (s resource.State) { return s },
		ID: func(*int) string { return "" }, Finds: func(*int, string) bool { return true },
	})
	outer := page.NewList(p, inner.Listing)
	keys := views.Actions{inner.FilterKey(nil)}
	got := problems(p, page.Spec{
		Title: "Two lists", Keys: func() views.Actions { return keys }, Lists: []page.Lister{outer},
	})
	if !strings.Contains(got, "FilterKey needs the list in Spec.Lists") {
		t.Errorf("declared, it says %q", got)
	}
}

// problems declares the page and returns what Declare panics with.
func problems(p *page.Page, spec page.Spec) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	p.Declare(spec)
	return ""
}
