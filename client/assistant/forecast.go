package assistant

import (
	"context"
	"fmt"

	"tarmac/client/answer"
	"tarmac/client/forecast"
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
	Kind         string         `json:"kind" jsonschema:"always estimate" from:"-"`
	Reason       string         `json:"reason,omitempty" jsonschema:"why there is no forecast"`
	Sentence     string         `json:"sentence,omitempty" jsonschema:"cash in thirteen weeks and its error"`
	Today        string         `json:"today"`
	StartCash    Amount         `json:"start_cash" jsonschema:"spendable cash" from:"runway_cash_cents"`
	Weeks        []ForecastWeek `json:"weeks"`
	Basis        []string       `json:"basis" jsonschema:"how it was made, how it did on the past, what is left out"`
	MedianMiss   Amount         `json:"median_miss" jsonschema:"typical miss after 13 weeks in tests on the past"`
	DefaultAlive []string       `json:"default_alive" jsonschema:"hypothetical" from:"default_alive.sentences"`
}

// ForecastWeek is the estimate of seven days.
type ForecastWeek struct {
	FirstDay  string `json:"first_day" from:"first_date"`
	LastDay   string `json:"last_day" from:"last_date"`
	MoneyIn   Amount `json:"money_in" from:"in_cents"`
	MoneyOut  Amount `json:"money_out" from:"out_cents"`
	Bills     Amount `json:"bills" jsonschema:"part of money_out that is due to vendors"`
	Net       Amount `json:"net"`
	Cash      Amount `json:"cash" jsonschema:"at the end of the week"`
	WorstMiss Amount `json:"worst_miss" jsonschema:"band of tests on the past; not a probability"`
}

// GetForecast estimates the cash of the coming weeks. today is the current day in UTC.
func GetForecast(ctx context.Context, source Source, today civil.Date, in ForecastInput) (*Forecast, error) {
	if in.Weeks == 0 {
		in.Weeks = MaxWeeks
	}
	if in.Weeks < 1 || in.Weeks > MaxWeeks {
		return nil, &InputError{Text: fmt.Sprintf("weeks must be 1 to %d", MaxWeeks)}
	}
	d, err := answer.Forecast(ctx, sourceOf(source, today), answer.ForecastParams{})
	if err != nil {
		return nil, err
	}
	out := &Forecast{Kind: "estimate"}
	fill(out, d.Object)
	out.Weeks = out.Weeks[:min(in.Weeks, len(out.Weeks))]
	out.Basis = append(out.Basis, d.Notes...)
	return out, nil
}
