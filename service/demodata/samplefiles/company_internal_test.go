package samplefiles

import (
	"strings"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
)

// eachCompany calls check for companies of several seeds and days, month ends and weekends among
// them.
func eachCompany(t *testing.T, check func(t *testing.T, c *company)) {
	for seed := range int64(4) {
		for day := range 6 {
			now := time.Date(2026, 2, 24, 9, 0, 0, 0, time.UTC).AddDate(0, 0, 5*day+37*int(seed))
			t.Run(now.Format(time.DateOnly), func(t *testing.T) {
				h, err := demodata.NewHistory(demodata.Options{
					Seed: seed, Transactions: demodata.DefaultTransactions, Today: now,
				})
				if err != nil {
					t.Fatal(err)
				}
				last := civil.Of(now).AddDays(-1)
				first := last.FirstOfMonth().AddMonths(-fullMonths)
				currency := []string{"USD", "EUR"}[(day+int(seed))%2]
				c := newCompany(Options{Company: "Northlight Labs", Seed: seed, Currency: currency}, first, last)
				c.book(h.Rows)
				check(t, c)
			})
		}
	}
}

func TestNoAccountIsEverOverdrawn(t *testing.T) {
	eachCompany(t, func(t *testing.T, c *company) {
		for _, a := range []*account{c.operating, c.savings, c.foreign} {
			balance := a.opening
			for i, l := range a.lines {
				if !l.Pending {
					balance += l.Minor
				}
				dayEnds := i+1 == len(a.lines) || a.lines[i+1].Booked != l.Booked
				if balance < 0 && dayEnds {
					t.Fatalf("%s has %d at the end of %v", a.Name, balance, l.Booked)
				}
			}
		}
		if c.card.opening >= 0 || c.card.balance >= 0 {
			t.Errorf("the card owes nothing: %d, then %d", c.card.opening, c.card.balance)
		}
	})
}

// Transfers name the other account, and both of their lines are in the files.
func TestTransfersComeInPairs(t *testing.T) {
	eachCompany(t, func(t *testing.T, c *company) {
		sums := make(map[string]int64)
		for _, side := range []struct {
			account *account
			other   string
			pair    string
		}{
			{c.operating, c.savings.Number, "savings"}, {c.savings, c.operating.Number, "savings"},
			{c.operating, c.card.Number, "card"}, {c.card, c.operating.Number, "card"},
		} {
			for _, l := range side.account.lines {
				if strings.Contains(l.Description, side.other) && !l.Pending {
					sums[side.pair] += l.Minor
					sums[side.pair+" count"]++
				}
			}
		}
		if sums["savings"] != 0 || sums["card"] != 0 || sums["savings count"] < 8 || sums["card count"] < 2*fullMonths-2 {
			t.Errorf("transfers do not add up: %v", sums)
		}
	})
}

func TestLinesAreWithinTheDaysOfTheFiles(t *testing.T) {
	eachCompany(t, func(t *testing.T, c *company) {
		for _, a := range []*account{c.operating, c.savings, c.foreign, c.card} {
			for _, l := range a.lines {
				if l.Booked.Before(c.first) || l.Booked.After(c.last) != l.Pending {
					t.Fatalf("%s has the line %+v, pending %v", a.Name, l, l.Pending)
				}
			}
			if a.balance != a.balanceAt(c.last) {
				t.Errorf("%s has %d, and its lines %d", a.Name, a.balance, a.balanceAt(c.last))
			}
		}
	})
}
