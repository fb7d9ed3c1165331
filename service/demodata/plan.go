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

// historyMonths is how many full months of history there are before the month
// that today is in.
const historyMonths = 24

// plan is the organization's story: everything but the many small rows, which
// are only counted here and made while they are written. It holds a few
// thousand records at most, whatever the size of the ledger.
type plan struct {
	now   time.Time
	today civil.Date
	first civil.Date // the first day with a row
	rng   *rand.Rand
	ids   idSources

	rows        []plannedRow // by time, once finished
	bills       []bill       // by time of creation; an invoice's number is its place
	intents     []payments.Intent
	receivables []receivables.ImportedItem
	transfers   []transfer // by date
	days        []day      // from first to today

	held, locked, pending int64    // cents of open payment intents, and the lease's guarantee
	settled               [2]int64 // cents by ledger.Source
}

// plannedRow is a ledger row without its id, at the moment that orders it in
// its day.
type plannedRow struct {
	at time.Time
	ledger.Transaction
}

// emptyPlan has a history and nothing in it yet.
func emptyPlan(seed int64, now time.Time, public idSources) *plan {
	now = now.UTC().Truncate(time.Second)
	today := civil.Of(now)
	return &plan{
		now: now, today: today,
		first: workday(today.FirstOfMonth().AddMonths(-historyMonths)),
		rng:   newRand(seed, streamStory),
		ids:   public,
	}
}

// newPlan tells the story, or plans a plain history where transactions are too few
// for it. It is a pure function of the seed, of now and of how many rows are wanted;
// the records are named by public.
func newPlan(seed int64, now time.Time, transactions int, public idSources) (*plan, error) {
	p := emptyPlan(seed, now, public)
	p.planCosts()
	p.planOddities()
	if err := p.planBills(); err != nil {
		return nil, err
	}
	if err := p.planIntents(); err != nil {
		return nil, err
	}
	p.planReceivables()
	p.planOneSidedTransfers()
	// Rounds are rows too: they are counted before their sizes are known.
	small := transactions - len(p.rows) - fundingRows
	if transactions > 0 && small < 0 {
		return newPlainPlan(seed, now, transactions, public), nil
	}
	p.planDays(small)
	p.planFunding()
	slices.SortStableFunc(p.rows, func(a, b plannedRow) int { return a.at.Compare(b.at) })
	return p, nil
}

// transactions returns how many ledger rows the plan comes to.
func (p *plan) transactions() int {
	n := len(p.rows)
	for _, d := range p.days {
		n += d.small[0].rows + d.small[1].rows
	}
	return n
}

// add puts a row into the story unless it lies in the future. Its date, and its
// USD amount where its currency has a rate and its amount is known, follow.
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

// unconverted takes the USD amount from the row added last, if it was added at
// that moment: its rate has not been fetched yet.
func (p *plan) unconverted(at time.Time, t ledger.Transaction) {
	if at.After(p.now) {
		return
	}
	p.add(at, t)
	last := &p.rows[len(p.rows)-1]
	last.USDCents, last.USDKnown = 0, false
}

// officeTime returns a moment of the working day d.
func (p *plan) officeTime(d civil.Date) time.Time {
	return d.Time().Add(8*time.Hour + time.Duration(p.rng.IntN(9*3600))*time.Second)
}

// vary returns cents changed by up to percent either way.
func (p *plan) vary(cents, percent int64) int64 {
	span := cents * percent / 100
	if span <= 0 {
		return cents
	}
	return cents - span + p.rng.Int64N(2*span+1)
}

// eachMonth calls fn with every month of the history, the current one included.
func (p *plan) eachMonth(fn func(month int, first civil.Date)) {
	for m := 0; m <= historyMonths; m++ {
		fn(m, p.today.FirstOfMonth().AddMonths(m-historyMonths))
	}
}

// dayOfMonth returns a working day at or soon after the given day of the month.
func dayOfMonth(first civil.Date, d int) civil.Date { return workday(first.AddDays(d - 1)) }

// workday returns d, or the Monday after it when d is on a weekend.
func workday(d civil.Date) civil.Date {
	switch d.Weekday() {
	case time.Saturday:
		return d.AddDays(2)
	case time.Sunday:
		return d.AddDays(1)
	}
	return d
}

// monthName returns the month of d as memos write it: "October 2026".
func monthName(d civil.Date) string { return d.Time().Format("January 2006") }
