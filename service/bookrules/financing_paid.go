package bookrules

import (
	"cmp"
	"iter"
	"slices"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// Paid is a transaction of money out that no bill and no rule explains.
type Paid struct {
	Name  string // payee
	Date  civil.Date
	Minor int64 // in minor units of the currency of reports, positive
	Row   int   // the caller's name of the transaction
}

// usualMonths is the number of months before and after a payment whose outflow says what a month
// usually costs.
const usualMonths = 6

// usualOutflow returns the median outflow of the months around one, without that month and months
// without outflow. It returns false if they are too few.
func usualOutflow(outflow map[civil.Date]int64, month civil.Date) (minor int64, known bool) {
	const fewest = 2
	var others []int64
	for n := -usualMonths; n <= usualMonths; n++ {
		if sum := outflow[month.AddMonths(n)]; n != 0 && sum > 0 {
			others = append(others, sum)
		}
	}
	slices.Sort(others)
	if len(others) < fewest {
		return 0, false
	}
	return others[len(others)/2], true
}

// FindPaidElsewhere returns which payments may not be costs: money for an own account that isn't
// in the books, such as a broker's, a loan that is paid back, or a deposit. It asks once for each
// payee: about payments above a month's usual outflow to a payee of at most three months, and
// about all payments to whoever financing came from. received is the result of FindFinancing, and
// lenders has the keys of payers whose money is financing, as the user has said.
// payments is read twice. identify returns the id of a transaction. currency is that of reports.
func FindPaidElsewhere(
	payments iter.Seq[Paid], received Financing, lenders map[string]bool, identify func(row int) string,
	answers []FinancingAnswer, currency string,
) (f Financing, err error) {
	all := payees{
		byKey: map[string]*paidTo{}, keys: map[string]string{}, outflow: received.Outflow, usual: map[civil.Date]int64{},
		least: leastAsked(currency),
	}
	for _, a := range answers {
		about := all.withKey(a.PayerKey)
		about.answers = append(about.answers, a)
	}
	for _, q := range received.Questions {
		all.withKey(q.PayerKey).lends = true
	}
	for key := range lenders {
		all.withKey(key).lends = true
	}
	for p := range payments {
		all.of(p.Name).count(p.Date)
	}
	for p := range payments {
		if one := all.of(p.Name); one.lends || len(one.answers) > 0 || !one.regular() && all.isLarge(&p) {
			one.paid = append(one.paid, p)
		}
	}
	f.Rows = map[string]bool{}
	for _, one := range all.byKey {
		if err := one.decide(identify, &f); err != nil {
			return f, err
		}
	}
	slices.SortFunc(f.Questions, compareQuestions)
	return f, nil
}

// payees finds the payee of a payment.
type payees struct {
	byKey   map[string]*paidTo
	keys    map[string]string // results of PayerKeyOf by name
	outflow map[civil.Date]int64
	usual   map[civil.Date]int64 // results of usualOutflow by the first day of the month; 0 if unknown
	least   int64                // smallest payment that is asked about for its size
}

// paidTo has the payments to one payee that may not be costs.
type paidTo struct {
	key     string
	months  []civil.Date // months with payments, up to one more than mostTranches
	lends   bool         // true if the payee's own money is or may be financing
	answers []FinancingAnswer
	paid    []Paid
}

func (p *paidTo) count(day civil.Date) {
	month := day.FirstOfMonth()
	if !p.regular() && !slices.Contains(p.months, month) {
		p.months = append(p.months, month)
	}
}

func (p *paidTo) regular() bool { return len(p.months) > mostTranches }

// decide adds to f which payments aren't costs, as the user says, and what is asked.
func (p *paidTo) decide(identify func(row int) string, f *Financing) error {
	slices.SortFunc(p.answers, func(a, b FinancingAnswer) int {
		return cmp.Or(cmp.Compare(a.LargestMinor, b.LargestMinor), compareBool(a.Yes, b.Yes))
	})
	slices.SortFunc(p.paid, func(a, b Paid) int { return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Row, b.Row)) })
	q := FinancingQuestion{PayerKey: p.key, Out: true, Answers: len(p.answers)}
	if len(p.answers) > 0 {
		q.Earlier = &p.answers[len(p.answers)-1]
	}
	var asked []ledger.Transaction
	for n := range p.paid {
		one, id := &p.paid[n], identify(p.paid[n].Row)
		at := slices.IndexFunc(p.answers, func(a FinancingAnswer) bool { return a.covers(one.Minor) })
		switch {
		case at < 0:
			asked = append(asked, ledger.Transaction{
				ID: id, Date: one.Date, Counterparty: one.Name, ReportingMinor: one.Minor, ReportingKnown: true,
			})
		case p.answers[at].Yes:
			f.Rows[id] = true
		}
	}
	return q.ask(asked, f)
}

func (all *payees) withKey(key string) *paidTo {
	if all.byKey[key] == nil {
		all.byKey[key] = &paidTo{key: key}
	}
	return all.byKey[key]
}

func (all *payees) of(name string) *paidTo {
	key, known := all.keys[name]
	if !known {
		key = PayerKeyOf(name)
		all.keys[name] = key
	}
	return all.withKey(key)
}

// isLarge reports whether a payment is above what a month usually costs.
func (all *payees) isLarge(p *Paid) bool {
	month := p.Date.FirstOfMonth()
	usual, read := all.usual[month]
	if !read {
		usual, _ = usualOutflow(all.outflow, month)
		all.usual[month] = usual
	}
	return usual > 0 && p.Minor > usual && p.Minor >= all.least
}
