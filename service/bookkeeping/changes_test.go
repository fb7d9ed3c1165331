//go:build unix

package bookkeeping_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// bookChange is a change of books that have a file of another account.
type bookChange struct {
	prepare func(t *testing.T, b *bookkeeping.Books, lines int) // makes books that can be changed; may be nil
	run     func(t *testing.T, b *bookkeeping.Books, lines int) error
	done    error // of a change that was made before
}

const renamingRule = "[[rule]]\nmatch = \"STORE\"\ncounterparty = \"Renamed\"\n"

// otherYear returns a file of that many lines of another account than year.
func otherYear(lines int) bookkeeping.Source {
	s := larger(year(lines))
	s.account = benchAccounts[1]
	return source("other.qfx", s.ofx())
}

func readFeed(b *bookkeeping.Books, r reading) error {
	_, err := b.Import(context.Background(), feedSource(r), bookkeeping.Options{Feed: &mercury})
	return err
}

var bookChanges = map[string]bookChange{
	"an import": {run: func(_ *testing.T, b *bookkeeping.Books, lines int) error {
		_, err := b.Import(context.Background(), []bookkeeping.Source{otherYear(lines)}, bookkeeping.Options{})
		return err
	}},
	"a rule": {run: func(t *testing.T, b *bookkeeping.Books, _ int) error {
		_, err := b.EditRules(t.Context(), func(string) string { return renamingRule })
		return err
	}},
	"undoing an import": {
		prepare: func(t *testing.T, b *bookkeeping.Books, lines int) { take(t, b, otherYear(lines)) },
		run: func(t *testing.T, b *bookkeeping.Books, _ int) error {
			_, imports, err := b.Overview(t.Context())
			at := slices.IndexFunc(imports, func(i ownbooks.Import) bool { return i.Files[0].Name == "other.qfx" })
			if err != nil || at < 0 {
				return errors.Join(err, store.ErrNotFound)
			}
			_, err = b.Undo(t.Context(), imports[at].ID)
			return err
		},
		done: store.ErrNotFound,
	},
	"forgetting a connection": {
		prepare: func(t *testing.T, b *bookkeeping.Books, lines int) { sync(t, b, mercury, readingOf(lines)) },
		run: func(t *testing.T, b *bookkeeping.Books, _ int) error {
			_, err := b.ForgetFeed(t.Context(), mercury.Connection, nil)
			return err
		},
	},
	"a role": {run: func(t *testing.T, b *bookkeeping.Books, _ int) error {
		_, err := b.SetRole(t.Context(), "6789", "excluded")
		return err
	}},
	"another currency": {
		prepare: func(t *testing.T, b *bookkeeping.Books, _ int) { take(t, b, weeklyRates("EUR")) },
		run: func(t *testing.T, b *bookkeeping.Books, _ int) error {
			_, err := b.SetCurrency(t.Context(), "EUR")
			return err
		},
	},
	"the first reading of a connection": {run: func(_ *testing.T, b *bookkeeping.Books, lines int) error {
		return readFeed(b, readingOf(lines))
	}},
	"a reading with other lines": {
		prepare: func(t *testing.T, b *bookkeeping.Books, lines int) { sync(t, b, mercury, readingOf(lines)) },
		run: func(_ *testing.T, b *bookkeeping.Books, lines int) error {
			r := readingOf(lines)
			for n := range lines / 10 {
				r.lines[n].Description = fmt.Sprint("STORE OF ANOTHER NAME ", n)
			}
			r.closing, r.closedOn = "12.34", r.to
			return readFeed(b, r)
		},
	},
}

// SQLite has one writer, so others wait for each transaction of a change.
func TestNoTransactionOfAChangeWritesManyRows(t *testing.T) {
	for name, change := range bookChanges {
		t.Run(name, func(t *testing.T) {
			lines := long.Size(4_000, 20_000)
			most := int64(0)
			b, _ := newSQLiteBooks(t, func(changes int64) { most = max(most, changes) })
			take(t, b, source("a.qfx", year(lines).ofx()))
			if change.prepare != nil {
				change.prepare(t, b, lines)
			}

			if err := change.run(t, b, lines); err != nil {
				t.Fatal(err)
			}

			// A transaction writes up to 3,000 transactions, in three tables and the search index.
			if most > 12_000 {
				t.Errorf("a transaction changed %d rows", most)
			}
			checkDerivedAnew(t, b)
		})
	}
}

// Only the last transaction of an import writes as many rows as a list of open invoices has.
func TestALongListOfOpenInvoicesIsStoredInParts(t *testing.T) {
	const invoices = 4_000
	var list strings.Builder
	list.WriteString(openHead)
	for n := range invoices {
		fmt.Fprintf(&list, "A-%05d,Customer %d,2026-09-01,2026-09-30,USD,12.00\n", n, n%50)
	}
	var large []int64
	b, _ := newSQLiteBooks(t, func(changes int64) {
		if changes > 2_000 {
			large = append(large, changes)
		}
	})

	report := take(t, b, source("open.csv", list.String()))

	if report.Files[0].OpenItems != invoices || len(large) != 1 {
		t.Errorf("%d invoices; transactions of many rows have %d", report.Files[0].OpenItems, large)
	}
}

// While the books are derived, no transaction holds SQLite's writer.
func TestAnotherOrganizationWritesWhileTheBooksAreDerived(t *testing.T) {
	for name, change := range bookChanges {
		t.Run(name, func(t *testing.T) {
			b, path := newSQLiteBooks(t, nil)
			neighbour, derived := openBooks(t, path, nil), false
			take(t, b, source("a.qfx", year(300).ofx()))
			if change.prepare != nil {
				change.prepare(t, b, 200)
			}
			b.OnDerived(func() {
				derived = true
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				err := neighbour.Store.Write(ctx, func(tx *store.Tx) error {
					_, err := tx.CreateOrganization(store.Organization{PublicID: "org_b", Name: "Neighbour", CreatedAt: now})
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})

			err := change.run(t, b, 200)

			if err != nil || !derived {
				t.Errorf("the books were changed with %v, and derived: %t", err, derived)
			}
		})
	}
}

// The books at each commit of a change are those that remain if it is killed there.
func TestAChangeThatIsKilledAtAnyPointIsWholeOrAbsent(t *testing.T) {
	for name, change := range bookChanges {
		for path, atOnce := range map[string]int{" at once": 0, " beside the ledger": -1} {
			t.Run(name+path, func(t *testing.T) { killChange(t, change, atOnce) })
		}
	}
}

func killChange(t *testing.T, change bookChange, atOnce int) {
	var path string
	var copies []string
	b, file := newSQLiteBooks(t, func(int64) {
		if path != "" {
			copies = append(copies, copyDatabase(t, path))
		}
	})
	b.SetAtOnce(atOnce)
	const lines = 150
	take(t, b, source("a.qfx", year(200).ofx()))
	if change.prepare != nil {
		change.prepare(t, b, lines)
	}
	before := pictureOf(t, b)

	path = file
	if err := change.run(t, b, lines); err != nil {
		t.Fatal(err)
	}
	path = ""

	after := pictureOf(t, b)
	if atOnce < 0 { // there are many
		copies = every(long.Size(3, 1), copies)
	}
	absent := 0
	for n, copied := range copies {
		killed := openBooks(t, copied, nil)
		picture := pictureOf(t, killed)
		switch picture {
		case before:
			absent++
		case after:
		default:
			t.Fatalf("after transaction %d the books are neither those before nor after:\n%s", n,
				firstDifference(picture, before))
		}
		if n%3 == 0 {
			checkDerivedAnew(t, killed)
		}
		if err := change.run(t, killed, lines); err != nil && !errors.Is(err, change.done) {
			t.Fatal(err)
		}
		if picture == before && pictureOf(t, killed) != after {
			t.Fatalf("after transaction %d and the change again: %s", n, firstDifference(pictureOf(t, killed), after))
		}
		checkNothingLeft(t, killed, copied)
		if n%3 == 1 {
			checkDerivedAnew(t, killed)
		}
	}
	if absent == 0 || absent == len(copies) {
		t.Errorf("of %d transactions, %d have not published the change", len(copies), absent)
	}
	t.Logf("of %d transactions, %d have not published the change", len(copies), absent)
}

// every returns each step-th of some copies.
func every(step int, copies []string) (some []string) {
	for n := 0; n < len(copies); n += step {
		some = append(some, copies[n])
	}
	return some
}

// firstDifference returns the first line of a text that is not in the other, with that of the
// other.
func firstDifference(text, other string) string {
	lines, others := strings.Split(text, "\n"), strings.Split(other, "\n")
	for n := range min(len(lines), len(others)) {
		if lines[n] != others[n] {
			return fmt.Sprintf("%q instead of %q", lines[n], others[n])
		}
	}
	return fmt.Sprintf("%d lines instead of %d", len(lines), len(others))
}
