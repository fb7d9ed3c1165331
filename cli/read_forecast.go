package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
)

func newForecast(env command.Env) *cobra.Command {
	var f suppositions
	cmd := &cobra.Command{
		Use:   "forecast",
		Short: "Estimate the cash of the next thirteen weeks",
		Long: "forecast estimates money in, money out and cash for each of the next thirteen weeks, and tests its rules on " +
			"the past, beside net burn alone; docs/forecast.md has the rules.\n" +
			"Costs that recur stand on their days. Money in and the other costs are a mixture of what recurs, the average of " +
			"the last 26 weeks and last year's same weeks, as far as last year helped to tell this one. Open invoices are " +
			"listed, but change nothing. Bills of own books stand in the weeks in which they are due, instead of what was " +
			"expected of their vendors. Cash is the spendable cash, which the runway uses.\n" +
			"--with plan adds the lines of the plan, which replace what was expected of the counterparties that they name, " +
			"and --with NAME those of one of its cases, too. --what-if adds other lines, or changes in the words of `suppose` " +
			"in line mode. Both are hypothetical. Amounts are in the company's currency.",
		Example: "tarmac forecast\ntarmac forecast --with plan\n" +
			"tarmac forecast --what-if \"monthly -8k from January; once +500,000 in 2027-03\"\n" +
			"tarmac forecast --json | jq '.weeks[] | {first_date, cash_cents}'",
	}
	cmd.Flags().StringVar(&f.whatIf, "what-if", "",
		"hypothetical changes, such as \"burn -10; monthly -8k from January\", or lines of a plan")
	cmd.Flags().StringVar(&f.with, "with", "", "`plan`, or the name of one of its cases")
	cmd.Flags().StringVar(&f.file, "plan", "", "read the plan from this file")
	return rowsCommand(env, cmd, func(ctx context.Context, a *call, _ []string) error {
		f.isWhatIf, f.isWith = cmd.Flags().Changed("what-if"), cmd.Flags().Changed("with")
		if !f.isWith && f.file != "" {
			return command.Usagef("--plan needs --with plan, or --with and the name of a case")
		}
		a.choosePlan(f.file)
		return a.forecast(ctx, &f)
	})
}

// suppositions are the flags that add lines of a plan to a forecast.
type suppositions struct {
	whatIf, with, file string
	isWhatIf, isWith   bool
}

// supposed is a plan for a forecast: with the lines of a case unless its name is "", and with those
// that were added by hand.
type supposed struct {
	*plan.Plan
	ofCase string
	added  []string
}

// read reads the plan, with the lines that are supposed. It returns nil without any of both.
func (f *suppositions) read(a *call, currency string) (*supposed, error) {
	if !f.isWith && !f.isWhatIf {
		return nil, nil
	}
	today := civil.Of(a.Now())
	p, err := plan.Parse(plan.Begin(today, currency))
	if f.isWith {
		p, _, err = a.readPlan()
	}
	if err != nil {
		return nil, err
	}
	s := &supposed{Plan: p}
	if f.isWith && f.with != plan.WholePlan {
		if s.ofCase = f.with; !slices.Contains(p.Cases, f.with) {
			return nil, command.Usagef("--with must be plan or the name of one of its cases: %s",
				termtext.Line(cmp.Or(strings.Join(p.Cases, ", "), "it has none")))
		}
	}
	if f.isWhatIf {
		s.Plan, s.added, err = p.With(f.whatIf, "", today)
		switch {
		case errors.Is(err, plan.ErrWhatIf):
			return nil, command.Usagef("--what-if needs changes such as %q", plan.WhatIfExample)
		case err != nil:
			return nil, command.Usagef("--what-if: %w", err)
		}
	}
	return s, nil
}

// forecast prints the forecast, with the lines of a plan if they are wanted.
func (a *call) forecast(ctx context.Context, flags *suppositions) error {
	position, err := cash.Read(ctx, a.client)
	if err != nil {
		return err
	}
	with, err := flags.read(a, position.Position.Currency)
	if err != nil {
		return err
	}
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
	if err == nil && with != nil {
		var b plan.Basis
		if b, err = plan.ReadBasis(ctx, a.client, with.Plan, position, l.Ledger); err != nil {
			return err
		}
		f, err = f.WithPlan(l.Ledger, with.Plan, with.ofCase, b)
	}
	if err != nil {
		return a.showNoForecast(&l, err, alive, whyNot)
	}
	if a.format() == asJSON {
		var added []string
		if with != nil {
			added = with.added
		}
		whole := record.Forecast(f, l.IDs, flags.with, added)
		err = append(whole, record.Nested("default_alive", record.Alive(alive, whyNot))).WriteJSON(a.out)
	} else if err = a.showWeeks(f); err == nil && a.format() == asText {
		notes := f.Sentences()
		if with != nil && with.added != nil {
			notes = append([]string{"Hypothetical: " + strings.Join(with.added, "; ") + "."}, notes...)
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

// showNoForecast prints why there is no forecast, and whether the company is default alive.
func (a *call) showNoForecast(l *ledgerOf, why error, alive *forecast.Alive, notAlive error) error {
	if a.format() == asJSON {
		whole := append(record.NoForecast(l.today, why), record.Nested("default_alive", record.Alive(alive, notAlive)))
		return whole.WriteJSON(a.out)
	}
	var err error
	if a.format() == asCSV {
		err = a.showRows(record.ForecastWeek(&forecast.Forecast{}, 0), nil)
	}
	a.note("No forecast: %s.", why)
	for _, sentence := range forecast.AliveSentences(alive, notAlive) {
		a.note("%s", sentence)
	}
	return errors.Join(err, l.unreadableError())
}

// showWeeks prints the weeks of a forecast as text or CSV.
func (a *call) showWeeks(f *forecast.Forecast) error {
	weeks := make([]record.Object, len(f.Weeks))
	for i := range f.Weeks {
		weeks[i] = record.ForecastWeek(f, i)
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
		{"Open invoices later than their customer ever paid", record.DescribeAll(f.Late, record.DoubtfulInvoice)},
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
