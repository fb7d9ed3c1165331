package bookkeeping_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/ownbooks"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// A reading that says nothing new is neither derived nor written, whatever its bytes are.
func TestAReadingInOtherWordsWritesNothing(t *testing.T) {
	later := november
	later.from = "2026-10-20" // a shorter window of the same days
	for name, text := range map[string]string{
		"other blanks":   strings.ReplaceAll(november.text(), `","`, `" ,  "`),
		"a later window": later.text(),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBooks(t)
			sync(t, b, mercury, november)
			imports, err := b.Imports(t.Context())
			feed := mercury
			feed.Finish = func(*store.Tx, *ownbooks.Report) error { return errors.New("finish was called") }

			source := []bookkeeping.Source{{Name: "mercury", Content: bytes.NewReader([]byte(text))}}
			report, errRead := b.Import(t.Context(), source, bookkeeping.Options{Feed: &feed})

			if errRead != nil || !report.Feed.Unchanged || report.Import != "" {
				t.Fatalf("the report is %+v, %v", report, errRead)
			}
			again, errAgain := b.Imports(t.Context())
			if err != nil || errAgain != nil || !imports[0].At.Equal(again[0].At) {
				t.Errorf("imports were %+v, %v, and are %+v, %v", imports, err, again, errAgain)
			}
		})
	}
}

// Whatever a reading says that the books do not have is taken into them.
func TestAnyNewsOfAReadingIsTakenIn(t *testing.T) {
	for name, change := range map[string]func(r *reading, feed *bookkeeping.Feed){
		"a line":             func(r *reading, _ *bookkeeping.Feed) { r.lines = append(r.lines, r.lines[0]) },
		"a text":             func(r *reading, _ *bookkeeping.Feed) { r.lines[0].Description = "Office rent" },
		"an id":              func(r *reading, _ *bookkeeping.Feed) { r.lines[0].ID = "z" },
		"a line that waits":  func(r *reading, _ *bookkeeping.Feed) { r.lines[1].Pending = true },
		"a line less":        func(r *reading, _ *bookkeeping.Feed) { r.lines = r.lines[:1] },
		"earlier days":       func(r *reading, _ *bookkeeping.Feed) { r.from = "2026-10-08" },
		"later days":         func(r *reading, _ *bookkeeping.Feed) { r.to = "2026-11-23" },
		"a balance":          func(r *reading, _ *bookkeeping.Feed) { r.closing = "699.00" },
		"another feed":       func(_ *reading, feed *bookkeeping.Feed) { feed.OwnFeed = false },
		"the day of balance": func(r *reading, _ *bookkeeping.Feed) { r.closedOn = "2026-11-21" },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBooks(t)
			sync(t, b, mercury, november)
			r, feed := november.with(slices.Clone(november.lines)...), mercury
			change(&r, &feed)
			finished := false
			feed.Finish = func(*store.Tx, *ownbooks.Report) error { finished = true; return nil }

			report := sync(t, b, feed, r)

			if report.Feed.Unchanged || report.Import == "" || !finished {
				t.Errorf("the report is %+v, %+v; finished is %t", report, report.Feed, finished)
			}
		})
	}
}

// fataler is a test, or a case of a property test.
type fataler interface {
	Context() context.Context
	Fatalf(format string, args ...any)
}

// checkKnown checks that the report about a file that the books have is as if its accounts were
// derived anew.
func checkKnown(t fataler, b *bookkeeping.Books, file bookkeeping.Source) {
	preview := func() *ownbooks.Report {
		report, err := b.Import(t.Context(), []bookkeeping.Source{file}, bookkeeping.Options{Preview: true})
		if err != nil {
			t.Fatalf("previewing %s: %v", file.Name, err)
		}
		return report
	}
	known := preview()
	if err := b.ForgetProofs(t.Context()); err != nil {
		t.Fatalf("forgetting proofs: %v", err)
	}

	if derived := preview(); !reflect.DeepEqual(known, derived) {
		t.Fatalf("the report about %s is\n%+v\nwant\n%+v", file.Name, known.Files, derived.Files)
	}
}

func TestAKnownFileIsReportedWithoutDerivingItsAccount(t *testing.T) {
	b := newBooks(t)
	take(t, b, source("a.qfx", september.ofx()))
	if err := b.ContradictProofs(t.Context(), "what was stored"); err != nil {
		t.Fatal(err)
	}

	report, err := b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", september.ofx())},
		bookkeeping.Options{AcceptResidual: true})

	if err != nil || report.Import == "" || !slices.Contains(report.Files[0].Problems, "what was stored") {
		t.Errorf("the report is %+v, %v", report, err)
	}
}

func TestProofsOfOtherBooksAreNotReported(t *testing.T) {
	b := newBooks(t)
	residual := september
	residual.closing, residual.closedOn = "700.00", "2026-09-30"
	second := october(func(s *statement) { s.closing, s.closedOn = "5.00", "2026-10-31" })
	for _, s := range []statement{residual, second} {
		options := bookkeeping.Options{AcceptResidual: true}
		if _, err := b.Import(t.Context(), []bookkeeping.Source{source("a.qfx", s.ofx())}, options); err != nil {
			t.Fatal(err)
		}
		checkKnown(t, b, source("a.qfx", residual.ofx()))
	}
}
