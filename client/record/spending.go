package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Rows holds the IDs of the transactions behind a figure, and of those among them that may be
// transfers between own accounts (spending.Ledger.SuspectedTransfers).
type Rows struct{ IDs, SuspectedTransfers []string }

// RowsOf returns the IDs of the rows with the given indices in a ledger. The map has the indices of
// all rows that may be transfers.
func RowsOf(l *spending.Ledger, suspected map[int]bool, rows []int) Rows {
	var transfers []int
	for _, row := range rows {
		if suspected[row] {
			transfers = append(transfers, row)
		}
	}
	return Rows{IDs: l.IDs(rows), SuspectedTransfers: l.IDs(transfers)}
}

// Recurring describes a payment that recurs. The ledger begins on the day begins, and today is the
// last day with all of its rows.
func Recurring(r *spending.Recurring, rows Rows, begins, today civil.Date) Object {
	yearly := inMinor("yearly_cents", "Per year", r.Currency, nil)
	if cents, ok := r.YearlyCents(); ok {
		yearly = inMinor("yearly_cents", "Per year", r.Currency, &cents)
	}
	missed, count := int64(r.Missed), int64(len(rows.IDs))
	change := Field{Name: "change_percent", Label: "Change %", Kind: KindDecimal, null: true, Reveals: true}
	if percent, since, ok := r.Change(); ok {
		change.null, change.text = false, strconv.FormatInt(percent, 10)
		change.detail = Percentage(percent) + " since " + figures.YearMonth(since)
	}
	next := date("next_date", "Next", r.Next.String())
	if r.Stopped {
		next = Null("next_date")
		next.Label = "Next"
	}
	status := r.Status(begins, today)
	return Object{
		counterpartyName("Counterparty", r.Name).inTable().truncated(),
		Text("direction", "Direction", string(r.Direction)),
		Text("rhythm", "Rhythm", r.Rhythm.String()).inTable(),
		inMinor("usual_cents", "Usual", r.Currency, &r.Usual).withDirection(r.Direction).inTable().phrased("usually %s"),
		change.inTable().dropOrder(2).phrasedIf(change.text != "0", "%s"),
		date("last_date", "Last", r.Last().String()).inTable().dropOrder(3).phrased("last on %s"),
		next.inTable().phrasedIf(isNextKnown(status), "next on %s"),
		yearly.withDirection(r.Direction).inTable().phrasedIf(yearly.Amount.Known(), "%s a year"),
		Text("status", "Status", status).inTable().dropOrder(4).phrasedIf(status != spending.Active, "%s"),
		date("first_date", "First", r.First().String()),
		Count("payment_count", "Payments", &count).inTable().dropOrder(1).phrased(NoPhrase),
		Count("missed_count", "Missed", &missed),
		words("transaction_ids", "", rows.IDs),
		words("suspected_transfer_ids", "", rows.SuspectedTransfers),
	}
}

// isNextKnown reports whether a payment with a status is expected again.
func isNextKnown(status string) bool { return status != spending.Stopped && status != spending.Unknown }

// Percentage returns a change in percent with its sign, such as "+18 %".
func Percentage(percent int64) string {
	sign := ""
	if percent > 0 {
		sign = "+"
	}
	return sign + strconv.FormatInt(percent, 10) + " %"
}

// Counterparty describes the sums of a counterparty, or of a category, over some months.
func Counterparty(c *spending.Counterparty, rows Rows, direction apiclient.Direction) Object {
	count := int64(len(rows.IDs))
	return slices.Concat(Object{
		groupName(c.Name, c.IsCategory).inTable().truncated(),
		Text("direction", "Direction", string(direction)),
		total("total_cents", "Total", c.Total).inTable().phrased("%s"),
		share(c.Share).inTable().dropOrder(2).phrasedIf(c.Share.Tenths > 0, "%s% of all"),
		total("average_cents", "A month", c.Average()).inTable().dropOrder(1).phrasedIf(count > 0, "%s a month"),
		total("before_cents", "Before", c.Before).inTable().dropOrder(3).phrased(NoPhrase),
		total("change_cents", "Change", c.Change()).inTable().phrasedIf(!c.Change().Unknown, "change %s"),
		Count("transaction_count", "Rows", &count).inTable().dropOrder(4).phrased(NoPhrase),
	}, leftOut(noRate(c.Total.Currency)+" (excluded)", c.Total), Object{
		date("last_date", "Last", c.Last.String()).phrasedIf(count == 0, "last on %s"),
		words("transaction_ids", "", rows.IDs),
		words("suspected_transfer_ids", "", rows.SuspectedTransfers),
	})
}

// groupName describes the name of a counterparty or of a category.
func groupName(name string, isCategory bool) Field {
	if isCategory {
		return Text("category", "Category", name)
	}
	return counterpartyName("Counterparty", name)
}

// share describes a share in a total.
func share(s figures.Share) Field {
	f := Field{Name: "share_percent", Label: "Share %", Kind: KindDecimal, null: !s.Known, Reveals: true}
	if s.Known {
		f.text = strings.TrimSuffix(figures.Percent(s.Tenths), "%")
	}
	whole := s.Whole
	whole.Kind, whole.Unknown = figures.Balance, !s.Known
	f.figure = &whole
	return f
}

// leftOut describes the numbers of rows that a total excludes. The number of those without an
// exchange rate is a field of the API, which has the given label.
func leftOut(label string, t figures.Total) Object {
	return Object{
		Count("unconverted_count", label, &t.Excluded),
		Count("undirected_count", "", &t.Undirected),
		Count("unreadable_count", "", &t.Unreadable),
	}
}

// Spend describes what was spent or received in full months: the total, and the total of the
// counterparties that are not listed.
func Spend(oldest, newest civil.Date, direction apiclient.Direction, all, others figures.Total, count int) Object {
	n := int64(count)
	return Object{
		Text("first_month", "", figures.YearMonth(oldest)).ownText(),
		Text("last_month", "", figures.YearMonth(newest)).ownText(),
		Text("direction", "", string(direction)).ownText(), total("total_cents", "", all), total("others_cents", "", others),
		Count("others_count", "", &n),
	}
}

// BridgePart describes a part of the difference between the nets of two months: a counterparty, or
// all others together.
func BridgePart(c *spending.Change, name, kind string, before, after Rows) Object {
	change := c.Change()
	return slices.Concat(Object{
		Text("name", "Counterparty", name).inTable().truncated(),
		Text("kind", "", kind),
		Text("what", "What", cmp.Or(c.Words(), kind)).inTable().derived().phrasedIf(c.Words() != "", "%s"),
		total("before_cents", "Before", c.Before).inTable().phrased("from %s"),
		total("after_cents", "After", c.After).inTable().phrased("to %s"),
		total("change_cents", "Change", change).inTable().phrased("change %s"),
	}, leftOut(noRate(change.Currency)+" (excluded)", change), Object{
		words("transaction_ids_before", "", before.IDs),
		words("transaction_ids_after", "", after.IDs),
		words("suspected_transfer_ids", "", slices.Concat(before.SuspectedTransfers, after.SuspectedTransfers)),
	})
}
