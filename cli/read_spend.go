package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/figures"
	"tarmac/client/history"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// mostSpendMonths is the largest value of --months. The command compares these months with the same
// number of months before them, which must be in the history too.
const mostSpendMonths = (history.Months - 1) / 2

func newSpend(env command.Env) *cobra.Command {
	var direction, bridge, order, by string
	months := 3
	cmd := &cobra.Command{
		Use:   "spend",
		Short: "Show where the money goes",
		Long: "spend shows the counterparties of the last full months by amount, and the change against as many months " +
			"before. Names that differ only in case, spaces, Unicode form or legal form are one counterparty.\n" +
			"--bridge explains how the net of one month became that of another: the counterparties that moved it most, " +
			"and all others in one row. It adds up to the cent.\n" +
			"Money of investors and lenders and transfers between own accounts are neither cost nor income. The bridge " +
			"has rows of their own for them.",
		Example: "tarmac spend\ntarmac spend --direction inflow --months 6\ntarmac spend --by category\n" +
			"tarmac spend --bridge 2026-09..2026-10",
	}
	addDirection(cmd, &direction)
	addOrder(cmd, &order, spending.CounterpartyOrders())
	cmd.Flags().IntVar(&months, "months", months, fmt.Sprintf("number of full months, at most %d", mostSpendMonths))
	cmd.Flags().StringVar(&by, "by", spendGroups[0], "sums by counterparty or by category")
	command.Choices(cmd, "by", spendGroups[:]...)
	cmd.Flags().StringVar(&bridge, "bridge", "", "compare two months, such as 2026-09..2026-10")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		if bridge != "" {
			if cmd.Flags().Changed("months") || cmd.Flags().Changed("direction") || cmd.Flags().Changed("sort") ||
				cmd.Flags().Changed("by") {
				return command.Usagef("--bridge cannot be combined with --months, --direction, --by or --sort")
			}
			return a.showBridge(ctx, bridge)
		}
		of, err := oneDirection(direction)
		if err != nil {
			return err
		}
		if months < 1 || months > mostSpendMonths {
			return command.Usagef("--months must be 1 to %d", mostSpendMonths)
		}
		if !slices.Contains(spendGroups[:], by) {
			return command.Usagef("--by must be counterparty or category, not %s", command.Quoted(by))
		}
		sorted, err := oneOrder(order, spending.CounterpartyOrders())
		if err != nil {
			return err
		}
		return a.showSpend(ctx, of, months, by == spendGroups[1], sorted)
	})
}

// spendGroups are the values of --by, the default first.
var spendGroups = [...]string{"counterparty", "category"}

func (a *call) showSpend(ctx context.Context, direction apiclient.Direction, months int, byCategory bool,
	by spending.Order) error {
	l, err := a.readHistory(ctx, 2*months+1)
	if err != nil {
		return err
	}
	newest := l.today.FirstOfMonth().AddMonths(-1)
	all := l.Counterparties(direction, newest, months)
	if byCategory {
		if all, err = a.categories(ctx, &l, direction, newest, months); err != nil {
			return err
		}
	}
	spending.SortCounterparties(all, by)
	rows := make([]record.Object, len(all))
	for i := range all {
		rows[i] = record.Counterparty(&all[i], l.record(all[i].Rows), direction)
	}
	total := l.Totals(direction, newest.AddMonths(1-months), newest).Operating
	before := l.Totals(direction, newest.AddMonths(1-2*months), newest.AddMonths(-months)).Operating
	leftOut := l.Coverage.Missing(newest.AddMonths(1-2*months), newest.LastOfMonth()).WhyOf(before, total)
	span := figures.YearMonth(newest.AddMonths(1-months)) + " to " + figures.YearMonth(newest)
	if len(rows) == 0 && a.format() == asText {
		switch {
		case len(l.differences) > 0:
			a.note("No such transaction could be read from %s.", span)
		case total.Uncovered:
			a.note("No such transaction is known from %s.", span)
		default:
			a.note("There are no such transactions from %s.", span)
		}
		a.noteHistory(&l, leftOut, nil)
		return l.unreadableError()
	}
	sample := record.Counterparty(&spending.Counterparty{IsCategory: byCategory}, record.Rows{}, direction)
	if err := a.showRows(sample, rows); err != nil {
		return err
	}
	if a.format() == asText {
		a.note("%s, %s, compared with the %s before: %s in all.", span, directionName(direction),
			plural.Count(months, "month"), total)
	}
	a.noteHistory(&l, leftOut, func(day civil.Date) bool {
		back := newest.MonthsSince(day.FirstOfMonth())
		return back >= 0 && back < months
	})
	return l.unreadableError()
}

// categories returns the sums by category, or an error if no category is known.
func (a *call) categories(ctx context.Context, l *ledgerOf, direction apiclient.Direction, newest civil.Date,
	months int) ([]spending.Counterparty, error) {
	known := a.knownOf(ctx)
	if known == nil {
		return nil, errors.New("no category is known: write some with `tarmac transactions category ID TEXT`")
	}
	return l.Categories(direction, newest, months, func(t *apiclient.Transaction) string { return known(t).Category }), nil
}

func directionName(d apiclient.Direction) string {
	if d == apiclient.Inflow {
		return "money in"
	}
	return "money out"
}

// showBridge prints why the net (money in less money out) differs between two months.
func (a *call) showBridge(ctx context.Context, text string) error {
	today := civil.Of(a.Now())
	before, after, err := parseBridge(text, today)
	if err != nil {
		return err
	}
	l, err := a.readHistory(ctx, history.Months)
	if err != nil {
		return err
	}
	b, ok := l.Bridge(before, after)
	if !ok {
		return fmt.Errorf("the amounts of %s are too large to add up", text)
	}
	var rows []record.Object
	for _, c := range b.Parts() {
		if c.Kind == spending.KindNet {
			c.RowsBefore, c.RowsAfter = nil, nil // the IDs of all rows are in the other parts
		}
		rows = append(rows, record.BridgePart(&c, c.Name, string(c.Kind), l.record(c.RowsBefore), l.record(c.RowsAfter)))
	}
	if err := a.showRows(rows[0], rows); err != nil {
		return err
	}
	if a.format() == asText {
		a.note("Net of %s: %s. Net of %s: %s.", figures.YearMonth(before), b.Before, figures.YearMonth(after), b.After)
		if text := b.AddUpText(); text != "" {
			a.note("%s", text)
		}
	}
	a.noteHistory(&l, b.Change().Why(), func(day civil.Date) bool {
		return day.FirstOfMonth() == before || day.FirstOfMonth() == after
	})
	return l.unreadableError()
}

// parseBridge parses two months such as "2026-09..2026-10". Both must be full months of the
// history.
func parseBridge(text string, today civil.Date) (before, after civil.Date, err error) {
	this := today.FirstOfMonth()
	before, after, err = spending.ParseMonths(text, this.AddMonths(1-history.Months), this.AddMonths(-1))
	if err != nil {
		return before, after, command.Usagef("--bridge %w", err)
	}
	return before, after, nil
}
