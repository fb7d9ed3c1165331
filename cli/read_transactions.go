package cli

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/record"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

func newTransactions(env command.Env) *cobra.Command {
	return listGroup("transactions", "Transactions: list, get", func() *cobra.Command { return newTransactionList(env) },
		readOneCommand(env, &cobra.Command{
			Use: "get ID", Short: "Show one transaction", Example: "tarmac transactions get txn_…",
			Args: idArgument("transaction", "tarmac transactions"),
		}, (*apiclient.Client).Transaction, func(t *apiclient.Transaction) record.Object { return record.Transaction(*t) }))
}

type transactionFlags struct {
	direction, from, to, period, keyword, cursor string
	limit                                        int
	all                                          bool
}

func newTransactionList(env command.Env) *cobra.Command {
	var f transactionFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List transactions, newest first",
		Long: "list shows transactions, newest first, and the totals of all matching transactions. --all streams all " +
			"of them. An interrupted list ends with an error that says how much was written, and its JSON is " +
			"incomplete.\n" +
			"Days are dates (2026-05-31, 31 May), months (2026-05, May), quarters (2026-q2, Q2), years, or words: " +
			"today, yesterday, this or last week, month, quarter or year, mtd, qtd, ytd, 90d. Without a year, the most " +
			"recent one that has begun is meant. --from takes the first day of a period, --to the last, --period both. " +
			"Days are in UTC.",
		Example: "tarmac transactions --period \"last quarter\" --direction outflow\n" +
			"tarmac transactions --period october\n" +
			"tarmac transactions --from 2026-05 --keyword rent\n" +
			"tarmac transactions list --all --csv > ledger.csv",
	}
	cmd.Flags().StringVar(&f.direction, "direction", "", "inflow or outflow")
	command.Choices(cmd, "direction", apiclient.Inflow, apiclient.Outflow)
	cmd.Flags().StringVar(&f.from, "from", "", "first day, as a date or in words")
	cmd.Flags().StringVar(&f.to, "to", "", "last day, as a date or in words")
	cmd.Flags().StringVar(&f.period, "period", "", "first and last day, such as \"last quarter\"")
	for _, flag := range [...]string{"from", "to", "period"} {
		command.Choices(cmd, flag, "today", "yesterday", "this week", "last week", "this month", "last month", "this quarter",
			"last quarter",
			"this year", "last year", "q1", "january", "mtd", "qtd", "ytd", "30d", "90d", "12m")
	}
	cmd.Flags().StringVar(&f.keyword, "keyword", "", "text in counterparty, memo, reference or category")
	cmd.Flags().StringVar(&f.cursor, "cursor", "", "next_cursor of the previous page, with the same filters")
	cmd.Flags().IntVar(&f.limit, "limit", defaultLimit, "maximum number to list")
	cmd.Flags().BoolVar(&f.all, "all", false, "list all matching transactions")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		if f.all && cmd.Flags().Changed("limit") {
			return command.Usagef("--all and --limit cannot be combined")
		}
		q, err := f.query(civil.Of(a.Now()))
		if err != nil {
			return err
		}
		return a.listTransactions(ctx, q, maxRows(f.all, f.limit))
	})
}

// maxRows returns the maximum number of rows to list: limit, or no limit if all is set.
func maxRows(all bool, limit int) int {
	if all {
		return math.MaxInt
	}
	return limit
}

func (f transactionFlags) query(today civil.Date) (apiclient.TransactionQuery, error) {
	q := apiclient.TransactionQuery{Direction: apiclient.Direction(f.direction), Keyword: f.keyword, Cursor: f.cursor}
	if f.direction != "" && !q.Direction.Known() {
		return q, command.Usagef("--direction must be inflow or outflow, not %s", command.Quoted(f.direction))
	}
	if f.limit < 1 {
		return q, command.Usagef("--limit must be 1 or more; use --all for all")
	}
	days, err := f.days(today)
	q.From, q.To = days.From, days.To
	return q, err
}

// days parses the date flags by the same rules as the dashboard.
func (f transactionFlags) days(today civil.Date) (civil.Period, error) {
	if f.period != "" {
		if f.from != "" || f.to != "" {
			return civil.Period{}, command.Usagef("--period cannot be combined with --from or --to")
		}
		return parsePeriod("--period", f.period, today)
	}
	first, err := parsePeriod("--from", f.from, today)
	if err != nil {
		return civil.Period{}, err
	}
	last, err := parsePeriod("--to", f.to, today)
	if err != nil {
		return civil.Period{}, err
	}
	switch {
	case f.from != "" && first.From.IsZero():
		return civil.Period{}, command.Usagef("--from %s has no first day", command.Quoted(f.from))
	case f.to != "" && last.To.IsZero():
		return civil.Period{}, command.Usagef("--to %s has no last day", command.Quoted(f.to))
	}
	days := civil.Period{From: first.From, To: last.To}
	if f.from == "" || f.to == "" || !days.To.Before(days.From) {
		return days, nil
	}
	// A month without a year means the latest such month before the end date.
	if days, err = civil.ParsePeriod(f.from+".."+last.To.String(), today); err != nil {
		return days, command.Usagef("--to is before --from")
	}
	return days, nil
}

// parsePeriod parses the value of a flag as a period. If the flag was not set, it returns the zero
// period.
func parsePeriod(flag, text string, today civil.Date) (civil.Period, error) {
	if text == "" {
		return civil.Period{}, nil
	}
	p, err := civil.ParsePeriod(text, today)
	switch {
	case errors.Is(err, civil.ErrPeriod):
		return p, command.Usagef("%s must be a date such as 2026-01-31, 2026-05, oct, q3, today, \"last month\", ytd or "+
			"90d, not %s", flag, command.Quoted(text))
	case errors.Is(err, civil.ErrNumbers):
		return p, command.Usagef("%s %w", flag, err)
	case err != nil:
		return p, command.Usagef("%s: %w", flag, err)
	}
	return p, nil
}

// listTransactions prints at most the given number of transactions. It fetches them page by page.
func (a *call) listTransactions(ctx context.Context, q apiclient.TransactionQuery, most int) error {
	progress := a.progress()
	defer progress.end()
	var (
		l   *listing
		all = "the transactions"
	)
	for {
		q.Limit = min(most, maxTransactions)
		var page *apiclient.TransactionPage
		err := a.fetchWithPauses(ctx, func() (err error) {
			page, err = a.client.TransactionPage(ctx, q)
			return err
		})
		if err == nil && l == nil {
			l, err = a.listing(true, record.Transaction(apiclient.Transaction{}))
		}
		if err != nil {
			progress.end()
			return incompleteList(l, all, err)
		}
		all = money.Count(page.Summary.Count) + " transactions"
		if err := addAll(l, page.Data, record.Transaction); err != nil {
			return err
		}
		most -= len(page.Data)
		if page.NextCursor == "" || most <= 0 {
			progress.end()
			return a.endTransactions(l, page, q.Direction)
		}
		if q, _, err = page.Next(q); err != nil {
			return incompleteList(l, all, err)
		}
		progress.say(money.Count(int64(l.listed)) + " of " + all)
		if err := a.out.Flush(); err != nil {
			return err
		}
	}
}

func (a *call) endTransactions(l *listing, page *apiclient.TransactionPage, of apiclient.Direction) error {
	summary := record.Summary(page.Summary, of)
	rest := record.Object{record.Text("next_cursor", "", page.NextCursor), record.Nested("summary", summary)}
	if err := l.end(rest); err != nil {
		return err
	}
	if a.format() == asText {
		if _, err := fmt.Fprintln(a.out); err != nil {
			return err
		}
		if err := writeLabels(a.out, summary, a.columns()); err != nil {
			return err
		}
	}
	if page.NextCursor != "" {
		a.note("Showing %s of %s transactions. Use --limit for more, --all for all.", money.Count(int64(l.listed)),
			money.Count(page.Summary.Count))
	}
	a.noteHiddenColumns(l)
	return l.unreadableError("transaction")
}
