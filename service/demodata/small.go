package demodata

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

// day says how many small rows (smallRows) are generated for a date, and their totals, for each
// ledger.Source.
type day struct {
	date  civil.Date
	small [2]quota
}

// quota is a number of ledger rows to generate and their net total. The total does not depend on
// the number of rows, so the burn is the same in ledgers of any size.
type quota struct {
	rows  int
	cents int64 // inflow minus outflow, in USD cents
}

// minSmallAmount is the smallest amount that smallRows generates, in cents.
const minSmallAmount = 1 * dollar

// planDays spreads n small rows over the days of the history. Working days and later days have more
// of them.
func (p *plan) planDays(n int) {
	count := p.today.DaysSince(p.first) + 1
	p.days = make([]day, count)
	weights := make([]int64, count)
	var total int64
	for i := range p.days {
		p.days[i].date = p.first.AddDays(i)
		weights[i] = p.weight(i, count)
		total += weights[i]
	}
	if n <= 0 || total == 0 {
		return
	}
	var seen int64
	done, doneService := int64(0), int64(0)
	for i := range p.days {
		seen += weights[i]
		// Each day's number is the difference of two rounded running totals, so that all days add
		// up to exactly n.
		upTo := seen * int64(n) / total
		service := upTo * 11 / 20
		d := &p.days[i]
		d.small[ledger.ServiceAccount].rows = int(service - doneService)
		d.small[ledger.LinkedBank].rows = int(upTo - done - (service - doneService))
		done, doneService = upTo, service
		p.setDailyTotal(d, i, count)
	}
}

func (p *plan) weight(i, count int) int64 {
	if i == 0 {
		return 0 // the founders' capital must be the first ledger row
	}
	w := int64(100)
	switch p.days[i].date.Weekday() {
	case time.Saturday:
		w = 40
	case time.Sunday:
		w = 30
	}
	w = w * int64(60+80*i/count)
	if i == count-1 {
		// The current day is weighted by the part of it that has passed.
		w = w * int64(p.now.Sub(p.today.Time())/time.Second) / 86_400
	}
	return w
}

// setDailyTotal sets the net total of a day's small rows for each feed. i is the index of the day,
// and count the number of days in the history.
func (p *plan) setDailyTotal(d *day, i, count int) {
	daily := (420 + 560*int64(i)/int64(count)) * dollar
	if wd := d.date.Weekday(); wd == time.Saturday || wd == time.Sunday {
		daily = daily * 35 / 100
	}
	for source, percent := range [2]int64{ledger.ServiceAccount: 55, ledger.LinkedBank: 45} {
		// vary is called even for a day without rows: the number of rows must not change the random
		// numbers of later days.
		cents := p.vary(daily*percent/100, 30)
		if d.small[source].rows > 0 {
			d.small[source].cents = -cents
		}
	}
}

// smallRows generates the many small rows of a ledger: card payments, usage-based billing, fees and
// payouts. Generating a row takes well under a microsecond.
type smallRows struct {
	rng     *rand.Rand
	catalog catalog
	amounts [1024]int64 // cents
	mean    int64
	serial  int64
	text    [24]byte
}

// newSmallRows returns a generator for about perDay rows a day. Amounts are smaller if there are
// more rows.
func newSmallRows(rng *rand.Rand, perDay int) *smallRows {
	s := &smallRows{rng: rng, catalog: newCatalog(), serial: 1_000_000}
	largest := min(400*dollar, max(6*dollar, 400*dollar*40/int64(max(perDay, 1))))
	var total int64
	for i := range s.amounts {
		s.amounts[i] = smallAmount(rng, largest)
		total += s.amounts[i]
	}
	s.mean = total / int64(len(s.amounts))
	return s
}

// smallAmount returns a random amount in cents, up to largest. The amounts are distributed
// logarithmically, like those of card payments: 2 to 4 dollars are as frequent as 100 to 200.
func smallAmount(rng *rand.Rand, largest int64) int64 {
	doublings := bits.Len64(uint64(largest / minSmallAmount))
	for {
		base := minSmallAmount << rng.IntN(doublings)
		if cents := base + rng.Int64N(base); cents <= largest {
			return cents
		}
	}
}

// next fills t with the next row of a quota, without id and date, and deducts the row from the
// quota. The last row brings the quota's cents to exactly zero. Only rows of an open
// day may be unsettled.
func (s *smallRows) next(q *quota, source ledger.Source, open bool, t *ledger.Transaction) {
	*t = ledger.Transaction{Source: source, Currency: "USD", AmountKnown: true, USDKnown: true}
	r := s.rng.Uint64()
	rows := int64(q.rows)
	q.rows--
	if open && rows > 2 && r>>40%512 == 0 {
		s.unsettled(t, r)
		return
	}
	remaining := max(q.cents, -q.cents)
	cents := s.amounts[r&1023]
	inflow := q.cents > 0
	// If little of the quota remains, the second to last row has the opposite direction, so that
	// the last row is not too small.
	against := rows > 1 && r>>10%100 < 18 || rows == 2 && remaining < 4*minSmallAmount
	switch {
	case rows == 1:
		cents = remaining
	case against:
		inflow = !inflow
	case rows == 2:
		cents = remaining * int64(25+r>>20%50) / 100
	case remaining/rows > s.mean:
		cents = max(minSmallAmount, remaining/rows*int64(30+r>>20%140)/100)
	}
	s.fill(t, inflow, cents, r)
	t.AmountMinor, t.USDCents = cents, cents
	if rows > 2 && !inflow && r>>24%40 == 0 {
		t.Currency = foreignCurrency(r)
		t.AmountMinor = foreignMinor(cents, t.Currency)
		t.USDCents, t.USDKnown = usdCents(t.AmountMinor, t.Currency)
	}
	q.cents -= netUSD(t)
}

// fill sets the direction of the row t, and texts that suit its amount in cents. r is a random
// number.
func (s *smallRows) fill(t *ledger.Transaction, inflow bool, cents int64, r uint64) {
	from := s.catalog.purchases
	if inflow {
		t.Direction, from = ledger.Inflow, s.catalog.receipts
	}
	what := &from[r>>32%uint64(len(from))]
	for range 4 {
		if what.atLeast <= cents && cents <= what.upTo {
			break
		}
		what = &from[s.rng.IntN(len(from))]
	}
	t.Counterparty, t.Category, t.Memo = what.counterparty, what.category, what.memo
	t.Method, t.LogoURL = what.method, what.logo
	t.HasReceipt = inflow || r>>20%10 < 7
	if r>>54%160 == 0 {
		t.Counterparty, t.LogoURL = ledger.UnknownCounterparty, ""
	}
	if inflow || r>>23&1 == 0 {
		s.serial++
		prefix := "CP-"
		if inflow {
			prefix = "UB-"
		}
		t.Reference = string(strconv.AppendInt(append(s.text[:0], prefix...), s.serial, 10))
	}
}

// unsettled fills t with a row that is not in any balance yet, because its amount is unknown or its
// currency has no rate for the day.
func (s *smallRows) unsettled(t *ledger.Transaction, r uint64) {
	cents := s.amounts[r&1023]
	s.fill(t, false, cents, r)
	t.USDKnown, t.HasReceipt = false, false
	t.Currency = foreignCurrency(r)
	if r>>50%3 == 0 {
		t.AmountKnown = false
		return
	}
	t.AmountMinor = foreignMinor(cents, t.Currency)
}

func foreignCurrency(r uint64) string {
	return [...]string{"EUR", "GBP", "JPY", "EUR"}[r>>58&3]
}
