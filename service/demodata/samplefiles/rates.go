package samplefiles

import (
	"fmt"
	"math/rand/v2"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

const (
	// ratesStream is the stream of random numbers for exchange rates. The other streams are in
	// demodata/random_streams.go.
	ratesStream = 101
	// rateUnit is the denominator of exchange rates, which have four decimals.
	rateUnit = 10_000
	// usualRate is the price of a euro around which rates vary, and rateSpan the largest difference
	// from it. The unit is 1/rateUnit dollars.
	usualRate = 10_800
	rateSpan  = 400
	// ratesBefore is the number of days before the first statement for which there are exchange
	// rates.
	ratesBefore = 7
)

// rates holds the price of a euro on each working day, in units of 1/rateUnit dollars.
type rates struct {
	days   []civil.Date
	prices []int64
}

// newRates generates rates for the working days from firstDay to lastDay, and for ratesBefore days
// before firstDay.
func newRates(seed int64, firstDay, lastDay civil.Date) rates {
	rng := rand.New(rand.NewPCG(uint64(seed), ratesStream))
	var r rates
	price := int64(usualRate)
	for day := firstDay.AddDays(-ratesBefore); !day.After(lastDay); day = day.AddDays(1) {
		if weekday := day.Weekday(); weekday == time.Saturday || weekday == time.Sunday {
			continue
		}
		price += rng.Int64N(91) - 45 - (price-usualRate)/40
		price = min(max(price, usualRate-rateSpan), usualRate+rateSpan)
		r.days, r.prices = append(r.days, day), append(r.prices, price)
	}
	return r
}

// on returns the price of a euro on a day. If there is none for that day, it returns the price of
// the last day before.
func (r rates) on(day civil.Date) int64 {
	i := len(r.days) - 1
	for i > 0 && r.days[i].After(day) {
		i--
	}
	return r.prices[i]
}

// usd converts euro cents to US cents at the price on a day.
func (r rates) usd(minor int64, day civil.Date) int64 { return convert(minor, r.on(day)) }

// convert converts euro cents to US cents at the given price, rounding half away from zero.
func convert(minor, price int64) int64 {
	if minor < 0 {
		return -convert(-minor, price)
	}
	return (minor*price + rateUnit/2) / rateUnit
}

// rateText returns a price in dollars, such as "1.0812".
func rateText(price int64) string { return fmt.Sprintf("%d.%04d", price/rateUnit, price%rateUnit) }

// list returns the rates in the form in which they are imported.
func (r rates) list() []bank.Rate {
	list := make([]bank.Rate, len(r.days))
	for i, day := range r.days {
		list[i] = bank.Rate{Date: day, Currency: "EUR", Numerator: r.prices[i], Denominator: rateUnit}
	}
	return list
}
