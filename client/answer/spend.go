package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/record"
	"tarmac/client/recurrence"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// MaxMonths is the largest number of months of Spend. As many months before them must be in the
// history too.
const MaxMonths = (history.Months - 1) / 2

// DefaultMonths is the number of months of Spend if none is given.
const DefaultMonths = 3

// ByCategory is the value of SpendParams.By for sums by category.
const ByCategory = "category"

// SpendParams select what was spent or received. Empty values mean the defaults.
type SpendParams struct {
	Direction apiclient.Direction
	Months    int
	By        string // "counterparty" or ByCategory
	Order     spending.Order
	// Limit is the number of counterparties after which Doc.Facts sums up the others.
	Limit int
	// Categories returns what returns the category of a transaction, or nil if none is known. It is
	// called after the transactions have been read.
	Categories func() func(*apiclient.Transaction) string
}

// Set sets a parameter from its text.
func (p *SpendParams) Set(name, text string) error {
	switch name {
	case "direction":
		return set(&p.Direction, text, directionOf)
	case "months":
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > MaxMonths {
			return &InputError{name, fmt.Sprintf("must be 1 to %d", MaxMonths)}
		}
		p.Months = n
	case "by":
		if text != "counterparty" && text != ByCategory {
			return &InputError{name, "must be counterparty or category, not " + strconv.Quote(text)}
		}
		p.By = text
	case "sort":
		return set(&p.Order, text, orderOf(spending.CounterpartyOrders()))
	}
	return nil
}

// set sets a parameter from its text. After an error the parameter is unchanged.
func set[T any](to *T, text string, parse func(text string) (T, error)) error {
	value, err := parse(text)
	if err == nil {
		*to = value
	}
	return err
}

// directionOf returns the direction that a person means.
func directionOf(text string) (apiclient.Direction, error) {
	switch strings.ToLower(text) {
	case "out", string(apiclient.Outflow):
		return apiclient.Outflow, nil
	case "in", string(apiclient.Inflow):
		return apiclient.Inflow, nil
	}
	return "", &InputError{"direction", "must be inflow or outflow, not " + strconv.Quote(text)}
}

// orderOf returns a function that parses one of the orders.
func orderOf(all []spending.Order) func(text string) (spending.Order, error) {
	return func(text string) (spending.Order, error) {
		if order := spending.Order(strings.ToLower(text)); slices.Contains(all, order) {
			return order, nil
		}
		return "", &InputError{"sort", "cannot be " + strconv.Quote(text)}
	}
}

// Spend says where the money goes, or where it comes from: the counterparties of the last full
// months by amount.
func Spend(ctx context.Context, s Source, in SpendParams) (*Doc, error) {
	if in.Months == 0 {
		in.Months = DefaultMonths
	}
	if in.Direction == "" {
		in.Direction = apiclient.Outflow
	}
	past, err := s.History(ctx, 2*in.Months+1)
	if err != nil {
		return nil, err
	}
	newest := past.Today.FirstOfMonth().AddMonths(-1)
	oldest, before := newest.AddMonths(1-in.Months), newest.AddMonths(1-2*in.Months)
	if past.IsLimited && past.Since.After(before) {
		return nil, &InputError{Text: "there are more transactions than can be read since " + figures.YearMonth(before) +
			"; ask for fewer months"}
	}
	all := past.Counterparties(in.Direction, newest, in.Months)
	if in.By == ByCategory {
		category := in.Categories()
		if category == nil {
			return nil, errors.New("no category is known: write some with `tarmac transactions category ID TEXT`")
		}
		all = past.Categories(in.Direction, newest, in.Months, category)
	}
	spending.SortCounterparties(all, in.Order)
	none := spending.Counterparty{IsCategory: in.By == ByCategory}
	d := list(tableOf(record.Counterparty(&none, record.Rows{}, in.Direction), all,
		func(c *spending.Counterparty) record.Object {
			return record.Counterparty(c, past.rows(c.Rows), in.Direction)
		}))
	for i := range all {
		rows := all[i].Rows
		if len(rows) == 0 {
			rows = all[i].RowsBefore
		}
		d.Table.Rows[i].Open = past.behind(counterparty.Display(all[i].Name), rows)
	}
	totals := past.Totals(in.Direction, oldest, newest)
	total := totals.Operating
	span := figures.YearMonth(oldest) + " to " + figures.YearMonth(newest)
	d.Table.Empty = "There are no such transactions from " + span + "."
	switch {
	case len(past.Differences) > 0:
		d.Table.Empty = "No such transaction could be read from " + span + "."
	case total.Uncovered:
		d.Table.Empty = "No such transaction is known from " + span + "."
	}
	refunds := ""
	if totals.Refunds.Minor != 0 {
		refunds = " refunds " + totals.Refunds.String() + ","
	}
	d.Title = fmt.Sprintf("%s, %s. %s:%s own transfers %s, financing %s; together %s.",
		upperFirst(DirectionName(in.Direction)), span, plural.Count(totals.Rows, "transaction"), refunds, totals.OwnTransfers,
		totals.Financing, totals.All)
	d.Summary = []string{fmt.Sprintf("%s, %s, compared with the %s before: %s in all.", span, DirectionName(in.Direction),
		plural.Count(in.Months, "month"), total)}
	others, count := past.others(all, in.Limit, oldest, newest)
	d.Figures = record.Spend(oldest, newest, in.Direction, total, others, count)
	leftOut := past.Coverage.Missing(before, newest.LastOfMonth()).WhyOf(past.Totals(in.Direction, before,
		oldest.AddMonths(-1)).Operating, total)
	return past.noteAll(d, leftOut, func(day civil.Date) bool {
		back := newest.MonthsSince(day.FirstOfMonth())
		return back >= 0 && back < in.Months
	}), nil
}

// others sums up the counterparties after the first ones.
func (p *Past) others(all []spending.Counterparty, limit int, oldest, newest civil.Date) (
	sum figures.Total, count int,
) {
	sum.Currency = p.Currency
	rows := 0
	for i := min(limit, len(all)); i < len(all); i++ {
		sum.AddPart(all[i].Total)
		rows += len(all[i].Rows)
		count++
	}
	missing := p.Coverage.Missing(oldest, newest.LastOfMonth())
	return missing.Of(sum.NothingKnown(rows), int64(rows)), count
}

// DirectionName returns the words for a direction.
func DirectionName(d apiclient.Direction) string {
	if d == apiclient.Inflow {
		return "money in"
	}
	return "money out"
}

// BridgeParams select two months, which must be full; zero values are the last two full ones.
type BridgeParams struct{ Before, After civil.Date }

// ParseBridge parses two months such as "2026-09..2026-10".
func ParseBridge(text string, today civil.Date) (p BridgeParams, err error) {
	this := today.FirstOfMonth()
	if text == "" {
		return BridgeParams{this.AddMonths(-2), this.AddMonths(-1)}, nil
	}
	p.Before, p.After, err = spending.ParseMonths(text, this.AddMonths(1-history.Months), this.AddMonths(-1))
	if err != nil {
		err = &InputError{"bridge", err.Error()}
	}
	return p, err
}

// Bridge says why the net (money in less money out) differs between two months.
func Bridge(ctx context.Context, s Source, in BridgeParams) (*Doc, error) {
	past, err := s.History(ctx, history.Months)
	if err != nil {
		return nil, err
	}
	names := figures.YearMonth(in.Before) + ".." + figures.YearMonth(in.After)
	b, ok := past.Bridge(in.Before, in.After)
	if !ok {
		return nil, errors.New("the amounts of " + names + " are too large to add up")
	}
	parts := b.Parts()
	d := list(&Table{})
	for i := range parts {
		c := &parts[i]
		row := Row{Open: past.behind(counterparty.Display(c.Name), slices.Concat(c.RowsAfter, c.RowsBefore))}
		if c.Kind == spending.KindNet {
			c.RowsBefore, c.RowsAfter = nil, nil // the IDs of all rows are in the other parts
		}
		row.Object = record.BridgePart(c, c.Name, string(c.Kind), past.rows(c.RowsBefore), past.rows(c.RowsAfter))
		d.Table.Rows = append(d.Table.Rows, row)
	}
	d.Table.Columns = d.Table.Rows[0].Object
	d.Summary = []string{fmt.Sprintf("Net of %s: %s. Net of %s: %s.", figures.YearMonth(in.Before), b.Before,
		figures.YearMonth(in.After), b.After)}
	if text := b.AddUpText(); text != "" {
		d.Summary = append(d.Summary, text)
	}
	return past.noteAll(d, b.Change().Why(), func(day civil.Date) bool {
		return day.FirstOfMonth() == in.Before || day.FirstOfMonth() == in.After
	}), nil
}

// RecurringParams select payments that recur. Empty values mean the defaults.
type RecurringParams struct {
	Direction apiclient.Direction
	Order     spending.Order
}

// Set sets a parameter from its text.
func (p *RecurringParams) Set(name, text string) error {
	switch name {
	case "direction":
		return set(&p.Direction, text, directionOf)
	case "sort":
		return set(&p.Order, text, orderOf(spending.RecurringOrders()))
	}
	return nil
}

// Recurring says what is paid or received again and again.
func Recurring(ctx context.Context, s Source, in RecurringParams) (*Doc, error) {
	if in.Direction == "" {
		in.Direction = apiclient.Outflow
	}
	past, err := s.History(ctx, history.Months)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(past.Recurring(past.Today), func(r spending.Recurring) bool {
		return r.Direction != in.Direction
	})
	spending.SortRecurring(all, in.Order)
	none := spending.Recurring{Series: recurrence.Series{Payments: make([]recurrence.Payment, 1)}}
	d := list(tableOf(record.Recurring(&none, record.Rows{}, past.Today, past.Today), all,
		func(r *spending.Recurring) record.Object {
			return record.Recurring(r, past.rows(r.Rows()), past.Begins(), past.Today)
		}))
	for i := range all {
		d.Table.Rows[i].Open = past.behind(counterparty.Display(all[i].Name), all[i].Rows())
	}
	d.Title = upperFirst(DirectionName(in.Direction)) + " that recurs."
	d.Table.Empty = past.NoneText(DirectionName(in.Direction), in.Direction) + " Read since " + past.SinceText() + "."
	yearly := past.YearlyTotal(all, in.Direction)
	d.Summary = []string{fmt.Sprintf("%s %s a year, without payments that stopped. Derived from %s since %s.",
		upperFirst(DirectionName(in.Direction)), yearly.About(yearly.String()),
		plural.Count(len(past.Rows), "transaction"), past.SinceText())}
	return past.noteAll(d, past.UnsearchedText(in.Direction), anyDay), nil
}
