package figures

import (
	"cmp"
	"math"
	"strings"

	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// Kind says what a total adds up. It decides how missing rows could change the total.
type Kind int

// Values of Kind.
const (
	Gross   Kind = iota // sum of amounts without sign, such as inflow; further rows increase it
	Net                 // difference, printed with its sign
	Balance             // cash on a day, or net burn
)

// Total is a total in minor units of Currency. Excluded is the number of rows that it leaves out
// because they have no exchange rate, Undirected the number of those whose direction is unknown,
// and Unreadable the number of rows of its months that could not be read, each of which may belong
// to it. Unknown says that the server did not send the total, or that nothing of it is known.
//
// Reason says why the total is unknown, and LeftOut what else it leaves out; both are sentences of
// our own, or "". Names are the names, from the server, of what LeftOut means. Unanswered says on
// which questions the total depends that nobody has answered yet, and what it would be, or "".
type Total struct {
	Minor                  int64
	Currency               string
	Kind                   Kind
	Excluded, Undirected   int64
	Unreadable             int64
	Receivables            bool // the excluded rows are receivables, not transactions
	Unknown                bool
	Reason, LeftOut, Names string
	Unanswered             string
	// MayBeLess says what may be counted although it is not owed any more, or "".
	MayBeLess string
	// Uncovered is true if statements do not cover all days of the total. It is not compared then.
	Uncovered bool
}

// UnknownTotal returns a total that is unknown. The reason is a sentence.
func UnknownTotal(currency string, kind Kind, reason string) Total {
	return Total{Currency: currency, Kind: kind, Unknown: true, Reason: reason}
}

// Why returns the Reason of an unknown total, or else a sentence about what the total leaves out.
// It returns "" if the total is complete.
func (s Total) Why() string {
	if s.Reason != "" {
		return s.Reason
	}
	excluded := Excluded(s.Excluded, 0, s.Currency)
	if s.Receivables {
		excluded = Excluded(0, s.Excluded, s.Currency)
	}
	var sentences []string
	left := [...]string{s.Unanswered, s.MayBeLess, s.LeftOut, excluded, undirected(s.Undirected), unreadable(s.Unreadable)}
	for _, one := range left {
		if one != "" {
			sentences = append(sentences, one)
		}
	}
	return strings.Join(sentences, " ")
}

// Reasons of totals that overflow, and of those whose parts are in several currencies.
const (
	tooLarge = "The sum is too large."
	mixed    = "Its parts are in different currencies."
)

// Add adds an amount in minor units of the total's currency. If the total overflows, it becomes
// unknown.
func (s *Total) Add(cents int64) {
	sum, ok := money.Add(s.Minor, cents)
	s.Minor = sum
	if !ok && !s.Unknown {
		s.Unknown, s.Reason = true, tooLarge
	}
}

// AddPart adds the total of other rows of the same months, with what it leaves out. The rows that
// could not be read are the same for all parts, and are counted once.
func (s *Total) AddPart(p Total) {
	s.join(p.Currency)
	s.Add(p.Minor)
	s.Excluded, s.Undirected = addCount(s.Excluded, p.Excluded), addCount(s.Undirected, p.Undirected)
	s.Unreadable = max(s.Unreadable, p.Unreadable)
	s.LeftOut, s.Names = cmp.Or(s.LeftOut, p.LeftOut), cmp.Or(s.Names, p.Names)
	s.Unanswered, s.Uncovered = cmp.Or(s.Unanswered, p.Unanswered), s.Uncovered || p.Uncovered
	s.MayBeLess = cmp.Or(s.MayBeLess, p.MayBeLess)
	if p.IsTooLarge() {
		s.Unknown, s.Reason = true, tooLarge
	}
}

// join gives the total the currency of a part that is added. A total never mixes currencies: with a
// part in another one, it is unknown.
func (s *Total) join(currency string) {
	switch {
	case s.Currency == "":
		s.Currency = currency
	case currency != "" && currency != s.Currency && !s.Unknown:
		s.Unknown, s.Reason = true, mixed
	}
}

// IsTooLarge reports whether the total is unknown because it overflowed.
func (s Total) IsTooLarge() bool { return s.Unknown && s.Reason == tooLarge }

// Combine returns a total of this kind with the given amount. It leaves out what any of the parts
// leave out, and is unknown if any of them is.
func Combine(kind Kind, minor int64, parts ...Total) Total {
	all := Total{Minor: minor, Kind: kind}
	for _, p := range parts {
		all.join(p.Currency)
		all.Excluded, all.Undirected = addCount(all.Excluded, p.Excluded), addCount(all.Undirected, p.Undirected)
		all.Unreadable = addCount(all.Unreadable, p.Unreadable)
		all.Unknown, all.Receivables = all.Unknown || p.Unknown, all.Receivables || p.Receivables
		all.Reason, all.LeftOut = cmp.Or(all.Reason, p.Reason), cmp.Or(all.LeftOut, p.LeftOut)
		all.Names, all.Unanswered = cmp.Or(all.Names, p.Names), cmp.Or(all.Unanswered, p.Unanswered)
		all.Uncovered, all.MayBeLess = all.Uncovered || p.Uncovered, cmp.Or(all.MayBeLess, p.MayBeLess)
	}
	return all
}

// Difference returns a difference of two totals. It is unknown if one of them is, if statements do
// not cover all days of both, or if it overflows.
func Difference(of, less Total) Total {
	d := Combine(Net, of.Minor, of, less)
	d.Unknown = d.Unknown || d.Uncovered
	if less.Minor == math.MinInt64 {
		d.Add(math.MaxInt64)
		d.Add(1)
		return d
	}
	d.Add(-less.Minor)
	return d
}

// IsNothing reports whether the total is a complete one of 0.
func (s Total) IsNothing() bool { return s == Total{Currency: s.Currency, Kind: s.Kind} }

// LeavesOut returns the number of rows that are missing in the total.
func (s Total) LeavesOut() int64 { return addCount(addCount(s.Excluded, s.Undirected), s.Unreadable) }

// NothingKnown returns the total as unknown if it leaves out all rows that it should count, and
// otherwise unchanged. The number of rows does not include those that could not be read.
func (s Total) NothingKnown(rows int) Total {
	s.Unknown = s.Unknown || s.LeavesOut() > 0 && s.Excluded+s.Undirected >= int64(rows)
	return s
}

// Mark returns the mark of the total. A complete or unknown total has none.
func (s Total) Mark() Mark {
	switch {
	case s.Unknown:
		return NoMark
	case s.Unanswered != "":
		return Unanswered
	case s.LeavesOut() <= 0 && s.LeftOut == "" && s.MayBeLess == "":
		return NoMark
	case s.LeavesOut() <= 0 && s.LeftOut == "" && s.Kind == Gross:
		return AtMost
	case s.MayBeLess != "":
		return Partial
	case s.Kind == Gross && s.LeftOut == "":
		return AtLeast
	}
	return Partial
}

// String returns the total with its mark, such as "$1.00", "≥$1.00" or "~+$1.00". For an unknown
// total it returns a dash.
func (s Total) String() string { return s.write(money.Text) }

// Short returns the total in a shorter form, such as "≥$12.4k". A total with the mark AtLeast is
// rounded down, and one with AtMost is not shorter.
func (s Total) Short() string {
	switch s.Mark() {
	case AtLeast:
		return s.write(money.ShortDown)
	case AtMost: // rounded down it would not be
		return s.String()
	}
	return s.write(money.Short)
}

func (s Total) write(format func(int64, string) string) string {
	switch {
	case s.Unknown:
		return money.Dash
	case s.Kind == Net && s.Minor > 0:
		return s.Mark().Sign() + "+" + format(s.Minor, s.Currency)
	}
	return s.Mark().Sign() + format(s.Minor, s.Currency)
}

// About returns the text of an estimate: "about $1.00", or the text itself if its mark says enough.
func (s Total) About(text string) string {
	if s.Unknown || s.Mark() != NoMark {
		return text
	}
	return "about " + text
}

// Excluded returns a sentence such as "2 transactions have no USD rate and are excluded." It
// returns "" if both numbers are 0.
func Excluded(transactions, receivables int64, currency string) string {
	var parts []string
	for _, part := range [...]struct {
		n    int64
		noun string
	}{{transactions, "transaction"}, {receivables, "receivable"}} {
		if part.n > 0 {
			parts = append(parts, plural.Count(part.n, part.noun))
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case transactions+receivables == 1:
		return parts[0] + " has no " + Rate(currency) + " and is excluded."
	}
	return strings.Join(parts, " and ") + " have no " + Rate(currency) + " and are excluded."
}

// Rate names the exchange rate to a currency, such as "USD rate".
func Rate(currency string) string { return strings.TrimSpace(currency + " rate") }

// undirected returns a sentence such as "2 transactions have an unknown direction and are
// excluded." It returns "" for none.
func undirected(transactions int64) string {
	switch {
	case transactions <= 0:
		return ""
	case transactions == 1:
		return "1 transaction has an unknown direction and is excluded."
	}
	return plural.Count(transactions, "transaction") + " have an unknown direction and are excluded."
}

// unreadable returns a sentence such as "2 transactions could not be read and are excluded." It
// returns "" for none.
func unreadable(transactions int64) string {
	switch {
	case transactions <= 0:
		return ""
	case transactions == 1:
		return "1 transaction could not be read and is excluded."
	}
	return plural.Count(transactions, "transaction") + " could not be read and are excluded."
}

// ExcludedShort returns a shorter form of Excluded, such as "2 without USD rate".
func ExcludedShort(rows int64, currency string) string {
	if rows <= 0 {
		return ""
	}
	return money.Count(rows) + " without " + Rate(currency)
}

// WhyShort returns a shorter form of Why for a total that leaves out rows, such as "2 without USD
// rate, 1 without direction, 3 unreadable".
func (s Total) WhyShort() string {
	var parts []string
	for _, part := range [...]struct {
		rows int64
		what string
	}{{s.Excluded, " without " + Rate(s.Currency)}, {s.Undirected, " without direction"}, {s.Unreadable, " unreadable"}} {
		if part.rows > 0 {
			parts = append(parts, money.Count(part.rows)+part.what)
		}
	}
	return strings.Join(parts, ", ")
}
