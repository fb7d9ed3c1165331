package receivables

import (
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/chart"
)

// columns describes the columns of the customers table. It holds their widths in cells (0 hides a
// column), the text of each customer's overdue amount, and the largest of these amounts in cents.
type columns struct {
	name, overdue, invoices, oldest, barWidth int
	amounts                                   []string
	largest                                   int64
}

const (
	overdueHeader  = "Overdue"
	invoicesHeader = "Invoices"
	oldestHeader   = "Oldest, days"
	maxName        = 44
)

// customerColumns divides the width of the customers table. Whole amounts come first, then counts
// and ages, then names. The remaining width goes to the bars.
func customerColumns(a *apiclient.ReceivablesAging, width int) columns {
	c := columns{overdue: len(overdueHeader)}
	names := len("Customer")
	owed := figures.AgingOf(a).Customers
	for i, customer := range a.TopOverdue {
		c.largest = max(c.largest, owed[i].Cents)
		c.amounts = append(c.amounts, owed[i].String())
		c.overdue = max(c.overdue, ansi.StringWidth(c.amounts[i]))
		names = max(names, ansi.StringWidth(customer.Name))
	}
	left := width - c.overdue - 2
	for _, column := range []struct {
		at    *int
		width int
	}{{&c.invoices, len(invoicesHeader)}, {&c.oldest, len(oldestHeader)}} {
		if left-column.width-2 >= 16 {
			*column.at = column.width
			left -= column.width + 2
		}
	}
	c.name = max(0, min(left, names, maxName))
	if bar := left - c.name - 2; bar >= 10 {
		c.barWidth = min(bar, 60)
	}
	return c
}

func (c columns) header() string {
	return c.line("Customer", overdueHeader, invoicesHeader, oldestHeader)
}

func (c columns) row(i int, customer apiclient.OverdueCustomer) string {
	return c.line(nameOf(customer), c.amounts[i], count(customer.OverdueCount), count(customer.OldestDaysPastDue))
}

func nameOf(customer apiclient.OverdueCustomer) string {
	if customer.Name == "" {
		return money.Dash
	}
	return customer.Name
}

func (c columns) line(name, overdue, invoices, oldest string) string {
	line := termtext.Fit(name, c.name) + "  " + padLeft(overdue, c.overdue)
	if c.invoices > 0 {
		line += "  " + padLeft(invoices, c.invoices)
	}
	if c.oldest > 0 {
		line += "  " + padLeft(oldest, c.oldest)
	}
	return line
}

// bar draws a customer's overdue amount in the style of its oldest invoice.
func (c columns) bar(t theme.Theme, customer apiclient.OverdueCustomer) string {
	if c.barWidth == 0 || customer.OverdueCents == nil {
		return ""
	}
	oldest := 1
	if days := customer.OldestDaysPastDue; days != nil {
		oldest = int(min(*days, 1<<30))
	}
	return "  " + chart.Bar(*customer.OverdueCents, c.largest, t.Aging[figures.BucketOf(oldest)], c.barWidth)
}

func count(n *int64) string {
	if n == nil {
		return money.Dash
	}
	return money.Count(*n)
}
