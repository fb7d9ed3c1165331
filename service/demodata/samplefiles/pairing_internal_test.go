package samplefiles

import (
	"strings"
	"testing"

	"tarmac/service/books"
	"tarmac/service/statements/bank"
)

// roles are the roles in which the accounts are imported.
func (c *company) roles() map[*account]books.Role {
	return map[*account]books.Role{
		c.operating: books.Operating, c.savings: books.Savings, c.euro: books.Operating, c.card: books.Card,
	}
}

// movements returns all booked lines with the evidence in their texts, and whether they are halves
// of transfers.
func (c *company) movements() (own []books.OwnAccount, movements []books.Movement, halves []bool) {
	var known []books.Account
	var lines []*account
	for a, role := range c.roles() {
		key := int64(len(known) + 1)
		known = append(known, books.Account{
			Key: key, Number: a.Number, Currency: a.currency, Bank: a.Bank, Name: a.Name, Role: role,
		})
		own = append(own, books.OwnAccount{
			Account: known[key-1], Covered: []books.Span{{First: books.DayOf(c.first), Last: books.DayOf(c.last)}},
			BalanceDay: books.DayOf(c.last),
		})
		lines = append(lines, a)
	}
	own = withRates(own, c.rates.list())
	finder := books.NewEvidenceFinder(known)
	for i, a := range lines {
		for n, l := range a.lines {
			if l.Pending {
				continue
			}
			movements = append(movements, books.Movement{
				Account: known[i].Key, Original: l.Original, Evidence: finder.Find(known[i], l, books.Outcome{}),
				Merged: books.Merged{Day: books.DayOf(l.Booked), Minor: l.Minor, Ordinal: n + 1, Line: int64(n + 1)},
			})
			halves = append(halves, a.isHalf(l))
		}
	}
	return own, movements, halves
}

func withRates(own []books.OwnAccount, rates []bank.Rate) []books.OwnAccount {
	for i := range own {
		if own[i].Currency == "EUR" {
			own[i].Rates = rates
		}
	}
	return own
}

// isHalf reports whether a line names another account of the company.
func (a *account) isHalf(l bank.Line) bool {
	for _, other := range []bank.Account{operatingAccount, savingsAccount, euroAccount, cardAccount} {
		if other.Number != a.Number && strings.Contains(l.Description, other.Number) {
			return true
		}
	}
	return false
}

func TestImportersPairTheTransfersAndNothingElse(t *testing.T) {
	eachCompany(t, func(t *testing.T, c *company) {
		own, movements, halves := c.movements()

		found := books.FindTransfers(own, movements, nil)

		for i, half := range halves {
			if paired := found.Treatments[i] == books.IsPaired; paired != half {
				t.Errorf("treatment %d of %+v, which is a half: %v", found.Treatments[i], movements[i], half)
			}
		}
		if len(found.Pairs) < fullMonths {
			t.Errorf("only %d pairs", len(found.Pairs))
		}
	})
}
