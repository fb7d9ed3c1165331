package plan

import (
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// match is what a line replaces: what is expected of its counterparties.
type match struct {
	keys      []string
	average   int64 // net of a month in the months from which net burn is computed
	from, to  civil.Date
	confirmed bool
	before    int64 // net of a month of a confirmed line's counterparty before it
}

func (m *match) appliesTo(month civil.Date) bool {
	return !month.Before(m.from) && (m.to.IsZero() || !month.After(m.to))
}

// Keys returns the keys of the counterparties that a line names.
func (l *Line) Keys() (keys []string) {
	for _, name := range l.Names {
		keys = append(keys, counterparty.Key(name))
	}
	if !l.Since.IsZero() && l.As != "" && len(l.Names) == 0 && l.In == "" {
		keys = append(keys, counterparty.Key(l.As))
	}
	return keys
}

// matchLines finds out what lines replace. A counterparty belongs to the first line that names it.
func (e *evaluator) matchLines() {
	first, last := figures.WindowDates(e.Basis.Day.Time())
	for _, name := range append([]string{""}, e.Plan.Cases...) {
		taken := map[string]bool{}
		for _, l := range e.Plan.Of(name) {
			m := &match{from: l.From}
			if l.Rhythm == Once {
				m.from, m.to = l.On.FirstOfMonth(), l.On.FirstOfMonth()
			}
			for _, key := range l.Keys() {
				if !taken[key] && l.Kind != Raise {
					m.keys = append(m.keys, key)
				}
				taken[key] = true
			}
			if len(m.keys) == 0 || l.Case != name || l.Rhythm == Once && !l.Since.IsZero() {
				continue
			}
			e.matches[l] = m
			m.average = e.netOf(m.keys, first, last) / figures.WindowMonths
			if !l.Since.IsZero() && len(l.Names) == 0 {
				month := l.Since.FirstOfMonth()
				m.confirmed, m.from = true, month
				m.before = e.netOf(m.keys, month.AddMonths(-figures.WindowMonths), month.AddDays(-1)) / figures.WindowMonths
			}
		}
	}
}

// netOf returns the net of the operating rows of counterparties in some days.
func (e *evaluator) netOf(keys []string, first, last civil.Date) (sum int64) {
	l := e.Basis.Ledger
	if l == nil {
		return 0
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Date.Before(first) {
			break
		}
		cents, known := r.Signed()
		if known && !r.Date.After(last) && r.Purpose == spending.Operating && IsOf(r, keys) {
			var ok bool
			if sum, ok = money.Add(sum, cents); !ok || max(sum, -sum) > mostCash {
				e.huge = true
				return 0
			}
		}
	}
	return sum
}

// IsOf reports whether a row belongs to one of the counterparties with the keys.
func IsOf(r *spending.Row, keys []string) bool {
	return contains(keys, r.Key) || contains(keys, counterparty.Key(r.CounterpartyName))
}
