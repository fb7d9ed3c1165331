package recurrence

import (
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
)

func TestNoScheduleHasMorePaymentsThanTheCalendarAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		day, payments := number(civil.New(2024, 2, 1)), []Payment(nil)
		for range rapid.IntRange(1, 40).Draw(t, "payments") {
			day += rapid.SampledFrom([]int{0, 1, 7, 12, 14, 15, 27, 28, 29, 30, 31}).Draw(t, "days between")
			payments = append(payments, Payment{Date: date(day), day: day})
		}
		days := newCalendar(payments)

		for rhythm := Weekly; rhythm <= Yearly; rhythm++ {
			for s := range schedules(rhythm, payments) {
				if f := s.fit(payments, nil, 0); len(f.chosen) > days.most(s) {
					t.Fatalf("%d payments belong to %+v, and at most %d may", len(f.chosen), s, days.most(s))
				}
			}
		}
	})
}
