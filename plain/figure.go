package plain

import (
	"tarmac/client/spending"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

// figurePage shows the transactions behind a figure.
type figurePage struct {
	title  string
	ledger *spending.Ledger
	rows   []int // indices in ledger.Rows
	listed int   // number of rows printed so far
}

func (p *figurePage) name() string { return "figure" }

func (p *figurePage) commands(*session) []command {
	return []command{
		{"next", "", "more transactions", p.next},
		{"open", "NUMBER", "show a transaction, by list number", p.open},
	}
}

func (p *figurePage) show(s *session) error {
	flows := p.ledger.Flows(p.rows)
	s.say("%s: %s, in %s, out %s, net %s.", p.title, plural.Count(len(p.rows), "transaction"), sumInWords(flows.In),
		sumInWords(flows.Out), sumInWords(flows.Net))
	s.sayWhy(flows.Net)
	p.listed = 0
	return p.next(s, "")
}

// figureRows is the number of transactions behind a figure that are printed at once.
const figureRows = 100

func (p *figurePage) next(s *session, _ string) error {
	if p.listed > 0 && p.listed == len(p.rows) {
		return s.answer("End of list.")
	}
	end := min(len(p.rows), p.listed+figureRows)
	sayNumbered(s, p.listed+1, p.rows[p.listed:end], func(row *int) string {
		return transactionLine(p.ledger.Rows[*row].Transaction)
	})
	p.listed = end
	if end < len(p.rows) {
		return s.answer("%s of %s. Type next for more.", money.Count(int64(end)), money.Count(int64(len(p.rows))))
	}
	return nil
}

func (p *figurePage) open(s *session, args string) error {
	i, ok := s.pick(args, len(p.rows))
	if !ok {
		return nil
	}
	return s.open(&transactionPage{*p.ledger.Rows[p.rows[i]].Transaction})
}
