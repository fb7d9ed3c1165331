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

// historyMonths is the number of full months in the history. The current month, which is not full,
// follows them.
const historyMonths = 24

// plan is an organization's history before it is written to the store. It holds all records except
// small rows (smallRows): it only counts those, and they are generated while they are written. A
// plan therefore holds a few thousand records at most, however large the ledger is.
type plan struct {
	now   time.Time
	today civil.Date
	first civil.Date // date of the first ledger row
	rng   *rand.Rand
	ids   idSources

	settlesMonths, hasBills bool // of the options

	rows        []plannedRow // sorted by time after newPlan
	bills       []bill       // in the order of creation, as their numbers are
	intents     []payments.Intent
	receivables []receivables.ImportedItem
	transfers   []transfer // in the order of dates
	days        []day      // from the first day to today

	// held, locked and pending are the cents that open payment intents and the lease guarantee
	// reserve. settled is the cash of each feed in cents, indexed by ledger.Source.
	held, locked, pending int64
	settled               [2]int64
}

// plannedRow is a ledger row, without an id until it is written. Its time decides its order within
// the day.
type plannedRow struct {
	at time.Time
	ledger.Transaction
}

func newEmptyPlan(seed int64, now time.Time, sources idSources) *plan {
	now = now.UTC().Truncate(time.Second)
	today := civil.Of(now)
	return &plan{
		now: now, today: today,
		first: Workday(today.FirstOfMonth().AddMonths(-historyMonths)),
		rng:   newRand(seed, streamPlan),
		ids:   sources,
	}
}

// newPlan returns the full history, or the result of newPlainPlan if the full history has more rows
// than opts.Transactions. The same arguments give the same plan. Public ids come from sources.
func newPlan(opts Options, sources idSources) (*plan, error) {
	p := newEmptyPlan(opts.Seed, opts.Today, sources)
	p.settlesMonths, p.hasBills = opts.SettlesMonths, opts.HasBills
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
	// Financing rounds are rows too. They are added last, because their amounts depend on all other
	// rows.
	small := opts.Transactions - len(p.rows) - fundingRows
	if opts.Transactions > 0 && small < 0 {
		return newPlainPlan(opts.Seed, opts.Today, opts.Transactions, sources), nil
	}
	p.planDays(small)
	p.planFunding()
	slices.SortStableFunc(p.rows, func(a, b plannedRow) int { return a.at.Compare(b.at) })
	return p, nil
}

// transactions returns the number of ledger rows, including the small rows that are not generated
// yet.
func (p *plan) transactions() int {
	n := len(p.rows)
	for _, d := range p.days {
		n += d.small[0].rows + d.small[1].rows
	}
	return n
}

// add adds a ledger row unless it is in the future. It sets the row's date. It also sets the USD
// amount if the amount is known and the currency has a rate.
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

// addUnconverted adds a ledger row without a USD amount, as if its exchange rate were not known
// yet.
func (p *plan) addUnconverted(at time.Time, t ledger.Transaction) {
	if at.After(p.now) {
		return
	}
	p.add(at, t)
	last := &p.rows[len(p.rows)-1]
	last.USDCents, last.USDKnown = 0, false
}

// officeTime returns a random time between 8:00 and 17:00 UTC on the day d.
func (p *plan) officeTime(d civil.Date) time.Time {
	return d.Time().Add(8*time.Hour + time.Duration(p.rng.IntN(9*3600))*time.Second)
}

// vary returns cents, randomly increased or decreased by at most the given percentage.
func (p *plan) vary(cents, percent int64) int64 {
	span := cents * percent / 100
	if span <= 0 {
		return cents
	}
	return cents - span + p.rng.Int64N(2*span+1)
}

// isSettled reports whether the amounts and rates of a day must be known.
func (p *plan) isSettled(day civil.Date) bool {
	return p.settlesMonths && day.Before(p.today.FirstOfMonth())
}

// eachMonth calls fn for every month of the history, including the current one. month counts from
// 0; first is the first day of the month.
func (p *plan) eachMonth(fn func(month int, first civil.Date)) {
	for m := 0; m <= historyMonths; m++ {
		fn(m, p.today.FirstOfMonth().AddMonths(m-historyMonths))
	}
}

// dayOfMonth returns the day d of the month that starts on monthStart. If that is on a weekend, it
// returns the following Monday.
func dayOfMonth(monthStart civil.Date, d int) civil.Date { return Workday(monthStart.AddDays(d - 1)) }

// Workday returns d, or the Monday after it if d is on a weekend.
func Workday(d civil.Date) civil.Date {
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
