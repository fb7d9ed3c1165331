package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/record"
	"tarmac/client/scenario"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

func newForecast(env command.Env) *cobra.Command {
	var whatIf string
	cmd := &cobra.Command{
		Use:   "forecast",
		Short: "Estimate the cash of the next thirteen weeks",
		Long: "forecast estimates money in, money out and cash for each of the next thirteen weeks, and tests its rules on " +
			"the past, beside a straight line; docs/forecast.md has the rules.\n" +
			"Costs that recur stand on their days. Money in and the other costs are a mixture of what recurs, the average of " +
			"the last 26 weeks and last year's same weeks, as far as last year helped to tell this one. Open invoices are " +
			"listed, but change nothing. Bills of own books stand in the weeks in which they are due, instead of what was " +
			"expected of their vendors. Cash is the spendable cash, which the runway uses.\n" +
			"--what-if adds hypothetical changes, in the words of `suppose` in line mode. Amounts are in the " +
			"company's currency.",
		Example: "tarmac forecast\ntarmac forecast --what-if \"monthly -8k from January; once +500,000 in 2027-03\"\n" +
			"tarmac forecast --json | jq '.weeks[] | {first_date, cash_cents}'",
	}
	cmd.Flags().StringVar(&whatIf, "what-if", "", "hypothetical changes, such as \"burn -10; monthly -8k from January\"")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		position, err := cash.Read(ctx, a.client)
		if err != nil {
			return err
		}
		var one scenario.Scenario
		if cmd.Flags().Changed("what-if") {
			one, err = scenario.Parse(whatIf, civil.Of(a.Now()), position.Position.Currency)
			switch {
			case errors.Is(err, scenario.ErrParse):
				return command.Usagef("--what-if needs changes such as %q", scenario.Example)
			case err != nil:
				return command.Usagef("--what-if: %w", err)
			}
		}
		return a.forecast(ctx, position, one)
	})
}

// forecast prints the forecast, with the effect of a scenario unless its name is "".
func (a *call) forecast(ctx context.Context, position figures.Cash, one scenario.Scenario) error {
	invoices, err := collections.Read(ctx, a.client)
	forbidden := errors.Is(err, apiclient.ErrForbidden)
	if err != nil && !forbidden {
		return err
	}
	l, err := a.readHistory(ctx, history.Months)
	if err != nil {
		return err
	}
	alive, whyNot := forecast.NewAlive(l.Ledger, position.Position, l.today)
	bills, err := a.readBills(ctx)
	if err != nil {
		return err
	}
	f, err := forecast.New(l.Ledger, invoices, position.Position, l.today)
	if err == nil {
		f, err = f.WithBills(l.Ledger, bills)
	}
	if err != nil {
		return a.showNoForecast(&l, err, alive, whyNot)
	}
	if one.Name != "" {
		if f, err = a.suppose(ctx, f, position, one.Changes); err != nil {
			return err
		}
	}
	if a.format() == asJSON {
		whole := record.Forecast(f, l.IDs, one.Summary())
		err = append(whole, record.Nested("default_alive", record.Alive(alive, whyNot))).WriteJSON(a.out)
	} else if err = a.showWeeks(f, one.Name != ""); err == nil && a.format() == asText {
		notes := f.Sentences()
		if one.Name != "" {
			notes = append([]string{"Hypothetical: " + one.Summary() + "."}, notes...)
		}
		err = errors.Join(a.sayAll(notes...), a.showTests(f), a.sayAll(forecast.AliveSentences(alive, whyNot)...))
	} else if err == nil { // CSV has no marks
		for _, sentence := range f.LeftOut() {
			a.note("%s", sentence)
		}
	}
	if forbidden {
		a.note("%s", forecast.NoInvoices)
	}
	a.noteRows(&l, f)
	return errors.Join(err, l.unreadableError())
}

// noteRows prints on standard error which months may be incomplete, and which rows of the averages
// may be transfers between own accounts.
func (a *call) noteRows(l *ledgerOf, f *forecast.Forecast) {
	for i := range l.differences {
		a.note("%s. They may be changing.", l.differences[i].String())
	}
	inBasis := func(day civil.Date) bool { return !day.Before(f.Basis.First) && !day.After(f.Basis.Last) }
	if text := spending.SuspectedText(l.SuspectedTransfers(inBasis)); text != "" {
		a.note("%s", text)
	}
}

// suppose returns the forecast with the effect of a scenario. It requests the overdue receivables
// only if the scenario assumes that they are paid.
func (a *call) suppose(
	ctx context.Context, f *forecast.Forecast, position figures.Cash, changes scenario.Changes,
) (*forecast.Forecast, error) {
	overdue := figures.Total{Unknown: true}
	if changes.Overdue {
		aging, err := a.client.ReceivablesAging(ctx)
		if err != nil {
			return nil, err
		}
		overdue = figures.AgingOf(aging).Overdue
	}
	baseline, err := scenario.BaselineOf(position, overdue)
	if err != nil {
		return nil, err
	}
	supposed, ok := f.Suppose(changes, baseline)
	if !ok {
		return nil, errors.New("no scenario: a figure that it needs is unknown or too large")
	}
	return supposed, nil
}

// showNoForecast prints why there is no forecast, and whether the company is default alive.
func (a *call) showNoForecast(l *ledgerOf, why error, alive *forecast.Alive, notAlive error) error {
	if a.format() == asJSON {
		whole := append(record.NoForecast(l.today, why), record.Nested("default_alive", record.Alive(alive, notAlive)))
		return whole.WriteJSON(a.out)
	}
	var err error
	if a.format() == asCSV {
		err = a.showRows(record.ForecastWeek(&forecast.Forecast{}, 0, false), nil)
	}
	a.note("No forecast: %s.", why)
	for _, sentence := range forecast.AliveSentences(alive, notAlive) {
		a.note("%s", sentence)
	}
	return errors.Join(err, l.unreadableError())
}

// showWeeks prints the weeks of a forecast as text or CSV.
func (a *call) showWeeks(f *forecast.Forecast, supposed bool) error {
	weeks := make([]record.Object, len(f.Weeks))
	for i := range f.Weeks {
		weeks[i] = record.ForecastWeek(f, i, supposed)
	}
	return a.showRows(weeks[0], weeks)
}

// showTests prints the tests of a forecast and the invoices that it does not count on.
func (a *call) showTests(f *forecast.Forecast) error {
	for _, list := range [...]struct {
		title string
		rows  []record.Object
	}{
		{"Tests on the past", record.DescribeAll(f.Trials, record.ForecastTest)},
		{"Open invoices later than their customer ever paid", record.DescribeAll(f.Late, record.LateInvoice)},
	} {
		if len(list.rows) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(a.out, "\n%s\n", list.title); err != nil {
			return err
		}
		if err := writeTable(a.out, a.columns(), list.rows); err != nil {
			return err
		}
	}
	return nil
}

// sayAll prints sentences as a paragraph of text, each on lines of its own.
func (a *call) sayAll(sentences ...string) error {
	for i, sentence := range sentences {
		text := strings.Join(wrapped(sentence, pageWidth(a.Stdout)), "\n") + "\n"
		if i == 0 {
			text = "\n" + text
		}
		if _, err := io.WriteString(a.out, text); err != nil {
			return err
		}
	}
	return nil
}
