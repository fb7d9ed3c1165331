package receivables_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/receivables"
)

// names returns the customers of the table in their order.
func names(s *receivables.Screen) (names []string) {
	for line := range strings.SplitSeq(ansi.Strip(s.View()), "\n") {
		for _, name := range []string{"Northwind", "Acme", "日本電機", "Blue", "Müller", "Contoso", "Vega"} {
			if strings.HasPrefix(line, "│ "+name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func TestCustomersAreSortedAndFiltered(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	for _, want := range []string{
		"[Northwind 日本電機 Acme Blue Contoso Müller Vega]", "[Northwind Acme 日本電機 Blue Müller Contoso Vega]",
		"[Acme Northwind Blue Müller Vega 日本電機 Contoso]", "[Northwind Acme Vega 日本電機 Blue Contoso Müller]",
		"[Acme Blue Contoso Müller Northwind Vega 日本電機]",
	} {
		if got := fmt.Sprint(names(s)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		s.Update(sample.Press("S"))
	}

	for text, want := range map[string]string{
		"vega": "[Vega]", "ap@acme": "[Acme]", "INV-000299": "[Northwind]", "nobody": "[]",
	} {
		s.Update(sample.Press("/"))
		s.Update(tea.PasteMsg{Content: text})
		s.Update(sample.Press("enter"))
		if got := fmt.Sprint(names(s)); got != want || !s.Filtered() {
			t.Errorf("filter %q: %s, want %s", text, got, want)
		}
		s.Update(sample.Press("x"))
	}
	if s.Filtered() || len(names(s)) != 7 {
		t.Errorf("without a filter: %v", names(s))
	}
}

func TestTheReminderIsCopied(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)

	first := s.Update(sample.Press("y"))().(views.Copy)
	s.Update(sample.Press("j"))
	imported, isNotice := s.Update(sample.Press("y"))().(views.Notice)
	s.Update(sample.Press("G"))
	current, _ := s.Update(sample.Press("y"))().(views.Notice)

	if !strings.Contains(first.Text, "- INV-000300, due 2026-07-16, $14,500.00\n") || first.Unmasked {
		t.Errorf("copied %+v", first)
	}
	if !isNotice || !strings.Contains(imported.Text, "probably imported") {
		t.Errorf("without listed invoices: %+v", imported)
	}
	if !strings.Contains(current.Text, "has no overdue invoices") {
		t.Errorf("with nothing overdue: %+v", current)
	}
}

func TestCopyingAReminderWithHiddenAmountsAsks(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	looks := theme.New(true)
	looks.Masked = true
	s.SetTheme(looks)

	if cmd := s.Update(sample.Press("y")); cmd != nil || !s.Typing() {
		t.Fatal("it does not ask")
	}
	copied, _ := s.Update(sample.Press("y"))().(views.Copy)

	if !copied.Unmasked || !strings.Contains(copied.Text, "$14,500.00") {
		t.Errorf("copied %+v", copied)
	}
	if text := ansi.Strip(s.View()); strings.Contains(text, "▃▃") || strings.Contains(text, "██") {
		t.Errorf("bars show the amounts:\n%s", text)
	}
}

func TestEnterOpensTheInvoicesAndThenOneOfThem(t *testing.T) {
	for _, size := range [][2]int{{80, 21}, {120, 37}} {
		s := newScreen(sample.New().Snapshot(t))
		s.SetSize(size[0], size[1])

		if cmd := s.Update(sample.Press("enter")); cmd != nil || !strings.Contains(ansi.Strip(s.View()), "INV-000298") {
			t.Fatalf("no invoices:\n%s", ansi.Strip(s.View()))
		}
		s.Update(sample.Press("j"))
		if got := s.Update(sample.Press("enter"))(); got != (views.Visit{
			Screen: views.Invoices, Target: views.InvoiceTarget{ID: "inv_1"},
		}) {
			t.Errorf("it opens %v", got)
		}
		if !s.Back() || s.Back() {
			t.Error("esc leaves the invoices once")
		}
	}
}

func TestInvoicesAreFetchedOnlyWhenSeenAndLateResponsesAreDropped(t *testing.T) {
	server := invoices()
	s := receivables.New(env(sample.New().Snapshot(t)), server)
	s.SetSize(120, 37)
	if s.Update(views.Tick{}) != nil {
		t.Error("a hidden page fetches")
	}

	s.Update(views.Visible(true))
	first := s.Init()
	if s.Refresh() != nil || s.Update(views.Tick{}) != nil {
		t.Error("a second request while one is pending")
	}
	late := first()
	s.Update(late)
	second := s.Refresh()
	server.list = nil
	s.Update(second())
	if got := fmt.Sprint(names(s)); strings.Contains(got, "Vega") {
		t.Errorf("customers %s", got)
	}
	s.Update(late)
	if got := fmt.Sprint(names(s)); strings.Contains(got, "Vega") || server.requests != 2 {
		t.Errorf("%d requests; after a late response: %s", server.requests, got)
	}
}

func TestInvoicesThatAreOldSaySo(t *testing.T) {
	server := invoices()
	s := receivables.New(env(sample.New().Snapshot(t)), server)
	s.SetSize(120, 37)
	load(s)

	server.err = errors.New("broken pipe")
	s.Update(s.Refresh()())

	if text := ansi.Strip(s.View()); !strings.Contains(text, "◌ stale, 0s old: broken pipe") ||
		!strings.Contains(text, "14 days late") {
		t.Errorf("%s", text)
	}
}

func TestAFullListSaysSince(t *testing.T) {
	server := invoices()
	for len(server.list) < 200 {
		server.paid("Vega Studio", "hi@vega.example", 1)
	}
	s := receivables.New(env(sample.New().Snapshot(t)), server)
	s.SetSize(160, 37)
	load(s)

	if text := ansi.Strip(s.View()); !strings.Contains(text, "paid invoices since 2026-04-04 · the API lists 200") ||
		server.requests != 3 {
		t.Errorf("%d requests\n%s", server.requests, text)
	}
}

func TestHostileInvoicesFitTheScreen(t *testing.T) {
	endless := strings.Repeat("日本e\u0301", 80)
	server := &source{}
	server.open(endless, endless, math.MaxInt64, 1, 700_000, -700_000, 31)
	server.open("", "", -1, 5)
	server.open("", "", 5, 5, 5)
	for i := range server.list {
		server.list[i].Number, server.list[i].Description = endless, endless
	}
	server.list[0].DueDate = nil
	server.list[1].Total = apiclient.NewAmount(math.MaxInt64, "KWD")
	s := receivables.New(env(sample.New().Hostile().Snapshot(t)), server)
	load(s)

	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}, {41, 30}, {24, 4}} {
		s.SetSize(size[0], size[1])
		sample.CheckSize(t, s.View(), size[0], size[1])
		s.Update(sample.Press("enter"))
		sample.CheckSize(t, s.View(), size[0], size[1])
		s.Back()
	}
}

func TestAClickSelectsAndOpens(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	s.View()

	s.Click(5, 12) // the third customer
	if text := ansi.Strip(s.View()); !strings.Contains(text, "Open invoices of Acme Robotics GmbH · ap@acme.example") {
		t.Fatalf("%s", text)
	}
	s.Click(5, 21)
	cmd := s.Click(5, 21)
	if cmd == nil {
		t.Fatal("a second click opens nothing")
	}
	if got, _ := cmd().(views.Visit); got.Screen != views.Invoices {
		t.Errorf("it opens %v", got)
	}
}
