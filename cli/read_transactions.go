package cli

import (
	"context"
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
	get := &cobra.Command{
		Use: "get ID", Short: "Show one transaction", Example: "tarmac transactions get txn_…",
		Args: idArgument("transaction", "tarmac transactions"),
	}
	return listGroup("transactions", "Transactions: list, get, category, note",
		func() *cobra.Command { return newTransactionList(env) },
		rowsCommand(env, get, func(ctx context.Context, a *call, args []string) error {
			t, err := a.client.Transaction(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(a.describeTransaction(ctx)(*t))
		}), newCategory(env), newNote(env))
}

type transactionFlags struct {
	direction, keyword, cursor string
	days                       command.Days
	limit                      int
	all                        bool
}

func newTransactionList(env command.Env) *cobra.Command {
	var f transactionFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List transactions, newest first",
		Long: "list shows transactions, newest first, and the totals of all matching transactions. --all streams all " +
			"of them. An interrupted list ends with an error that says how much was written, and its JSON is " +
			"incomplete.\n" +
			command.DaysHelp + " Days are in UTC.",
		Example: "tarmac transactions --period \"last quarter\" --direction outflow\n" +
			"tarmac transactions --period october\n" +
			"tarmac transactions --from 2026-05 --keyword rent\n" +
			"tarmac transactions list --all --csv > ledger.csv",
	}
	cmd.Flags().StringVar(&f.direction, "direction", "", "inflow or outflow")
	command.Choices(cmd, "direction", apiclient.Inflow, apiclient.Outflow)
	f.days.Flags(cmd)
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
	days, err := f.days.Parse(today)
	q.From, q.To = days.From, days.To
	return q, err
}

// listTransactions prints at most the given number of transactions. It fetches them page by page.
func (a *call) listTransactions(ctx context.Context, q apiclient.TransactionQuery, most int) error {
	progress := a.progress()
	defer progress.end()
	var (
		l        *listing
		all      = "the transactions"
		describe func(apiclient.Transaction) record.Object
	)
	for {
		q.Limit = min(most, maxTransactions)
		var page *apiclient.TransactionPage
		err := a.fetchWithPauses(ctx, func() (err error) {
			page, err = a.client.TransactionPage(ctx, q)
			return err
		})
		if err == nil && l == nil {
			describe = a.describeTransaction(ctx)
			l, err = a.listing(true, describe(apiclient.Transaction{
				Reporting: apiclient.UnknownAmount(page.Summary.Currency),
			}))
		}
		if err != nil {
			progress.end()
			return incompleteList(l, all, err)
		}
		all = money.Count(page.Summary.Count) + " transactions"
		if err := addAll(l, page.Data, describe); err != nil {
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
