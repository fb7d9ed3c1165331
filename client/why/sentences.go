package why

import (
	"slices"

	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Sentence answers a question about the company's money. Answer is the beginning of Text, without
// the figures that it is computed from; "" if there are none. Brief is what follows Answer in Text,
// in fewer words; "" if there are none. Rows are the transactions that it comes from, as indices in
// Ledger.Rows; nil if it comes from figures alone. Figures are its amounts, to the cent. Names is
// true for a sentence about Changed that names counterparties.
type Sentence struct {
	Subject Subject
	Text    string
	Answer  string
	Brief   string
	Rows    []int
	Figures []Figure
	Names   bool
	Parts   []string // the parts of a sentence about Worse in words, the largest first
}

// Figure is an amount of a sentence. Name says what it is: a few words, or a counterparty's name.
type Figure struct {
	Name  string
	Total figures.Total
}

// Subject says what a sentence is about.
type Subject uint8

// Values of Subject, in the order in which the sentences are shown.
const (
	Lasts   Subject = iota // how long the cash lasts
	PastDue                // how long it lasts once the bills that are past due are paid
	Used                   // what the current month has used of the runway so far
	Changed                // why the runway changed with the last full month
	Worse                  // why the net of the last full month differs from that of the months before
	Owed                   // how much of the receivables is overdue
)

// MonthsNeeded is the number of months before the current one that the sentences are about.
// MonthsRead is the number of months, including the current one, with which they also say what is
// yearly or new.
const (
	MonthsNeeded = windowMonths + 1
	MonthsRead   = newAfter + 3
)

// Basis is what the sentences are about. What is not known is nil or false.
type Basis struct {
	Cash  *figures.Cash
	Aging *figures.Aging
	// PastDue is the sum of the bills that are past due.
	PastDue *figures.Total
	// SoFar is the net of the current month by the server's totals. Where figures are renewed one
	// by one, it is as old as Cash, and the ledger may be older or newer. If nil, the rows tell.
	SoFar  *int64
	Ledger *spending.Ledger // nil until all rows from Begins on are read
	Begins civil.Date       // first day of which the ledger has all rows
	Today  civil.Date       // last day of which the ledger has all rows
	// Over is true if Today is over, as the last day that statements cover.
	Over bool
}

// AtEndOf sets the day to the last one up to today that the coverage of the ledger knows.
func (b *Basis) AtEndOf(c figures.Coverage, today civil.Date) {
	b.Today = c.KnownTo(today)
	b.Over = b.Today.Before(today)
}

// Month returns the first day of the month that isn't full yet.
func (b Basis) Month() civil.Date {
	if b.Over && b.Today == b.Today.LastOfMonth() {
		return b.Today.AddDays(1)
	}
	return b.Today.FirstOfMonth()
}

// Sentences returns the sentences in the order in which they are shown. A sentence of which a part
// is unknown is left out.
func Sentences(b Basis) (all []Sentence) {
	if b.Cash != nil {
		if answer, basis, brief := lasts(&b); answer != "" {
			all = append(all, Sentence{
				Subject: Lasts, Text: answer + basis + ".", Answer: answer, Brief: brief + ".",
				Figures: []Figure{{"spendable", b.Cash.Spendable}, {"net burn a month", b.Cash.NetBurn}},
			})
		}
	}
	if b.Cash != nil && b.PastDue != nil {
		if text := PastDueText(b.Cash, *b.PastDue); text != "" {
			all = append(all, Sentence{Subject: PastDue, Text: text, Figures: []Figure{{"past due to vendors", *b.PastDue}}})
		}
	}
	if b.Cash != nil && b.Ledger != nil {
		if r, ok := RunwayOf(b); ok {
			all = append(all, r.sentences(b.Ledger, b.Today, b.Month())...)
		}
	}
	if b.Ledger != nil {
		last, today := b.Month().AddMonths(-1), b.Today
		if b.Month().After(today) {
			today = b.Month()
		}
		if m, ok := MonthOf(b.Ledger, last, b.Begins, today); ok {
			text, brief, parts := m.short()
			all = append(all, Sentence{
				Subject: Worse, Text: text, Brief: brief, Rows: rowsOf(b.Ledger, last.AddMonths(-1), last),
				Figures: m.figures(b.Ledger), Parts: parts,
			})
		}
	}
	if b.Aging != nil {
		if text := OwedText(b.Aging); text != "" {
			all = append(all, Sentence{
				Subject: Owed, Text: text,
				Figures: []Figure{{"outstanding", b.Aging.Outstanding}, {"overdue", b.Aging.Overdue}},
			})
		}
	}
	return all
}

// OfRunway returns the sentences of a page about the runway. If the one about the runway names what
// changed against another month, the one that compares with an average would say the same of other
// amounts, and is left out.
func OfRunway(all []Sentence) []Sentence {
	names := slices.ContainsFunc(all, func(s Sentence) bool { return s.Names })
	return slices.DeleteFunc(slices.Clone(all), func(s Sentence) bool { return names && s.Subject == Worse })
}

// lasts says how long the cash lasts, and from which figures that follows, in full and in brief. It
// returns "" if neither the runway nor whether the company burns cash is known.
func lasts(b *Basis) (answer, basis, brief string) {
	c := b.Cash
	switch {
	case c.Burning == figures.NotBurning:
		return "Not burning: over the last three full months, more money came in than went out", "", ""
	case c.Runway == nil:
		return "", "", ""
	}
	if isGone(c) {
		answer = goneText(c, b.Ledger, b.Begins, b.Today)
		if !c.NetBurn.Unknown {
			basis = ": " + c.Spendable.Short() + ", and net burn is " + c.NetBurn.Short() + " a month"
			brief = ": " + c.Spendable.Short()
		}
		return answer, basis, brief
	}
	mark := c.Mark().Sign()
	answer = mark + c.Runway.String() + " months of cash"
	if day, ok := c.ZeroDay(); ok {
		answer += ", until " + monthName(day, b.Today)
	}
	if at := c.At(); at != "" {
		answer += ", counted from the cash " + at
	}
	if !c.Spendable.Unknown && !c.NetBurn.Unknown {
		division := ": " + c.Spendable.Short() + " ÷ " + c.NetBurn.Short()
		basis, brief = division+" net burn a month", division+" a month"
		if months := c.BurnMonths(); months != "" {
			basis, brief = basis+" ("+months+")", brief+" ("+months+")"
		}
	}
	return answer, basis, brief
}

// OwedText says how much of what customers owe is overdue. It returns "" if that is unknown, or if
// nobody owes anything.
func OwedText(a *figures.Aging) string {
	if a.Outstanding.Unknown || a.Overdue.Unknown || a.Outstanding.Minor <= 0 {
		return ""
	}
	if a.Overdue.Minor == 0 && a.Overdue.Mark() == figures.NoMark {
		return "Customers owe " + a.Outstanding.Short() + "; nothing is overdue."
	}
	return "Customers owe " + a.Outstanding.Short() + ", of which " + a.Overdue.Short() + " is overdue."
}

// amounts makes figures of the rows from the day first to the day last. Their totals say how many
// of these rows have no exchange rate.
type amounts struct {
	currency string
	excluded int64
}

func amountsOf(l *spending.Ledger, first, last civil.Date) amounts {
	a := amounts{currency: l.Currency}
	for i := range l.Rows {
		if _, known := l.Rows[i].Signed(); !known && !l.Rows[i].Date.Before(first) && !l.Rows[i].Date.After(last) {
			a.excluded++
		}
	}
	return a
}

func (a amounts) of(name string, minor int64) Figure {
	return Figure{name, figures.Total{Minor: minor, Currency: a.currency, Kind: figures.Net, Excluded: a.excluded}}
}

func (a amounts) ofParts(parts []Part) (all []Figure) {
	for _, p := range parts {
		all = append(all, a.of(p.Name, p.Cents))
	}
	return all
}

// rowsOf returns the rows of months, which are given by their first days.
func rowsOf(l *spending.Ledger, months ...civil.Date) []int {
	return rowsWithin(l, func(d civil.Date) bool { return slices.Contains(months, d.FirstOfMonth()) })
}

func rowsWithin(l *spending.Ledger, within func(civil.Date) bool) (rows []int) {
	for i := range l.Rows {
		if within(l.Rows[i].Date) {
			rows = append(rows, i)
		}
	}
	return rows
}
