package plan

import (
	"cmp"
	"slices"

	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/client/spending"
	"tarmac/internal/civil"
)

// Candidate is a counterparty whose rows may be what a line has planned. A person says whether
// they are.
type Candidate struct {
	Line *Line
	Name string
	Day  civil.Date    // of the first of the rows
	Rise figures.Total // by how much the month is above the average of the three before
	Rows []int         // indices in the ledger's Rows
}

// ConfirmCandidates returns what fits the lines of the plan whose day has come and which are not
// confirmed: counterparties whose month rose by 80 to 120 % of the amount, and for a raise money of
// investors and lenders of as much.
func ConfirmCandidates(p *Plan, b Basis) (all []Candidate) {
	e := newEvaluator(p, b)
	for _, l := range p.Lines {
		if l.Case != "" || !l.Since.IsZero() || len(l.Names) > 0 || !l.IsCash() || l.Kind == Lose || !l.hasBegun(b.Day) ||
			l.Rhythm != Once && (l.Rhythm != Monthly || l.From == p.First) {
			continue
		}
		minor, known := e.convert(Amount{l.Amount.Minor * max(1, l.Count), l.Amount.Currency})
		if !known {
			continue
		}
		if l.Kind == Raise {
			all = append(all, e.raised(l, minor)...)
			continue
		}
		day := l.On
		if l.Rhythm != Once {
			day = l.From
		}
		all = append(all, e.risen(l, minor, day.FirstOfMonth())...)
	}
	return all
}

// near reports whether an amount is 80 to 120 % of another one.
func near(minor, of int64) bool { return minor >= of-of/5 && minor <= of+of/5 }

// raised returns the money of investors and lenders that fits a raise: from a month before its day.
func (e *evaluator) raised(l *Line, minor int64) (all []Candidate) {
	for i := range e.Basis.Ledger.Rows {
		r := &e.Basis.Ledger.Rows[i]
		cents, known := r.Signed()
		if known && r.Purpose == spending.Financing && !r.Date.Before(l.On.AddMonths(-1)) && near(cents, minor) {
			all = append(all, Candidate{l, r.Name(), r.Date, e.net(cents), []int{i}})
		}
	}
	return all
}

func (e *evaluator) net(minor int64) figures.Total {
	return figures.Total{Minor: minor, Currency: e.Basis.Currency, Kind: figures.Net}
}

// risen returns the counterparties whose net in a month differs from the average of the three
// months before as much as a line plans.
func (e *evaluator) risen(l *Line, minor int64, month civil.Date) (all []Candidate) {
	type sums struct {
		before, now int64
		one         Candidate
	}
	of, first := map[string]*sums{}, month.AddMonths(-figures.WindowMonths)
	for i := range e.Basis.Ledger.Rows {
		r := &e.Basis.Ledger.Rows[i]
		cents, known := r.Signed()
		if !known || r.Purpose != spending.Operating || r.Date.Before(first) || r.Date.After(month.LastOfMonth()) ||
			r.CounterpartyName == counterparty.Unknown {
			continue
		}
		if of[r.Key] == nil {
			of[r.Key] = &sums{one: Candidate{Line: l, Name: r.Name()}}
		}
		s := of[r.Key]
		if r.Date.Before(month) {
			s.before += cents
			continue
		}
		s.now += cents
		s.one.Day, s.one.Rows = r.Date, append(s.one.Rows, i) // the oldest is the last one
	}
	for _, s := range of {
		rise := s.now - s.before/figures.WindowMonths
		s.one.Rise = e.net(rise)
		if l.IsOut() {
			rise = -rise
		}
		if len(s.one.Rows) > 0 && near(rise, minor) {
			all = append(all, s.one)
		}
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(size(size(a.Rise.Minor)-minor), size(size(b.Rise.Minor)-minor)),
			cmp.Compare(a.Name, b.Name))
	})
	return all
}

// Confirmed returns the line as it stands in the text once a person has confirmed a candidate.
func (c *Candidate) Confirmed(p *Plan) string {
	line := *c.Line
	line.Since, line.As = c.Day, c.Name
	return line.Text(p)
}

func keyOf(r *spending.Row) string { return counterparty.Key(r.CounterpartyName) }
