package cli

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

func newTransactions(s Surroundings) *cobra.Command {
	return withList("transactions", "Transactions: list, get", func() *cobra.Command { return newTransactionList(s) },
		readingOne(s, &cobra.Command{
			Use: "get ID", Short: "Show one transaction", Args: about("transaction", "tarmac transactions"),
		}, (*apiclient.Client).Transaction, func(t *apiclient.Transaction) object { return transactionObject(*t) }))
}

type transactionFlags struct {
	direction, from, to, keyword, cursor string
	limit                                int
	all                                  bool
}

func newTransactionList(s Surroundings) *cobra.Command {
	var f transactionFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List transactions, newest first",
		Long: "list shows transactions, newest first, and what all that match come to. --all lists every one of them as they arrive, however many.\n" +
			"A list that breaks off ends with an error, and as JSON without its end.",
		Example: "tarmac transactions --from 2026-01-01 --direction outflow\ntarmac transactions list --all --csv > ledger.csv",
	}
	cmd.Flags().StringVar(&f.direction, "direction", "", "inflow or outflow")
	choices(cmd, "direction", apiclient.Inflow, apiclient.Outflow)
	cmd.Flags().StringVar(&f.from, "from", "", "the first day, YYYY-MM-DD")
	cmd.Flags().StringVar(&f.to, "to", "", "the last day, YYYY-MM-DD")
	cmd.Flags().StringVar(&f.keyword, "keyword", "", "text in counterparty, memo, reference or category")
	cmd.Flags().StringVar(&f.cursor, "cursor", "", "where the list before ended: its next_cursor, with the same filters")
	cmd.Flags().IntVar(&f.limit, "limit", defaultListed, "how many at most")
	cmd.Flags().BoolVar(&f.all, "all", false, "every one that matches")
	return listingRows(s, cmd, func(ctx context.Context, a *ask, _ []string) error {
		if f.all && cmd.Flags().Changed("limit") {
			return usagef("--all and --limit exclude each other")
		}
		q, err := f.query()
		if err != nil {
			return err
		}
		return a.listTransactions(ctx, q, most(f.all, f.limit))
	})
}

// most is how many rows a list may have.
func most(all bool, limit int) int {
	if all {
		return math.MaxInt
	}
	return limit
}

func (f transactionFlags) query() (apiclient.TransactionQuery, error) {
	q := apiclient.TransactionQuery{Direction: apiclient.Direction(f.direction), Keyword: f.keyword, Cursor: f.cursor}
	if f.direction != "" && !q.Direction.Known() {
		return q, usagef("--direction must be inflow or outflow, not %s", quoted(f.direction))
	}
	if f.limit < 1 {
		return q, usagef("--limit must be 1 or more; --all lists every one")
	}
	var err error
	if q.From, err = day("--from", f.from); err != nil {
		return q, err
	}
	if q.To, err = day("--to", f.to); err != nil {
		return q, err
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		return q, usagef("--to is before --from")
	}
	return q, nil
}

// day reads the date that a flag was given, if it was.
func day(flag, text string) (civil.Date, error) {
	if text == "" {
		return civil.Date{}, nil
	}
	d, err := civil.Parse(text)
	if err != nil {
		return d, usagef("%s must be a date such as 2026-01-31, not %s", flag, quoted(text))
	}
	return d, nil
}

// listTransactions writes at most so many rows, each page as it comes.
func (a *ask) listTransactions(ctx context.Context, q apiclient.TransactionQuery, most int) error {
	progress := a.progress()
	defer progress.end()
	var l *listing
	for {
		q.Limit = min(most, mostTransactions)
		var page *apiclient.TransactionPage
		err := a.unhurried(ctx, func() (err error) {
			page, err = a.client.TransactionPage(ctx, q)
			return err
		})
		if err == nil && l == nil {
			l, err = newListing(a.out, a.form(), true, transactionObject(apiclient.Transaction{}))
		}
		if err != nil {
			return err
		}
		for _, t := range page.Data {
			if err := l.add(transactionObject(t)); err != nil {
				return err
			}
		}
		most -= len(page.Data)
		if page.NextCursor == "" || most <= 0 {
			progress.end()
			return a.endTransactions(l, page)
		}
		if page.NextCursor == q.Cursor || len(page.Data) == 0 {
			return samePage("/transactions")
		}
		q.Cursor = page.NextCursor
		progress.say(fmt.Sprintf("%s of %s transactions", money.Count(int64(l.listed)), money.Count(page.Summary.Count)))
		if err := a.out.Flush(); err != nil {
			return err
		}
	}
}

func samePage(route string) error {
	return &apiclient.ContractError{Method: "GET", Route: route, Field: "next_cursor", Problem: "leads back to the same page"}
}

func (a *ask) endTransactions(l *listing, page *apiclient.TransactionPage) error {
	summary := summaryObject(page.Summary)
	if err := l.end(object{text("next_cursor", "", page.NextCursor), {name: "summary", value: summary}}); err != nil {
		return err
	}
	if page.NextCursor != "" {
		a.note("%s of %s transactions are listed; --limit lists more, --all every one.", money.Count(int64(l.listed)), money.Count(page.Summary.Count))
	}
	if a.form() != forPeople {
		return nil
	}
	if _, err := fmt.Fprintln(a.out); err != nil {
		return err
	}
	return summary.writeLabels(a.out)
}
