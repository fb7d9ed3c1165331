package record_test

import (
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/plan"
	"tarmac/client/record"
	"tarmac/client/recurrence"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Masking hides amounts, and every other figure that changes with them: a runway, the end of the
// cash, a share.
func TestFiguresThatChangeWithAmountsReveal(t *testing.T) {
	position := func(cents int64, months apiclient.Months) record.Object {
		return record.CashPosition(figures.CashOf(&apiclient.CashPosition{
			Currency: "USD", Status: apiclient.AccountOpen, Sufficient: true, IsBurning: true, CashCents: cents,
			RunwayCashCents: &cents, MonthlyBurnCents: 1_000_00, RunwayMonths: &months,
			AsOf: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		}, figures.Window{}))
	}
	counterparty := func(cents int64) record.Object {
		c := spending.Counterparty{Name: "Acme", Total: figures.Total{Currency: "USD", Minor: cents}}
		c.Share = figures.Share{Known: true, Tenths: cents / 100, Whole: figures.Total{Currency: "USD"}}
		return record.Counterparty(&c, record.Rows{}, apiclient.Outflow)
	}
	recurring := func(cents int64) record.Object {
		today, payments := civil.New(2026, 11, 20), []recurrence.Payment{}
		for month := range 25 {
			day := civil.New(2024, 11, 1).AddMonths(month)
			payments = append(payments, recurrence.Payment{Date: day, Cents: 900_00 + cents*int64(month)})
		}
		r := spending.Recurring{Name: "Acme", Direction: apiclient.Outflow, Series: recurrence.Find(payments, today)[0]}
		return record.Recurring(&r, record.Rows{}, civil.New(2024, 10, 1), civil.New(2026, 11, 20))
	}
	column := func(cents int64, months apiclient.Months, zero civil.Date) record.Object {
		o := plan.Outlook{Name: "Plan", Burning: true, Runway: &months, Zero: zero}
		for i := range o.Cash {
			o.Cash[i] = figures.Total{Currency: "USD", Minor: cents}
		}
		return record.PlanColumn(&o)
	}
	for name, pair := range map[string][2]record.Object{
		"cash":         {position(10_000_00, apiclient.MonthsOf(100)), position(20_000_00, apiclient.MonthsOf(200))},
		"counterparty": {counterparty(10_000), counterparty(20_000)},
		"recurring":    {recurring(1_00), recurring(3_00)},
		"plan": {column(10_000_00, apiclient.MonthsOf(100), civil.New(2027, 9, 1)),
			column(20_000_00, apiclient.MonthsOf(200), civil.New(2028, 7, 1))},
	} {
		differ := 0
		for i := range pair[0] {
			one, other := &pair[0][i], &pair[1][i]
			if one.Text() == other.Text() || one.Kind == record.KindAmount || one.Label == "" {
				continue
			}
			if differ++; !one.Reveals {
				t.Errorf("%s: %s is %q or %q, and masking does not hide it", name, one.Name, one.Text(), other.Text())
			}
		}
		if differ == 0 {
			t.Errorf("%s: no figure changes with the amounts", name)
		}
	}
}
