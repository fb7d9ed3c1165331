package samplefiles_test

import (
	"bytes"
	"crypto/rand"
	"maps"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/service/bookkeeping"
	"tarmac/service/demodata/samplefiles"
	"tarmac/service/ids"
	"tarmac/service/store"
)

func newBooks(t *testing.T) *bookkeeping.Books {
	t.Helper()
	s, err := store.Open(t.Context(), migrated.New(t), store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bookkeeping.Books{Store: s, IDs: ids.NewSource(rand.Reader), Now: func() time.Time { return today.Time() }}
	err = s.Write(t.Context(), func(tx *store.Tx) (err error) {
		company := store.Organization{PublicID: "org_a", Name: "Northlight Labs", CreatedAt: today.Time()}
		b.Org, err = tx.CreateOrganization(company)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sources returns the files as an importer takes them.
func sources(files []samplefiles.File) (all []bookkeeping.Source) {
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".plan") || f.Name == samplefiles.RulesFile { // these are not imported
			continue
		}
		all = append(all, bookkeeping.Source{Name: f.Name, Content: bytes.NewReader(f.Content)})
	}
	return all
}

func TestTheFilesAddUpWhenImported(t *testing.T) {
	for _, currency := range []string{"USD", "EUR"} {
		t.Run(currency, func(t *testing.T) { checkFilesAddUp(t, currency) })
	}
}

func checkFilesAddUp(t *testing.T, currency string) {
	t.Helper()
	files := sources(generate(t, 1, currency))

	report, err := newBooks(t).Import(t.Context(), files, bookkeeping.Options{ReportIn: currency})

	if err != nil || report.Import == "" {
		t.Fatalf("the import failed: %+v, %v", report, err)
	}
	asked := map[string]bool{}
	for _, q := range report.Questions {
		asked[q.Text+" "+q.Meanwhile] = true
		if q.Kind != bookkeeping.AboutFinancing {
			t.Errorf("the files leave open: %s", q.Text)
		}
	}
	formats := make(map[string]int)
	for _, f := range report.Files {
		formats[f.Format]++
		for _, problem := range f.Problems {
			if !asked[problem] {
				t.Errorf("%s: %q", f.Name, problem)
			}
		}
		for _, s := range f.Statements {
			if s.ResidualMinor != 0 {
				t.Errorf("%s: account %s lacks %d", f.Name, s.Account, s.ResidualMinor)
			}
		}
	}
	want := map[string]int{"ofx": 8, "camt": 19, "mt940": 1, "csv": 2, "receivables": 2, "rates": 1,
		"einvoice": 3}
	if !maps.Equal(formats, want) {
		t.Errorf("the formats are %v, want %v", formats, want)
	}
}

// Files that overlap have the same lines for the same days.
func TestOverlappingFilesHaveKnownLines(t *testing.T) {
	books := newBooks(t)
	files := sources(generate(t, 1, "USD"))
	for _, one := range files {
		report, err := books.Import(t.Context(), []bookkeeping.Source{one}, bookkeeping.Options{})
		if err != nil || report.Import == "" {
			t.Fatalf("the import failed: %+v, %v", report, err)
		}
		first := one.Name == "operating-2025-05-to-2025-07.qfx"
		repeats := strings.HasPrefix(one.Name, "operating-") && !first || one.Name == "card-2026-08-to-2026-11.qfx"
		for _, s := range report.Files[0].Statements {
			if (s.Known > 0) != repeats || strings.HasSuffix(one.Name, "days.csv") && s.New > 0 {
				t.Errorf("%s has %d new and %d known lines", one.Name, s.New, s.Known)
			}
		}
	}
}
