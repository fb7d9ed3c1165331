// Package bookrules computes an organization's books from imported bank statements. It decides
// which lines of different statements are the same transaction, whether balances prove the lines
// complete, and which lines are transfers between own accounts. Transactions, balances and
// receivables follow from that.
//
// All rules are pure functions of everything that was imported: the order of imports, and imports
// that were undone, make no difference.
package bookrules

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode"

	"tarmac/internal/civil"
)

// Day is a number of days since 1 January 1900; 0 means no day. It needs a sixth of the memory of a
// civil.Date.
type Day int32

var epoch, epochSeconds = civil.New(1900, 1, 1), civil.New(1900, 1, 1).Time().Unix()

// DayOf returns the Day of a date, 0 for the zero date.
func DayOf(d civil.Date) Day {
	if d.IsZero() {
		return 0
	}
	return Day(d.DaysSince(epoch))
}

// Date returns the date of d, or the zero date if d is 0.
func (d Day) Date() civil.Date {
	if d == 0 {
		return civil.Date{}
	}
	const day = 24 * 60 * 60 // seconds
	return civil.Of(time.Unix(epochSeconds+int64(d)*day, 0))
}

// Entry holds the fields of one booked line of a statement that decide whether two lines are the
// same transaction.
type Entry struct {
	Line  int64  // database key of the statement's line; later lines of a file have larger keys
	Minor int64  // amount in minor units, negative for money out
	ID    uint64 // hash of the bank's id for the line; 0 if the line has none
	Day   Day    // booking date
	Value Day    // value date; 0 if the statement has none
	// Note is the caller's own mark of the line, which Merge copies.
	Note int32
}

// EntryOf returns the entry of a booked line.
func EntryOf(l Line) Entry {
	return Entry{Line: l.Key, Minor: l.Minor, ID: IDHash(l.ID), Day: DayOf(l.Booked), Value: DayOf(l.Value)}
}

// IDHash returns the hash of the bank's id of a line; 0 for "". It's odd for an id that no other
// movement of money is likely to have (isMovementID).
func IDHash(id string) uint64 {
	if id == "" {
		return 0
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(id)) // Write of a hash never fails
	sum := h.Sum64() &^ 1
	if isMovementID(id) {
		sum++
	}
	return max(sum, 2)
}

// IsMovementID reports whether the hash is that of an id that no other movement of money is
// likely to have.
func IsMovementID(hash uint64) bool { return hash%2 == 1 }

// isMovementID reports whether an id is too long to be met by chance. A number that counts, the
// number of an invoice, and a date with a number aren't: other banks give their lines the same
// ones.
func isMovementID(id string) bool {
	const fewest, mostZeros = 8, 4
	at := strings.IndexFunc(id, unicode.IsDigit)
	if at < 0 {
		return false
	}
	prefix := strings.ToUpper(strings.Trim(id[:at], " -_/.#"))
	text := squeeze(strings.TrimLeft(id[at:], "0"))
	if referenceWords[prefix] || numberedWords[prefix] || len(text) < fewest || digits(text) < fewest/2 ||
		strings.Contains(text, strings.Repeat("0", mostZeros)) {
		return false
	}
	for _, layout := range [...]string{"20060102", "02012006", "01022006"} {
		if day, err := time.Parse(layout, text[:fewest]); err == nil && day.Year() > 1990 && day.Year() < 2100 {
			return false
		}
	}
	return true
}

// Span is a range of days that includes First and Last.
type Span struct{ First, Last Day }

func (s Span) Contains(day Day) bool { return s.First <= day && day <= s.Last }

// String returns the dates of the span, such as "2026-10-01 to 2026-10-15". For a single day it
// returns one date.
func (s Span) String() string {
	if s.First == s.Last {
		return s.First.Date().String()
	}
	return s.First.Date().String() + " to " + s.Last.Date().String()
}

// Content holds what one imported file says about one account.
type Content struct {
	// Key identifies the content, for example by the hash of its file. Contents that are equal in
	// all other respects of their order are ordered by Key, so that the order of imports makes no
	// difference.
	Key string
	// Making names the layout of the file: its format, and for CSV its columns too. Files of one
	// layout choose the date of a line by the same rule, either its booking date or its value date.
	Making string
	// Rank orders layouts by how much text they have for each line; 0 is the one with most text.
	Rank int
	// Imported orders files by the time of their import: a later file has the larger number.
	Imported int64
	// Covered holds the days that the file's statements cover, as Join returns them.
	Covered []Span
	// Balances holds the account's balances in the file, ordered by day, opening balances first. Of
	// balances stated after each line, only the first and the last are included.
	Balances []Balance
	// Ends holds the balances at both ends of the file's statements, where they are known.
	Ends    []Ends
	Entries []Entry // ordered by day, amount and Line
}

// Balance is the booked balance of an account at the end of a day.
type Balance struct {
	Day     Day
	Minor   int64
	Opening bool // true if the balance is that before the first line of the file
	// Read is true for a balance in a reading of a connection. The bank may have listed lines of
	// its day, or of days before, only later.
	Read bool
}

// Join returns the days of spans in order, as spans that neither overlap nor touch.
func Join(spans []Span) []Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.First, b.First) })
	var joined []Span
	for _, s := range spans {
		last := len(joined) - 1
		if last < 0 || s.First > joined[last].Last+1 {
			joined = append(joined, s)
			continue
		}
		joined[last].Last = max(joined[last].Last, s.Last)
	}
	return joined
}

// spanOf returns the span that contains day. spans must be ordered and must not overlap.
func spanOf(spans []Span, day Day) (Span, bool) {
	at, found := slices.BinarySearchFunc(spans, day, func(s Span, day Day) int {
		switch {
		case s.Last < day:
			return -1
		case s.First > day:
			return 1
		}
		return 0
	})
	if !found {
		return Span{}, false
	}
	return spans[at], true
}

// Covers reports whether a day is in one of the spans, which must be as Join returns them.
func Covers(spans []Span, day Day) bool { return covers(spans, day) }

func covers(spans []Span, day Day) bool {
	_, covered := spanOf(spans, day)
	return covered
}

// Intersect returns the days that are in a span of a and in a span of b. Both must be as Join
// returns them.
func Intersect(a, b []Span) []Span {
	var both []Span
	for len(a) > 0 && len(b) > 0 {
		first, last := max(a[0].First, b[0].First), min(a[0].Last, b[0].Last)
		if first <= last {
			both = append(both, Span{first, last})
		}
		if a[0].Last < b[0].Last {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return Join(both)
}

// Uncovered returns the days of period that are in no span of covered, which must be as Join
// returns it.
func Uncovered(covered []Span, period Span) []Span {
	var missing []Span
	for day := period.First; day <= period.Last; day++ {
		if span, ok := spanOf(covered, day); ok {
			day = span.Last
			continue
		}
		missing = append(missing, Span{day, day})
	}
	return Join(missing)
}

// FirstDay returns the first day that contents cover; 0 if they cover none.
func FirstDay(contents []Content) Day {
	if days := Covered(contents); len(days) > 0 {
		return days[0].First
	}
	return 0
}

// compareEntries compares entries by day, then by amount, then by their position in the statement.
func compareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Line, b.Line))
}

// SortEntries puts the entries into the order of Content.Entries.
func (c *Content) SortEntries() { slices.SortFunc(c.Entries, compareEntries) }

// LastDay returns the last covered day, or 0 if c covers no day.
func (c *Content) LastDay() Day {
	if len(c.Covered) == 0 {
		return 0
	}
	return c.Covered[len(c.Covered)-1].Last
}

// On returns the entries of a day.
func (c *Content) On(day Day) []Entry {
	from, _ := slices.BinarySearchFunc(c.Entries, day, func(e Entry, day Day) int { return cmp.Compare(e.Day, day) })
	to := from
	for to < len(c.Entries) && c.Entries[to].Day == day {
		to++
	}
	return c.Entries[from:to]
}
