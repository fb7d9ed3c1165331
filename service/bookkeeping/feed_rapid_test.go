package bookkeeping_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// The days of the account in the property test, and the days that a reading covers.
var (
	bankFirst = civil.New(2026, 5, 1)
	bankLast  = civil.New(2026, 10, 31)
)

// earliest is before all days that readings and files cover.
var earliest = bankFirst.AddDays(-90)

const window = 44

// Whatever readings, files and failures a connection's history has, the books are those of one
// reading of all days with the same files, and they add up.
func TestTheBooksFollowFromTheBankAndNotFromTheReadings(t *testing.T) {
	long.Cases(t, 3, 15)
	shared := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		bank := drawFeedBank(t)
		h := &feedHistory{T: t, feedBank: bank, b: newCompanyBooks(t, shared), today: bankFirst.AddDays(20)}
		h.sync()
		for h.today.Before(bankLast) {
			h.step()
			if different, err := h.b.DerivedAnew(t.Context()); different != 0 || err != nil {
				t.Fatalf("%d transactions are not as if all were derived anew, %v", different, err)
			}
		}
		h.today = bankLast.AddDays(20)
		h.sync()
		h.read(earliest, h.today.AddDays(-window-1), false)
		got := h.picture()

		for _, id := range h.imports {
			h.undo(id)
		}
		h.forget()
		for _, file := range h.files {
			h.take(file)
		}
		h.read(earliest, h.today, true)

		if want := h.picture(); got != want {
			t.Fatalf("the books are:\n%s\nwant:\n%s", got, want)
		}
	})
}

// feedBank is a bank account with what the bank tells of it at which time.
type feedBank struct {
	opening int64
	lines   []bankLine // ordered by day
	relinks []civil.Date
}

// bankLine is a line of the account.
type bankLine struct {
	day    civil.Date
	held   civil.Date // first day on which the line is listed as pending
	listed civil.Date // first day on which it is listed as booked
	// counted is the first day on which the balance includes the line. Most banks list a line then.
	counted civil.Date
	local   civil.Date // date in files, which is that of the bank's time zone
	minor   int64
	text    string
}

func drawFeedBank(t *rapid.T) *feedBank {
	b := &feedBank{opening: rapid.Int64Range(0, 1_000_000).Draw(t, "opening")}
	days := bankLast.DaysSince(bankFirst)
	late, zones := rapid.Bool().Draw(t, "late lines"), rapid.Bool().Draw(t, "time zones")
	for n := range rapid.IntRange(1, 60).Draw(t, "lines") {
		l := bankLine{
			day: bankFirst.AddDays(rapid.IntRange(0, days).Draw(t, "day")), text: fmt.Sprintf("Payee%c", 'A'+n%7),
			minor: rapid.SampledFrom([]int64{-5000, -5000, -1250, 98765}).Draw(t, "amount") + int64(n%3),
		}
		l.held = l.day.AddDays(-rapid.IntRange(0, 3).Draw(t, "held"))
		l.listed, l.counted, l.local = l.day, l.day, l.day
		if zones {
			l.local = l.day.AddDays(-rapid.IntRange(0, 1).Draw(t, "zone"))
			// Among many lines of one amount on adjacent days, no rule can tell which of them moved
			// (docs/providers.md, "What a reading changes").
			l.minor += int64(n)
		}
		if late {
			l.listed = l.day.AddDays(rapid.IntRange(0, 4).Draw(t, "listed"))
			l.counted = rapid.SampledFrom([]civil.Date{l.day, l.listed, l.listed}).Draw(t, "counted")
		}
		b.lines = append(b.lines, l)
	}
	slices.SortStableFunc(b.lines, func(x, y bankLine) int { return x.day.Compare(y.day) })
	for range rapid.IntRange(0, 2).Draw(t, "relinks") {
		b.relinks = append(b.relinks, bankFirst.AddDays(rapid.IntRange(0, days).Draw(t, "relink")))
	}
	return b
}

// reading returns what the bank tells on a day about a period.
func (b *feedBank) reading(today, from, to civil.Date, withBalance bool) reading {
	r := reading{from: from.String(), to: to.String()}
	link := 0
	for _, day := range b.relinks {
		if !today.Before(day) {
			link++
		}
	}
	balance := b.opening
	for n, l := range b.lines {
		if !today.Before(l.counted) {
			balance += l.minor
		}
		line := feedLine{Amount: amountText(l.minor), Description: l.text, ID: fmt.Sprintf("%d-%d", link, n)}
		switch listed := !today.Before(l.listed); {
		case listed && !l.day.Before(from) && !to.Before(l.day):
			line.Date = l.day.String()
			r.lines = append(r.lines, line)
		case !listed && !today.Before(l.held) && withBalance:
			line.Date, line.Pending, line.ID = l.held.String(), true, fmt.Sprint("held ", n)
			r.lines = append(r.lines, line)
		}
	}
	if withBalance {
		r.closing, r.closedOn = amountText(balance), today.String()
	}
	return r
}

func amountText(minor int64) string {
	sign := ""
	if minor < 0 {
		sign, minor = "-", -minor
	}
	return fmt.Sprintf("%s%d.%02d", sign, minor/100, minor%100)
}

// file returns a file of settled days.
func (b *feedBank) file(from, to civil.Date) feedFile {
	s := statement{account: september.account, first: from.String(), last: to.String(), closedOn: to.String()}
	balance := b.opening
	for n, l := range b.lines {
		if !to.Before(l.local) {
			balance += l.minor
		}
		if !l.local.Before(from) && !to.Before(l.local) {
			s.lines = append(s.lines, line{l.local.String(), amountText(l.minor), fmt.Sprint("f", n), l.text})
		}
	}
	s.closing = amountText(balance)
	return feedFile{name: from.String() + ".qfx", content: s.ofx()}
}

// showsZone reports whether a file has lines by which its time zone can be told, if it needs any:
// where none but a line at an end of its days has another date than the reading, no rule can tell
// this line from two of one amount (docs/providers.md, "What a reading changes").
func (b *feedBank) showsZone(from, to civil.Date) bool {
	has := func(day civil.Date) bool { return !day.Before(from) && !to.Before(day) }
	atEnd := false
	for _, l := range b.lines {
		switch local := has(l.local); {
		case local && has(l.day) && l.local != l.day:
			return true
		case local != has(l.day):
			atEnd = true
		}
	}
	return !atEnd
}

type feedFile struct{ name, content string }

// feedHistory is the history of a connection and of its books.
type feedHistory struct {
	*rapid.T
	*feedBank
	b       *bookkeeping.Books
	today   civil.Date
	files   []feedFile
	imports []string // ids of the imports of files
}

// step draws what happens next.
func (h *feedHistory) step() {
	switch rapid.IntRange(0, 9).Draw(h.T, "step") {
	case 0, 1, 2, 3:
		h.today = h.today.AddDays(rapid.IntRange(1, 12).Draw(h.T, "days"))
		h.sync()
	case 4:
		h.sync()
	case 5, 6:
		to := h.today.AddDays(-6)
		from := to.AddDays(-rapid.IntRange(0, 60).Draw(h.T, "length"))
		file := h.file(from, to)
		if h.showsZone(from, to) && !slices.Contains(h.files, file) {
			h.files, h.imports = append(h.files, file), append(h.imports, h.take(file))
		}
	case 7:
		if len(h.files) > 0 {
			n := rapid.IntRange(0, len(h.files)-1).Draw(h.T, "undo")
			h.undo(h.imports[n])
			h.files, h.imports = slices.Delete(h.files, n, n+1), slices.Delete(h.imports, n, n+1)
		}
	case 8:
		feed := mercury
		feed.Finish = func(*store.Tx, *ownbooks.Report) error { return errKilled }
		content := h.reading(h.today, h.today.AddDays(-window), h.today, true).with()
		report, err := h.b.Import(h.Context(), feedSource(content), bookkeeping.Options{Feed: &feed})
		removed := new(bookkeeping.RemovedError)
		unchanged := err == nil && report.Feed.Unchanged
		if !unchanged && !errors.Is(err, errKilled) && !errors.As(err, &removed) {
			h.Fatalf("the reading ended with %v", err)
		}
	case 9:
		h.forget()
		h.sync()
	}
}

func (h *feedHistory) undo(id string) {
	if _, err := h.b.Undo(h.Context(), id); err != nil {
		h.Fatal(err)
	}
}

func (h *feedHistory) forget() {
	if _, err := h.b.ForgetFeed(h.Context(), mercury.Connection, nil); err != nil {
		h.Fatal(err)
	}
}

var errKilled = errors.New("killed")

func (h *feedHistory) sync() { h.read(h.today.AddDays(-window), h.today, true) }

func (h *feedHistory) read(from, to civil.Date, withBalance bool) {
	content := h.reading(h.today, from, to, withBalance)
	for range 2 { // the second reading is the same
		report, err := h.b.Import(h.Context(), feedSource(content), bookkeeping.Options{Feed: &mercury})
		if err != nil {
			h.Fatalf("reading %s to %s on %s: %v", from, to, h.today, err)
		}
		if report.Feed.Unchanged {
			return
		}
	}
	h.Fatal("the same reading again changed the books")
}

// take imports a file and returns the id of the import.
func (h *feedHistory) take(file feedFile) string {
	h.b.SetAtOnce(rapid.SampledFrom([]int{0, -1, 5}).Draw(h.T, "transactions at once"))
	source := bookkeeping.Source{Name: file.name, Content: bytes.NewReader([]byte(file.content))}
	report, err := h.b.Import(h.Context(), []bookkeeping.Source{source}, bookkeeping.Options{AcceptResidual: true})
	if err != nil || report.Import == "" {
		h.Fatalf("importing %s: %+v, %v", file.name, report, err)
	}
	return string(report.Import)
}

// picture describes the books. They must add up.
func (h *feedHistory) picture() string {
	var b strings.Builder
	page, summary, err := h.b.Store.Listing(h.Context(), h.b.Org, ledger.Filter{}, nil, 1000)
	if err != nil {
		h.Fatal(err)
	}
	for _, row := range page.Rows {
		fmt.Fprintf(&b, "%+v\n", row)
	}
	states, err := h.b.Accounts(h.Context())
	if err != nil || len(states) != 1 || states[0].Contradiction {
		h.Fatalf("the accounts are %+v, %v", states, err)
	}
	s := &states[0]
	fmt.Fprintf(&b, "%+v\n%d lines, %d on %s, %d pending, %v\n", summary, s.Lines, *s.Balance, s.AsOf.String(),
		s.PendingMinor, s.Covered)
	return b.String()
}
