package why

import (
	"fmt"

	"tarmac/client/recurrence"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/plural"
)

// rhythms knows the payments that recur up to a month, by the counterparty's key.
type rhythms struct {
	ledger *spending.Ledger
	first  civil.Date
	begins civil.Date // first day of which the ledger has all rows
	series map[string][]spending.Recurring
}

// newAfter is the number of months without a row of a counterparty after which it counts as new.
const newAfter = 12

func newRhythms(l *spending.Ledger, first, begins civil.Date) *rhythms {
	r := &rhythms{ledger: l, first: first, begins: begins, series: map[string][]spending.Recurring{}}
	for _, s := range l.Recurring(first.LastOfMonth()) {
		r.series[s.Key] = append(r.series[s.Key], s)
	}
	return r
}

// of says why a counterparty's net differs from that of the month before: by a payment that is made
// once a quarter or year, by their number, or by their price. It returns "" if none of these
// explains it.
func (r *rhythms) of(s *sum) string {
	if s.purpose != spending.Operating {
		return ""
	}
	now, before := s.counts[0], s.counts[1]
	for _, one := range r.series[s.key] {
		if (one.Rhythm == recurrence.Yearly || one.Rhythm == recurrence.Quarterly) && r.paid(&one) {
			return one.Rhythm.String()
		}
	}
	switch {
	case before == 0 && !r.begins.After(r.first.AddMonths(-newAfter)) && !r.knownBefore(s.key):
		return "new"
	case now == 0:
		return NoPayment
	case before > 0 && now != before:
		return fmt.Sprintf("%s, not %d", plural.Count(now, "payment"), before)
	case before > 0 && len(r.series[s.key]) > 0 && s.after < 0:
		return "price"
	}
	return ""
}

// paid reports whether a payment of the series was made in the month or in the one before.
func (r *rhythms) paid(s *spending.Recurring) bool {
	for _, p := range s.Payments {
		if back := r.first.MonthsSince(p.Date.FirstOfMonth()); back == 0 || back == 1 {
			return true
		}
	}
	return false
}

// knownBefore reports whether the counterparty has rows before the month.
func (r *rhythms) knownBefore(key string) bool {
	for i := range r.ledger.Rows {
		if row := &r.ledger.Rows[i]; row.Key == key && row.Date.Before(r.first) {
			return true
		}
	}
	return false
}
