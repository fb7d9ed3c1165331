package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/cash"
	"tarmac/client/collections"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/payables"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/client/why"
	"tarmac/internal/civil"
)

// ForecastParams say what a forecast assumes.
type ForecastParams struct {
	Plan func() (*plan.Plan, error) // returns the plan; nil for a forecast without one
	With string                     // for programs: "plan" or the name of a case; "" without a plan
	// WhatIf has more lines of a plan, or changes such as "burn -10"; may be "".
	WhatIf string
}

// supposed returns the plan with the what-if lines added, the name of the case, and these lines.
func (in *ForecastParams) supposed(currency string, today civil.Date) (
	p *plan.Plan, ofCase string, added []string, err error,
) {
	switch {
	case in.Plan != nil:
		p, err = in.Plan()
	case in.WhatIf != "":
		p, err = plan.Parse(plan.Begin(today, currency))
	}
	if err != nil || p == nil {
		return nil, "", nil, err
	}
	if in.With != "" && in.With != plan.WholePlan {
		if ofCase = in.With; !slices.Contains(p.Cases, ofCase) {
			return nil, "", nil, &InputError{"with", "must be plan or the name of one of its cases: " +
				cmp.Or(strings.Join(p.Cases, ", "), "it has none")}
		}
	}
	if in.WhatIf != "" {
		p, added, err = p.With(in.WhatIf, "", today)
		switch {
		case errors.Is(err, plan.ErrWhatIf):
			err = &InputError{"what-if", "needs changes such as \"" + plan.WhatIfExample + "\""}
		case err != nil:
			err = &InputError{"what-if:", err.Error()}
		}
	}
	return p, ofCase, added, err
}

// Forecast estimates the cash of the next thirteen weeks, and whether the company is default alive.
func Forecast(ctx context.Context, s Source, in ForecastParams) (*Doc, error) {
	position, err := cash.Read(ctx, s)
	if err != nil {
		return nil, err
	}
	today := s.today()
	with, ofCase, added, err := in.supposed(position.Position.Currency, today)
	if err != nil {
		return nil, err
	}
	invoices, err := collections.Read(ctx, s)
	forbidden := errors.Is(err, apiclient.ErrForbidden)
	if err != nil && !forbidden {
		return nil, err
	}
	past, err := s.History(ctx, history.Months)
	if err != nil {
		return nil, err
	}
	bills, err := payables.Read(ctx, s, today)
	if err != nil {
		return nil, err
	}
	alive, notAlive := forecast.NewAlive(past.Ledger, position.Position, today)
	aliveSentences := forecast.AliveSentences(alive, notAlive)
	isAlive := record.Nested("default_alive", append(record.Alive(alive, notAlive),
		record.Sentences("sentences", aliveSentences...)))
	f, err := forecast.New(past.Ledger, invoices, position.Position, today)
	if err == nil {
		f, err = f.WithBills(past.Ledger, bills)
	}
	if err == nil && with != nil {
		b, failed := plan.ReadBasis(ctx, s, with, position, past.Ledger)
		if failed != nil {
			return nil, failed
		}
		f, err = f.WithPlan(past.Ledger, with, ofCase, b)
	}
	if err != nil {
		d := &Doc{
			Table: &Table{
				Columns: record.ForecastWeek(&forecast.Forecast{}, 0), Empty: "No forecast: " + err.Error() + ".",
			},
			Object:   append(record.NoForecast(today, position.Position.Currency, err), isAlive),
			Sections: []Section{{Revealing: aliveSentences}},
		}
		d.CSVNotes = append([]string{d.Table.Empty}, aliveSentences...)
		past.noteRead(d)
		return d, nil
	}
	d := &Doc{Title: "Thirteen weeks, an estimate", Table: weeksOf(f), CSVNotes: f.LeftOut()}
	remarks := f.Sentences()
	if f.HasPlan() {
		d.Title += ", hypothetical"
	}
	if added != nil {
		remarks = append([]string{"Hypothetical: " + strings.Join(added, "; ") + "."}, remarks...)
	}
	d.Title += ". Spendable cash now: " + f.Start.String() + "."
	d.Object = append(record.Forecast(f, past.IDs, in.With, added), isAlive,
		record.Sentences("sentence", why.WeeksText(f)), record.Sentences("basis_sentences", f.Sentences()...))
	d.Sections = []Section{
		{Table: d.Table, Text: remarks},
		{Title: "Tests on the past", Table: tableOf(nil, f.Trials, func(t *forecast.Trial) record.Object {
			return record.ForecastTest(*t)
		})},
		{Title: "Open invoices later than their customer ever paid", Table: tableOf(nil, f.Late,
			func(i *apiclient.Invoice) record.Object { return record.DoubtfulInvoice(*i) })},
		{Revealing: aliveSentences},
	}
	if forbidden {
		d.note(forecast.NoInvoices)
	}
	past.noteRead(d)
	past.noteSuspected(d, func(day civil.Date) bool { return !day.Before(f.Basis.First) && !day.After(f.Basis.Last) })
	return d, nil
}

// weeksOf describes the weeks of a forecast. Each opens what is expected in it.
func weeksOf(f *forecast.Forecast) *Table {
	t := &Table{}
	for i := range f.Weeks {
		t.Rows = append(t.Rows, Row{Object: record.ForecastWeek(f, i), Open: func(context.Context, Source) (*Doc, error) {
			return week(f, i), nil
		}})
	}
	t.Columns = t.Rows[0].Object
	return t
}

// week says what is expected in a week of a forecast.
func week(f *forecast.Forecast, i int) *Doc {
	w, o := &f.Weeks[i], record.ForecastWeek(f, i)
	d := &Doc{
		Title:    fmt.Sprintf("Week %d, %s to %s.", i+1, w.First, w.Last),
		Sections: []Section{{Figures: o.Pick("in_cents", "out_cents")}},
	}
	var lines []string
	for _, b := range w.Bills {
		lines = append(lines, fmt.Sprintf("%s: bill %s of %s, %s.", b.PayBy(f.Today), cmp.Or(b.Number, "without a number"),
			cmp.Or(b.VendorName, "no name"), b.Open))
	}
	for _, p := range w.Planned {
		day := w.First.String() + " to " + w.Last.String()
		if !p.Day.IsZero() {
			day = p.Day.String()
		}
		net := figures.Total{Minor: p.Cents, Currency: f.Basis.Currency, Kind: figures.Net}
		lines = append(lines, fmt.Sprintf("%s: planned, %s %s, %s.", day, p.Line.Kind, p.Line.Name, net))
	}
	for _, r := range w.Receipts {
		lines = append(lines, fmt.Sprintf("%s: open invoice %s, %s, %s, not added to money in.", r.Day,
			cmp.Or(r.Number, r.ID), cmp.Or(r.RecipientName, "no recipient"), r.Total))
	}
	payments := slices.Clone(w.Payments)
	slices.SortStableFunc(payments, func(a, b forecast.Payment) int { return a.Day.Compare(b.Day) })
	for _, p := range payments {
		counted := ""
		if p.Cents != p.Usual {
			counted = " (only " + apiclient.NewAmount(p.Cents, p.Currency).String() + " counts; the rest is in last year's week)"
		}
		lines = append(lines, fmt.Sprintf("%s: %s, %s, usually %s%s%s, %d payments.", p.Day, counterparty.Display(p.Name),
			p.Rhythm, record.Sign(p.Direction), apiclient.NewAmount(p.Usual, p.Currency), counted, len(p.Payments)))
	}
	rest := "The rest of the week is an average."
	if f.Basis.LastYear != 0 {
		rest = "The rest of the week is an average, and last year's same week."
	}
	d.Sections[0].Text = append(lines, rest)
	return d
}
