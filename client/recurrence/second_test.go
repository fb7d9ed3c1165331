package recurrence_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/client/recurrence"
	"tarmac/internal/civil"
)

// This file has a second, slow implementation of the search for one series. It writes down all days
// of each schedule and compares every payment with all of them.

// slowRules are the rules of docs/spend.md.
var slowRules = map[recurrence.Rhythm]struct{ early, late, least int }{
	recurrence.Weekly: {1, 2, 5}, recurrence.EveryTwoWeeks: {2, 3, 4}, recurrence.TwiceAMonth: {3, 4, 5},
	recurrence.Monthly: {4, 5, 3}, recurrence.Quarterly: {10, 12, 3}, recurrence.Yearly: {15, 20, 2},
}

// slowFit is a schedule's payments and expected days.
type slowFit struct {
	text                   string // rhythm, rows, missed days and the next day
	score, offsets, missed int
}

// slowSeries returns the best fits of all schedules. There are several if they are equally good.
func slowSeries(payments []recurrence.Payment) (best []slowFit) {
	slices.SortStableFunc(payments, func(a, b recurrence.Payment) int { return a.Date.Compare(b.Date) })
	for rhythm, rule := range slowRules {
		for _, days := range slowSchedules(rhythm, payments) {
			f, chosen := fitSlowly(rhythm, days, payments)
			n := len(chosen)
			if n < rule.least || 4*n < 3*len(payments) || !isSlowSeries(rhythm, f, chosen) {
				continue
			}
			if len(best) > 0 && (f.score < best[0].score || f.score == best[0].score && f.offsets > best[0].offsets) {
				continue
			}
			if len(best) > 0 && (f.score > best[0].score || f.offsets < best[0].offsets) {
				best = nil
			}
			best = append(best, f)
		}
	}
	return best
}

// isSlowSeries reports whether few enough days were missed and the amounts are similar enough.
func isSlowSeries(rhythm recurrence.Rhythm, f slowFit, chosen []recurrence.Payment) bool {
	n, different := len(chosen), 0
	for i := 1; i < n; i++ {
		a, b := chosen[i-1].Cents, chosen[i].Cents
		if max(a, b)-min(a, b) > min(a, b)/3 {
			different++
		}
	}
	mayMiss := n / 6
	if n >= 4 {
		mayMiss = max(1, mayMiss)
	}
	return f.missed <= mayMiss && (n >= 6 || different == 0) &&
		(rhythm != recurrence.TwiceAMonth || 3*different <= n)
}

// fitSlowly gives each payment to the nearest expected day, and each day the nearest payment.
func fitSlowly(rhythm recurrence.Rhythm, days []civil.Date, payments []recurrence.Payment) (
	f slowFit, chosen []recurrence.Payment,
) {
	rule := slowRules[rhythm]
	paid := map[int]recurrence.Payment{} // by index of the expected day
	for _, p := range payments {
		nearest := 0
		for i, day := range days {
			if away(p.Date, day) < away(p.Date, days[nearest]) {
				nearest = i
			}
		}
		offset := p.Date.DaysSince(days[nearest])
		if offset < -rule.early || offset > rule.late {
			continue
		}
		if other, taken := paid[nearest]; !taken || away(p.Date, days[nearest]) < away(other.Date, days[nearest]) {
			paid[nearest] = p
		}
	}
	first, last := -1, -1
	rows := []int{}
	for i, day := range days {
		if p, taken := paid[i]; taken {
			if first < 0 {
				first = i
			}
			last = i
			rows = append(rows, p.Row)
			chosen = append(chosen, p)
			f.offsets += away(p.Date, day)
		}
	}
	if last < 0 {
		return f, nil
	}
	f.missed = last - first + 1 - len(chosen)
	f.score = len(chosen) - 2*f.missed
	f.text = fmt.Sprint(rhythm, rows, f.missed, " ", days[last+1])
	return f, chosen
}

func away(a, b civil.Date) int { return max(a.DaysSince(b), b.DaysSince(a)) }

// slowSchedules returns the expected days of each schedule of which a payment is made on time to
// the day.
func slowSchedules(rhythm recurrence.Rhythm, payments []recurrence.Payment) (all [][]civil.Date) {
	begin := payments[0].Date.AddDays(-800)
	end := payments[len(payments)-1].Date.AddDays(800)
	collect := func(isExpected func(civil.Date) bool) {
		var days []civil.Date
		for day := begin; day.Before(end); day = day.AddDays(1) {
			if isExpected(day) {
				days = append(days, day)
			}
		}
		all = append(all, days)
	}
	// on reports whether a day is the n-th of its month, or the last one of a shorter month.
	on := func(day civil.Date, n int) bool { return day.Day() == min(n, day.LastOfMonth().Day()) }
	for _, p := range payments {
		switch rhythm {
		case recurrence.Weekly:
			collect(func(day civil.Date) bool { return day.DaysSince(p.Date)%7 == 0 })
		case recurrence.EveryTwoWeeks:
			collect(func(day civil.Date) bool { return day.DaysSince(p.Date)%14 == 0 })
		case recurrence.TwiceAMonth:
			for between := 10; between <= 18 && p.Date.Day()+between <= 31; between++ {
				collect(func(day civil.Date) bool { return on(day, p.Date.Day()) || on(day, p.Date.Day()+between) })
			}
		default:
			numbers := []int{p.Date.Day()}
			if p.Date == p.Date.LastOfMonth() {
				numbers = append(numbers, 31)
			}
			for _, n := range numbers {
				collect(func(day civil.Date) bool {
					return day.MonthsSince(p.Date)%(12/int(rhythm.PerYear())) == 0 && on(day, n)
				})
			}
		}
	}
	return all
}

func TestTheSeriesOfACounterpartyEqualsThatOfASlowSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payments := anyPayments(t)
		best := slowSeries(slices.Clone(payments))

		found := recurrence.Find(payments, today)

		if len(best) == 0 {
			for _, s := range found { // among payments of similar amounts, which are fewer than all
				if 4*len(s.Payments) >= 3*len(payments) && len(found) == 1 && allSimilar(payments) {
					t.Fatalf("found %+v, the slow search none", s)
				}
			}
			return
		}
		if len(found) != 1 {
			t.Fatalf("%d series, the slow search has %q", len(found), best[0].text)
		}
		rows := []int{}
		for _, p := range found[0].Payments {
			rows = append(rows, p.Row)
		}
		got := fmt.Sprint(found[0].Rhythm, rows, found[0].Missed, " ", found[0].Next)
		if !slices.ContainsFunc(best, func(f slowFit) bool { return f.text == got }) {
			t.Fatalf("%s, the slow search has %+v", got, best)
		}
	})
}

// anyPayments draws payments of a rhythm that shift by days, are missed or doubled, and change
// their amount.
func anyPayments(t *rapid.T) (payments []recurrence.Payment) {
	step := rapid.SampledFrom([]int{7, 14, 15, 30, 31, 91, 365}).Draw(t, "step")
	day := civil.New(2025, 1, 1).AddDays(rapid.IntRange(0, 60).Draw(t, "first"))
	cents := rapid.Int64Range(100, 200).Draw(t, "cents")
	for range rapid.IntRange(1, 14).Draw(t, "payments") {
		if day.After(today) {
			break
		}
		if rapid.IntRange(0, 9).Draw(t, "missed") > 0 {
			shift := rapid.IntRange(-2, 3).Draw(t, "shift")
			payments = append(payments, recurrence.Payment{Date: day.AddDays(shift), Cents: cents, Row: len(payments)})
		}
		if rapid.IntRange(0, 12).Draw(t, "other") == 0 {
			other := recurrence.Payment{Date: day.AddDays(step / 2), Cents: 3 * cents, Row: len(payments)}
			payments = append(payments, other)
		}
		day = day.AddDays(step)
	}
	if len(payments) == 0 {
		payments = paid(cents, day)
	}
	return payments
}

func allSimilar(payments []recurrence.Payment) bool {
	for _, p := range payments {
		if p.Cents != payments[0].Cents {
			return false
		}
	}
	return true
}
