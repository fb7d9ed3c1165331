package receivables_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/export"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
	"tarmac/views/receivables"
)

func TestTheFiguresAreCopiedWithLabelsAndWhenTheyAreFrom(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	copied, ok := s.Update(sample.Press("Y"))().(views.Copy)
	if !ok {
		t.Fatal("nothing is copied")
	}
	for _, want := range []string{
		"Aged receivables, USD, as of 2026-", "\n  Outstanding: ≥$626,351.49\n", "\n  1–30 days: ≥$",
		"\nCustomers, whom to remind first: amount × days beyond usual, by invoice, as of 2026-",
		"\n  Northwind Traders: ≥$72,500.00 overdue, invoices 5, days late 127, usually 14 days late, expected 2026-11-",
	} {
		if !strings.Contains(copied.Text, want) {
			t.Errorf("it lacks %q:\n%s", want, copied.Text)
		}
	}
}

func TestTheBucketsAreExported(t *testing.T) {
	dir := t.TempDir()
	e := env(sample.New().Snapshot(t))
	e.Places = export.Directories{Documents: dir}
	s := receivables.New(e, invoices())
	s.SetSize(160, 21)
	s.Update(sample.Press("tab"))
	path := filepath.Join(dir, "receivables.csv")
	if s.Update(sample.Press("e")); !s.Typing() || !strings.Contains(ansi.Strip(s.View()), path) {
		t.Fatalf("%s is not offered:\n%s", path, ansi.Strip(s.View()))
	}
	sample.CheckSize(t, s.View(), 160, 21)
	write := s.Update(sample.Press("enter"))
	if !strings.Contains(ansi.Strip(s.View()), "Writing  "+path) {
		t.Errorf("it does not say that it writes:\n%s", ansi.Strip(s.View()))
	}
	if got, ok := s.Update(write())().(views.Notice); !ok || got.Problem || s.Typing() ||
		strings.Contains(ansi.Strip(s.View()), path) {
		t.Fatalf("told %+v:\n%s", got, ansi.Strip(s.View()))
	}
	text, err := os.ReadFile(path)
	if lines := strings.Split(string(text), "\r\n"); err != nil || len(lines) != 7 ||
		lines[0] != "as_of,currency,bucket,amount_cents,amount,unconverted_count" ||
		!strings.Contains(lines[2], ",USD,days_1_30,") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestCustomersAreNotExportedWhileInvoicesAreFetched(t *testing.T) {
	s := receivables.New(env(sample.New().Snapshot(t)), invoices())
	s.SetSize(160, 21)
	s.Update(views.Visible(true))
	s.Init()

	told := s.Update(sample.Press("e"))

	if notice, ok := told().(views.Notice); !ok || !notice.Problem || s.Typing() {
		t.Errorf("told %+v:\n%s", notice, ansi.Strip(s.View()))
	}
}
