package cli

import (
	"context"
	"fmt"
	"strings"

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
	var direction, bridge string
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
		Example: "tarmac spend\ntarmac spend --direction inflow --months 6\ntarmac spend --bridge 2026-09..2026-10",
	}
	addDirection(cmd, &direction)
	cmd.Flags().IntVar(&months, "months", months, fmt.Sprintf("number of full months, at most %d", mostSpendMonths))
	cmd.Flags().StringVar(&bridge, "bridge", "", "compare two months, such as 2026-09..2026-10")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		if bridge != "" {
			if cmd.Flags().Changed("months") || cmd.Flags().Changed("direction") {
				return command.Usagef("--bridge cannot be combined with --months or --direction")
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
		return a.showSpend(ctx, of, months)
	})
}

func (a *call) showSpend(ctx context.Context, direction apiclient.Direction, months int) error {
	l, err := a.readHistory(ctx, 2*months+1)
	if err != nil {
		return err
	}
	newest := l.today.FirstOfMonth().AddMonths(-1)
	all := l.Counterparties(direction, newest, months)
	rows := make([]record.Object, len(all))
	var total figures.Total
	for i := range all {
		rows[i] = record.Counterparty(&all[i], l.record(all[i].Rows), direction)
		total.Add(all[i].Total.Cents)
		total.Excluded += all[i].Total.Excluded
	}
	span := figures.YearMonth(newest.AddMonths(1-months)) + " to " + figures.YearMonth(newest)
	if len(rows) == 0 && a.format() == asText {
		a.note("There are no such transactions from %s.", span)
		return nil
	}
	if err := a.showRows(record.Counterparty(&spending.Counterparty{}, record.Rows{}, direction), rows); err != nil {
		return err
	}
	if a.format() == asText {
		a.note("%s, %s, compared with the %s before: %s in all.", span, directionName(direction),
			plural.Count(months, "month"), total)
	}
	a.noteHistory(&l, func(day civil.Date) bool {
		back := newest.MonthsSince(day.FirstOfMonth())
		return back >= 0 && back < months
	})
	return nil
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
	part := func(c *spending.Change, name, kind string) record.Object {
		return record.BridgePart(c, name, kind, l.record(c.RowsBefore), l.record(c.RowsAfter))
	}
	var rows []record.Object
	for i := range b.Changes {
		rows = append(rows, part(&b.Changes[i], b.Changes[i].Name, string(b.Changes[i].Kind)))
	}
	if b.RestCount > 0 {
		rows = append(rows, part(&b.Rest, plural.Count(b.RestCount, "other"), "rest"))
	}
	rows = append(rows, part(&b.OwnTransfers, "Own transfers", "own_transfer"),
		part(&b.Financing, "Financing", "financing"))
	net := spending.Change{Before: b.Before.Cents, After: b.After.Cents}
	rows = append(rows, record.BridgePart(&net, "Net", "net", record.Rows{}, record.Rows{}))
	if err := a.showRows(rows[0], rows); err != nil {
		return err
	}
	if a.format() == asText {
		a.note("Net of %s: %s. Net of %s: %s.", figures.YearMonth(before), b.Before, figures.YearMonth(after), b.After)
	}
	a.noteHistory(&l, func(day civil.Date) bool { return day.FirstOfMonth() == before || day.FirstOfMonth() == after })
	return nil
}

// parseBridge parses two months such as "2026-09..2026-10". Both must be full months of the
// history.
func parseBridge(text string, today civil.Date) (before, after civil.Date, err error) {
	first, last, both := strings.Cut(text, "..")
	oldest, newest := today.FirstOfMonth().AddMonths(1-history.Months), today.FirstOfMonth().AddMonths(-1)
	if before, err = civil.Parse(first + "-01"); err == nil && both {
		after, err = civil.Parse(last + "-01")
	}
	switch {
	case err != nil || !both:
		return before, after, command.Usagef("--bridge needs two months, such as %s..%s, not %s",
			figures.YearMonth(newest.AddMonths(-1)), figures.YearMonth(newest), command.Quoted(text))
	case !before.Before(after):
		return before, after, command.Usagef("the first month of --bridge must be before the second")
	case before.Before(oldest) || after.After(newest):
		return before, after, command.Usagef("--bridge needs full months from %s to %s", figures.YearMonth(oldest),
			figures.YearMonth(newest))
	}
	return before, after, nil
}
