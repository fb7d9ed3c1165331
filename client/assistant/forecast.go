package assistant

import (
	"context"
	"errors"
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/collections"
	"tarmac/client/forecast"
	"tarmac/client/history"
	"tarmac/client/payables"
	"tarmac/client/spending"
	"tarmac/client/why"
	"tarmac/internal/civil"
)

// MaxWeeks is the largest value of ForecastInput.Weeks.
const MaxWeeks = forecast.Weeks

// ForecastInput says how far ahead to estimate.
type ForecastInput struct {
	Weeks int `json:"weeks,omitempty" jsonschema:"number of weeks ahead"`
}

// Forecast is an estimate of the cash of the next weeks, with its basis and its error.
type Forecast struct {
	Kind         string         `json:"kind" jsonschema:"always estimate"`
	Reason       string         `json:"reason,omitempty" jsonschema:"why there is no forecast"`
	Sentence     string         `json:"sentence,omitempty" jsonschema:"cash in thirteen weeks and its error"`
	Today        string         `json:"today"`
	StartCash    Amount         `json:"start_cash" jsonschema:"spendable cash"`
	Weeks        []ForecastWeek `json:"weeks"`
	Basis        []string       `json:"basis" jsonschema:"how it was made, how it did on the past, what is left out"`
	MedianMiss   Amount         `json:"median_miss" jsonschema:"typical miss after 13 weeks in tests on the past"`
	DefaultAlive []string       `json:"default_alive" jsonschema:"hypothetical"`
}

// ForecastWeek is the estimate of seven days.
type ForecastWeek struct {
	FirstDay  string `json:"first_day"`
	LastDay   string `json:"last_day"`
	MoneyIn   Amount `json:"money_in"`
	MoneyOut  Amount `json:"money_out"`
	Bills     Amount `json:"bills" jsonschema:"part of money_out that is due to vendors"`
	Net       Amount `json:"net"`
	Cash      Amount `json:"cash" jsonschema:"at the end of the week"`
	WorstMiss Amount `json:"worst_miss" jsonschema:"band of tests on the past; not a probability"`
}

// GetForecast estimates the cash of the coming weeks. today is the current day in UTC.
func GetForecast(ctx context.Context, source Source, today civil.Date, in ForecastInput) (*Forecast, error) {
	weeks := in.Weeks
	if weeks == 0 {
		weeks = MaxWeeks
	}
	if weeks < 1 || weeks > MaxWeeks {
		return nil, &InputError{fmt.Sprintf("weeks must be 1 to %d", MaxWeeks)}
	}
	cash, err := source.CashPosition(ctx)
	if err != nil {
		return nil, err
	}
	invoices, err := collections.Read(ctx, source)
	forbidden := errors.Is(err, apiclient.ErrForbidden)
	if err != nil && !forbidden {
		return nil, err
	}
	ledger, err := readPast(ctx, source, today, history.Months)
	if err != nil {
		return nil, err
	}
	bills, err := payables.Read(ctx, source, today)
	if err != nil {
		return nil, err
	}
	made, err := forecast.New(ledger.Ledger, invoices, cash, today)
	if err == nil {
		made, err = made.WithBills(ledger.Ledger, bills)
	}
	out := forecastOf(made, err, weeks, cash.Currency)
	out.Today = today.String()
	out.Basis = append(out.Basis, ledger.notes...)
	if forbidden {
		out.Basis = append(out.Basis, forecast.NoInvoices)
	}
	inBasis := func(day civil.Date) bool {
		return made != nil && !day.Before(made.Basis.First) && !day.After(made.Basis.Last)
	}
	if text := spending.SuspectedText(ledger.SuspectedTransfers(inBasis)); text != "" {
		out.Basis = append(out.Basis, text)
	}
	alive, whyNot := forecast.NewAlive(ledger.Ledger, cash, today)
	out.DefaultAlive = forecast.AliveSentences(alive, whyNot)
	return out, nil
}

// forecastOf returns the first weeks of a forecast. The error whyNot says why there is none; f is
// nil then. The currency is that of the cash position.
func forecastOf(f *forecast.Forecast, whyNot error, weeks int, currency string) *Forecast {
	out := &Forecast{Kind: "estimate", Weeks: []ForecastWeek{}, Basis: []string{}}
	if whyNot != nil {
		reason := "there is no forecast: " + whyNot.Error()
		out.StartCash, out.MedianMiss = unknown(currency, reason), unknown(currency, reason)
		out.Reason = out.StartCash.Reason
		return out
	}
	out.StartCash, out.Basis, out.Sentence = totalOf(f.Start), f.Sentences(), why.WeeksText(f)
	out.MedianMiss = totalOf(f.MedianMiss())
	for i := range f.Weeks[:weeks] {
		w := f.Figures(i)
		out.Weeks = append(out.Weeks, ForecastWeek{
			FirstDay: f.Weeks[i].First.String(), LastDay: f.Weeks[i].Last.String(), MoneyIn: totalOf(w.In),
			MoneyOut: totalOf(w.Out), Bills: totalOf(w.Bills), Net: totalOf(w.Net),
			Cash: totalOf(w.Cash), WorstMiss: totalOf(w.Band),
		})
	}
	return out
}
