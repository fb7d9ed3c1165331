package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/cash"
	"tarmac/client/figures"
	"tarmac/client/problem"
	"tarmac/client/record"
	"tarmac/client/why"
	"tarmac/internal/civil"
)

// Maximum numbers of rows in the lists of the overview.
const (
	overviewMonths = 12
	overviewRows   = 5
)

func newOverview(env command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "overview",
		Short: "Print the overview as plain text",
		Long: "overview prints how long the cash lasts and what customers owe, balance, runway, receivables, money in and " +
			"out by month, and the latest transactions and events.\n" +
			"Parts that the token may not read are marked. Use it in pipes, cron jobs and with screen readers.",
		Example: "tarmac overview\ntarmac overview --json | jq .cash_position.runway_months",
	}
	return apiCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		known := why.Basis{Today: civil.Of(a.Now())}
		parts := []overviewPart{
			{"account", "Account", func() (any, error) { return partOf(record.Account)(a.client.Account(ctx)) }},
			{"cash_position", "Runway", func() (any, error) {
				position, err := cash.Read(ctx, a.client)
				if err == nil {
					known.Cash = &position
				}
				return partOf(record.CashPosition)(position, err)
			}},
			{"aging", "Receivables", func() (any, error) {
				aging, err := a.client.ReceivablesAging(ctx)
				if err == nil {
					sums := figures.AgingOf(aging)
					known.Aging = &sums
				}
				return partOf(record.Aging)(aging, err)
			}},
			{"months", "Money in and out", func() (any, error) { return a.months(ctx) }},
			{"transactions", "Latest transactions", func() (any, error) {
				page, err := a.client.TransactionPage(ctx, apiclient.TransactionQuery{Limit: overviewRows})
				if err != nil {
					return nil, err
				}
				return readable("transaction", page.Data, record.Transaction)
			}},
			{"events", "Latest events", func() (any, error) {
				page, err := a.client.EventPage(ctx, apiclient.EventQuery{Limit: overviewRows})
				if err != nil {
					return nil, err
				}
				return readable("event", page.Data, record.Event)
			}},
		}
		if a.json {
			return a.overviewJSON(parts)
		}
		return a.overviewText(parts, &known)
	})
}

// overviewPart is a section of the overview: a record or a list of records. Its function read may
// return both the records that could be decoded and an error about the others.
type overviewPart struct {
	name, title string
	read        func() (any, error)
}

func partOf[T any](of func(T) record.Object) func(T, error) (any, error) {
	return func(got T, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		return of(got), nil
	}
}

// readable returns the records that could be decoded, and an error that counts the others.
func readable[T apiclient.Record](noun string, records []T, of func(T) record.Object) (any, error) {
	n, first := apiclient.CountUnreadable(records)
	return record.DescribeAll(apiclient.Readable(records), of), unreadableError(noun, n, first)
}

// readParts calls take with the result or error of each part, and returns the first failure. It
// stops early if all other parts would fail too, because the token is rejected or the server has
// not answered yet. A part that the token's scopes do not include does not count as a failure.
func readParts(parts []overviewPart, take func(part overviewPart, got any, err error) error) error {
	var first error
	reached := false
	for _, part := range parts {
		got, err := part.read()
		if err != nil && !errors.Is(err, apiclient.ErrForbidden) && first == nil {
			first = err
		}
		lost := errors.Is(err, apiclient.ErrNetwork)
		reached = reached || !lost
		if lost && !reached || errors.Is(err, apiclient.ErrUnauthorized) || errors.Is(err, context.Canceled) {
			return first
		}
		if err := take(part, got, err); err != nil {
			return err
		}
	}
	return first
}

// overviewText prints the sentences and the parts that could be read, and returns the first
// failure.
func (a *call) overviewText(parts []overviewPart, known *why.Basis) error {
	var below bytes.Buffer
	between := ""
	first := readParts(parts, func(part overviewPart, got any, err error) error {
		fmt.Fprintln(&below, between+part.title)
		between = "\n"
		if err != nil && got == nil {
			got = partProblem(err)
		}
		return overviewPartText(&below, a.columns(), got)
	})
	above := ""
	for _, s := range why.Sentences(*known) {
		above += s.Text + "\n"
	}
	if above != "" {
		above += "\n"
	}
	_, err := fmt.Fprint(a.out, above, below.String())
	return errors.Join(first, err)
}

// overviewPartText writes a part for a terminal of the given number of columns.
func overviewPartText(w io.Writer, columns int, got any) error {
	switch v := got.(type) {
	case record.Object:
		return writeLabels(w, v, columns)
	case monthTable:
		if err := writeTable(w, columns, v.rows); err != nil {
			return err
		}
		if got = v.leftOut; got == "" {
			return nil
		}
	case []record.Object:
		if len(v) > 0 {
			return writeTable(w, columns, v)
		}
		got = "none yet"
	}
	_, err := fmt.Fprintln(w, got)
	return err
}

// partProblem returns the text that replaces a part that could not be read.
func partProblem(err error) string {
	if errors.Is(err, apiclient.ErrForbidden) {
		return problem.Of(err).Detail
	}
	return "not available: " + problem.Line(err)
}

// overviewJSON prints the overview as one JSON object. Parts that could not be read are null.
func (a *call) overviewJSON(parts []overviewPart) error {
	var o record.Object
	first := readParts(parts, func(part overviewPart, got any, _ error) error {
		o = append(o, partField(part.name, got))
		return nil
	})
	if len(o) < len(parts) {
		return first
	}
	return errors.Join(o.WriteJSON(a.out), first)
}

func partField(name string, got any) record.Field {
	switch v := got.(type) {
	case record.Object:
		return record.Nested(name, v)
	case []record.Object:
		return record.List(name, v)
	case monthTable:
		return record.List(name, v.rows)
	}
	return record.Null(name)
}

// monthTable is a table with one row per month. The sentences leftOut say what its sums leave out.
type monthTable struct {
	rows    []record.Object
	leftOut string
}

// months returns money in and out by calendar month, latest month first. It gets them from the
// ledger's monthly totals.
func (a *call) months(ctx context.Context) (any, error) {
	first := civil.Of(a.Now()).FirstOfMonth()
	var (
		table monthTable
		known []figures.Month
	)
	coverage, err := cash.Coverage(ctx, a.client, civil.Of(a.Now()))
	if err != nil {
		return nil, err
	}
	for i := range overviewMonths {
		from := first.AddMonths(-i)
		page, err := a.client.TransactionPage(ctx, apiclient.TransactionQuery{From: from, To: from.LastOfMonth(), Limit: 1})
		if err != nil {
			return nil, err
		}
		m := coverage.Cover([]figures.Month{{First: from, Summary: page.Summary}})[0]
		table.rows, known = append(table.rows, record.MonthSummary(m, a.Now())), append(known, m)
	}
	table.leftOut = strings.TrimSpace(figures.Excluded(figures.Unconverted(known), 0, figures.CurrencyOf(known)) +
		" " + figures.WhyMissing(known))
	return table, nil
}
