package collections

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// Doubtful is the text of an invoice that IsDoubtful, in place of the expected day.
const Doubtful = "not expected"

// NoNumbers says why there is no reminder to a customer who is only in the aging.
const NoNumbers = "No invoices are listed (probably imported), so there are no numbers to name."

// NoNumbersRead says why there is no reminder to a customer who is only in the aging, if invoices
// could not be read.
const NoNumbersRead = "Invoices could not be read, or were imported, so there are no numbers to name."

// NoNumbersOf returns NoNumbers, or NoNumbersRead if some of the invoices could not be read.
func (l *List) NoNumbersOf() string {
	if n, _ := apiclient.CountUnreadable(l.Invoices); n > 0 {
		return NoNumbersRead
	}
	return NoNumbers
}

// Order says in a few words by which rule ByPriority orders customers.
const Order = "amount × days beyond usual, by invoice"

// Meaning explains the order and the figures of customers to the user.
const Meaning = "Whom to remind first: overdue " + Order + ". Estimates: usual is the median of paid and overdue " +
	"invoices; expected is the due date and the usual delay."

// OwedText returns what is past due: the figure of the server's aging or, if that is not known, the
// total of the invoices with the mark figures.AtMost. It returns a dash if neither is known.
func (c *Customer) OwedText() string {
	switch {
	case !c.Owed.Unknown:
		return c.Owed.String()
	case c.Overdue.Unknown:
		return money.Dash
	case c.OverdueCount() == 0:
		return money.Text(0, c.Overdue.Currency)
	case c.Overdue.Excluded > 0:
		return "~" + money.Text(c.Overdue.Minor, c.Overdue.Currency)
	}
	return figures.AtMost.Sign() + money.Text(c.Overdue.Minor, c.Overdue.Currency)
}

// UsualText returns the habit, such as "12 days late", or a dash if there is none.
func (c *Customer) UsualText() string {
	switch {
	case !c.HasHabit:
		return money.Dash
	case c.Usual > 0:
		return plural.Count(c.Usual, "day") + " late"
	case c.Usual < 0:
		return plural.Count(-c.Usual, "day") + " early"
	}
	return "on time"
}

// ExpectedText returns the day of the next expected payment. If none is expected, it returns
// Doubtful or a dash.
func (c *Customer) ExpectedText() string {
	if day := c.NextExpected(); !day.IsZero() {
		return day.String()
	}
	for i := range c.Open {
		if c.Open[i].IsDoubtful {
			return Doubtful
		}
	}
	return money.Dash
}

// ExpectedText returns the day on which payment is expected, Doubtful or a dash.
func (o *Open) ExpectedText() string {
	switch {
	case o.IsDoubtful:
		return Doubtful
	case o.Expected.IsZero():
		return money.Dash
	}
	return o.Expected.String()
}

// FirstText says who is to be reminded first of the customers in the order of ByPriority: "First to
// remind: Aurelia Biolabs, $19.6k, 92 days beyond usual." It returns "" if nobody is overdue.
func FirstText(ordered []Customer) string {
	if len(ordered) == 0 || ordered[0].OverdueCount() == 0 || ordered[0].Name == "" {
		return ""
	}
	c := &ordered[0]
	text := "First to remind: " + strings.TrimSpace(termtext.Fit(c.Name, longestName))
	if !c.Owed.Unknown {
		text += ", " + c.Owed.Short()
	}
	beyond := 0
	for i := range c.Open {
		beyond = max(beyond, c.Open[i].BeyondUsual)
	}
	switch {
	case beyond > 0 && c.HasHabit:
		text += ", " + plural.Count(beyond, "day") + " beyond usual"
	case c.DaysLate() > 0:
		text += ", " + plural.Count(c.DaysLate(), "day") + " late"
	}
	return text + "."
}

// longestName is the number of cells after which a sentence shortens a name.
const longestName = 40
