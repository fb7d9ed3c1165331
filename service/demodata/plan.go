package demodata

import (
	"math/rand/v2"
	"slices"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/payments"
	"tarmac/service/receivables"
)

// historyMonths is the number of full months in the history, which ends with the current month.
const historyMonths = 24

// plan is the history of an organization before it is written. Small rows are only counted in
// it, and generated while they are written. All other records are in it. It holds a few thousand
// records at most, whatever the size of the ledger.
type plan struct {
	now   time.Time
	today civil.Date
	first civil.Date // date of the first row
	rng   *rand.Rand
	ids   idSources

	rows        []plannedRow // sorted by time once newPlan returns
	bills       []bill       // by creation time, like the numbers of their invoices
	intents     []payments.Intent
	receivables []receivables.ImportedItem
	transfers   []transfer // by date
	days        []day      // from first to today

	held, locked, pending int64    // cents of open payment intents, and the lease's guarantee
	settled               [2]int64 // cents by ledger.Source
}

// plannedRow is a ledger row without its id, with the time that orders it within its day.
type plannedRow struct {
	at time.Time
	ledger.Transaction
}

func newEmptyPlan(seed int64, now time.Time, sources idSources) *plan {
	now = now.UTC().Truncate(time.Second)
	today := civil.Of(now)
	return &plan{
		now: now, today: today,
		first: workday(today.FirstOfMonth().AddMonths(-historyMonths)),
		rng:   newRand(seed, streamPlan),
		ids:   sources,
	}
}

// newPlan returns the full history, or that of newPlainPlan if it needs more transactions. It
// depends only on its arguments. Public ids come from sources.
func newPlan(seed int64, now time.Time, transactions int, sources idSources) (*plan, error) {
	p := newEmptyPlan(seed, now, sources)
	p.planCosts()
	p.planIrregularRows()
	if err := p.planBills(); err != nil {
		return nil, err
	}
	if err := p.planIntents(); err != nil {
		return nil, err
	}
	p.planReceivables()
	p.planOneSidedTransfers()
	// Financing rounds are rows too. They are added last, because their amounts depend on the
	// other rows.
	small := transactions - len(p.rows) - fundingRows
	if transactions > 0 && small < 0 {
		return newPlainPlan(seed, now, transactions, sources), nil
	}
	p.planDays(small)
	p.planFunding()
	slices.SortStableFunc(p.rows, func(a, b plannedRow) int { return a.at.Compare(b.at) })
	return p, nil
}

// transactions returns the number of ledger rows, small rows included.
func (p *plan) transactions() int {
	n := len(p.rows)
	for _, d := range p.days {
		n += d.small[0].rows + d.small[1].rows
	}
	return n
}

// add adds a row unless it is in the future. It sets the row's date, and its USD amount if the
// amount is known and its currency has a rate.
func (p *plan) add(at time.Time, t ledger.Transaction) {
	if at.After(p.now) {
		return
	}
	t.Date = civil.Of(at)
	if t.AmountMinor > 0 {
		t.AmountKnown = true
		t.USDCents, t.USDKnown = usdCents(t.AmountMinor, t.Currency)
	}
	p.rows = append(p.rows, plannedRow{at, t})
}

// addUnconverted adds a row without a USD amount, as if its rate had not been fetched yet.
func (p *plan) addUnconverted(at time.Time, t ledger.Transaction) {
	if at.After(p.now) {
		return
	}
	p.add(at, t)
	last := &p.rows[len(p.rows)-1]
	last.USDCents, last.USDKnown = 0, false
}

// officeTime returns a random time in the office hours of d.
func (p *plan) officeTime(d civil.Date) time.Time {
	return d.Time().Add(8*time.Hour + time.Duration(p.rng.IntN(9*3600))*time.Second)
}

// vary returns cents, changed at random by at most percent percent.
func (p *plan) vary(cents, percent int64) int64 {
	span := cents * percent / 100
	if span <= 0 {
		return cents
	}
	return cents - span + p.rng.Int64N(2*span+1)
}

// eachMonth calls fn for every month of the history, the current one included, with its number
// and its first day.
func (p *plan) eachMonth(fn func(month int, first civil.Date)) {
	for m := 0; m <= historyMonths; m++ {
		fn(m, p.today.FirstOfMonth().AddMonths(m-historyMonths))
	}
}

// dayOfMonth returns the given day of the month, or the Monday after it if it is on a weekend.
func dayOfMonth(first civil.Date, d int) civil.Date { return workday(first.AddDays(d - 1)) }

// workday returns d, or the Monday after it if d is on a weekend.
func workday(d civil.Date) civil.Date {
	switch d.Weekday() {
	case time.Saturday:
		return d.AddDays(2)
	case time.Sunday:
		return d.AddDays(1)
	}
	return d
}

// monthName returns the month of d as in "October 2026".
func monthName(d civil.Date) string { return d.Time().Format("January 2006") }
