package voices_test

import (
	"strings"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/voices"
)

// ledger returns the ledger of the company's own rows, which no client has read.
func (s *served) ledger() *spending.Ledger {
	var rows []apiclient.Transaction
	var unreadable []spending.UnreadableRow
	for _, r := range s.company.Rows {
		if r.Broken {
			unreadable = append(unreadable, spending.UnreadableRow{Month: r.Day.FirstOfMonth()})
			continue
		}
		usd := apiclient.UnknownAmount("USD")
		if r.Rated {
			usd = apiclient.NewAmount(r.Cents, "USD")
		}
		rows = append(rows, apiclient.Transaction{
			ID: r.ID(), Date: r.Day, CounterpartyName: r.Name, Direction: apiclient.Direction(r.Direction), Reporting: usd,
			USD: usd,
		})
	}
	l := spending.NewLedger(rows, nil, nil)
	l.Unreadable, l.Coverage = unreadable, s.coverage
	return l
}

// missing returns the days from the month of first to that of last that statements do not cover.
func (s *served) missing(first, last civil.Date) figures.Missing {
	return s.coverage.Missing(first, last.LastOfMonth())
}

// ledgerTo returns the ledger of the rows up to a day.
func (s *served) ledgerTo(day civil.Date) *spending.Ledger {
	until := *s
	until.company.Rows = nil
	for _, r := range s.company.Rows {
		if !r.Day.After(day) {
			until.company.Rows = append(until.company.Rows, r)
		}
	}
	return until.ledger()
}

// anyone is the name for rows of all counterparties.
const anyone = ""

// total adds up the company's rows of the months from first to last: those in one direction, or,
// without one, their net. Only rows with one of the names count; rows that cannot be read may have
// any name. It is written without the client's rules, which it checks.
func (s *served) total(direction apiclient.Direction, first, last civil.Date, names ...string) figures.Total {
	all := figures.Total{Currency: "USD"}
	if direction == "" {
		all.Kind = figures.Net
	}
	known, rows := false, int64(0)
	for _, r := range s.company.Rows {
		switch {
		case r.Day.Before(first) || r.Day.After(last.LastOfMonth()):
		case r.Broken:
			all.Unreadable++
		case !isOneOf(r, names) || direction != "" && r.Direction != string(direction) && r.Direction != "sideways":
		case !r.Rated:
			all.Excluded++
			rows++
		case r.Direction == "sideways":
			all.Undirected++
			rows++
		default:
			known = true
			rows++
			if direction == "" && r.Direction == "outflow" {
				all.Add(-r.Cents)
			} else {
				all.Add(r.Cents)
			}
		}
	}
	all.Unknown = all.Unknown || !known && all.Excluded+all.Undirected+all.Unreadable > 0
	return s.missing(first, last).Of(all, rows)
}

func isOneOf(r voices.Row, names []string) bool {
	for _, name := range names {
		if name == anyone || r.Name == name {
			return true
		}
	}
	return false
}

// leftOut returns how many rows from the first to the last day a figure leaves out that is made
// of all rows in a direction, or in both. Whole months may have been read that it does not cover.
func (s *served) leftOut(direction apiclient.Direction, first, last civil.Date) (left figures.Total) {
	for _, r := range s.company.Rows {
		inMonths := !r.Day.Before(first.FirstOfMonth()) && !r.Day.After(last.LastOfMonth())
		switch isOutside := r.Day.Before(first) || r.Day.After(last); {
		case r.Broken && inMonths:
			left.Unreadable++
		case r.Broken || isOutside || direction != "" && r.Direction != string(direction) && r.Direction != "sideways":
		case !r.Rated:
			left.Excluded++
		case r.Direction == "sideways":
			left.Undirected++
		}
	}
	return left
}

// with returns a total with the amount of another one.
func with(left, amount figures.Total) figures.Total {
	left.Minor, left.Kind, left.Unknown, left.Reason = amount.Minor, amount.Kind, amount.Unknown, amount.Reason
	left.Currency = amount.Currency
	return left
}

// countFacts returns the numbers of rows that a figure leaves out, in the places with these
// paths in JSON and this row in CSV.
func countFacts(name string, left figures.Total, at ...spot) (facts []fact) {
	for _, count := range [...]struct {
		column string
		rows   int64
	}{
		{"unconverted_count", left.Excluded}, {"undirected_count", left.Undirected}, {"unreadable_count", left.Unreadable},
	} {
		one := fact{name: name + "." + count.column, want: figure{known: true, texts: []string{number(count.rows)}}}
		for _, spot := range at {
			spot.name = strings.TrimPrefix(spot.name+"/"+count.column, "/")
			one.at = append(one.at, spot)
		}
		facts = append(facts, one)
	}
	return facts
}
