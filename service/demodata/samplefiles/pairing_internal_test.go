package samplefiles

import (
	"strings"
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// roles are the roles in which the accounts are imported.
func (c *company) roles() map[*account]bookrules.Role {
	return map[*account]bookrules.Role{
		c.operating: bookrules.Operating, c.savings: bookrules.Savings, c.foreign: bookrules.Operating,
		c.card: bookrules.Card,
	}
}

// movements returns all booked lines with the evidence in their texts, and whether they are halves
// of transfers.
func (c *company) movements() (own []bookrules.OwnAccount, movements []bookrules.Movement, halves []bool) {
	var known []bookrules.Account
	var lines []*account
	for a, role := range c.roles() {
		key := int64(len(known) + 1)
		known = append(known, bookrules.Account{
			Key: key, Number: a.Number, Currency: a.currency, Bank: a.Bank, Name: a.Name, Role: role,
		})
		own = append(own, bookrules.OwnAccount{
			Account: known[key-1], Covered: []bookrules.Span{{First: bookrules.DayOf(c.first), Last: bookrules.DayOf(c.last)}},
			BalanceDay: bookrules.DayOf(c.last),
		})
		lines = append(lines, a)
	}
	finder := bookrules.NewEvidenceFinder(known)
	for i, a := range lines {
		for n, l := range a.lines {
			if l.Pending {
				continue
			}
			movements = append(movements, bookrules.Movement{
				Account: known[i].Key,
				Hints:   &bookrules.Hints{Original: l.Original, Evidence: finder.Find(known[i], l, bookrules.Outcome{})},
				Merged:  &bookrules.Merged{Day: bookrules.DayOf(l.Booked), Minor: l.Minor, Ordinal: n + 1, Line: int64(n + 1)},
			})
			halves = append(halves, a.isHalf(l))
		}
	}
	return own, movements, halves
}

func ratesOf(c *company) bookrules.Rates {
	rates := bookrules.Rates{}
	for _, r := range c.rateList() {
		rates[r.Currency] = append(rates[r.Currency], r)
	}
	return rates
}

// isHalf reports whether a line names another account of the company.
func (a *account) isHalf(l bank.Line) bool {
	for _, other := range []bank.Account{operatingAccount, savingsAccount, euroAccount, poundAccount, cardAccount} {
		if other.Number != a.Number && strings.Contains(l.Description, other.Number) {
			return true
		}
	}
	return false
}

func TestImportersPairTheTransfersAndNothingElse(t *testing.T) {
	eachCompany(t, func(t *testing.T, c *company) {
		own, movements, halves := c.movements()

		found := bookrules.FindTransfers(nil, own, movements, bookrules.TransferFacts{}, bookrules.Valuation{
			Currency: c.home, Rates: ratesOf(c),
		})

		for i, half := range halves {
			if paired := found.Treatments[i] == bookrules.IsPaired; paired != half {
				t.Errorf("treatment %d of %+v, which is a half: %v", found.Treatments[i], movements[i], half)
			}
		}
		if len(found.Pairs) < fullMonths {
			t.Errorf("only %d pairs", len(found.Pairs))
		}
	})
}
