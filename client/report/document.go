package report

import (
	"strings"

	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// document is a report in words and pictures. The page and the text show the same document.
type document struct {
	Title, Subtitle string
	Cards           []card
	Sections        []section
	Basis           []string // what all figures are derived from
}

// card is a figure at the top of the page.
type card struct{ Label, Value, Detail string }

// section is a part of the document with a heading.
type section struct {
	ID, Title string
	Half      bool      // as wide as half a page, beside the next one
	Pictures  []picture // none if amounts are masked
	Tables    []table
	Notes     []string // basis of the figures, and what they leave out
}

// table is a table whose first column is text. The text form leaves out the bars of rows.
type table struct {
	Title   string // "" if the section has no other table
	Columns []column
	Rows    []row
	HasBars bool
}

type column struct {
	Title  string
	Number bool // aligned right
	Wide   bool // hidden on narrow screens
}

type row struct {
	Cells []string
	Bar   *picture
	Total bool
}

// maxName is the maximum length of a name in the document, in terminal cells.
const maxName = 40

// largest is the amount in minor units from which on amounts are shortened, because tables of
// longer ones would not fit on paper.
const largest = 100_000_000_00

// format turns figures into text. It masks amounts, percentages and numbers of months if masked is
// set. The currency is that of all totals.
type format struct {
	masked   bool
	currency string
}

// total returns a total, such as "≥$1.00".
func (f format) total(t figures.Total) string {
	switch {
	case t.Unknown:
		return money.Dash
	case f.masked:
		return t.Mark().Sign() + mask.Dots
	case t.Minor >= largest || t.Minor <= -largest:
		return t.Short()
	}
	return t.String()
}

// share returns a share, such as "~62.1%", or a dash for an unknown one.
func (f format) share(s figures.Share) string {
	if f.masked && s.Known {
		return s.Mark().Sign() + mask.Dots
	}
	return s.String()
}

// percentage returns a change in percent with its sign.
func (f format) percentage(percent int64) string {
	if f.masked {
		return mask.Dots
	}
	return record.Percentage(percent)
}

// months returns text that says something about the length of the runway.
func (f format) months(text string) string {
	if f.masked && text != money.Dash {
		return mask.Dots
	}
	return text
}

// text returns text with amounts.
func (f format) text(text string) string {
	if f.masked {
		text = mask.Text(text)
	}
	return text
}

// sentence returns a sentence from the server. If amounts are masked, it returns the sentence only
// if it has no digits.
func (f format) sentence(text string) string {
	if f.masked && strings.ContainsAny(text, "0123456789") {
		return ""
	}
	return termtext.Line(text)
}

// name returns a name from the server, shortened.
func name(text string) string {
	return strings.TrimSpace(termtext.Fit(termtext.Line(counterparty.Display(text)), maxName))
}

// monthName returns a month in words, such as "October 2026".
func monthName(first civil.Date) string { return first.Time().Format("January 2006") }

// shortMonth returns a month in words without its year, such as "Oct".
func shortMonth(first civil.Date) string { return first.Time().Format("Jan") }
