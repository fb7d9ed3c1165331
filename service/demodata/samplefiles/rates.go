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
	ratesStream   = 101
	dollarsStream = 102
	// rateUnit is the denominator of exchange rates, which have four decimals.
	rateUnit = 10_000
	// usualRate is the price of a unit around which rates vary, and rateSpan the largest difference
	// from it. The unit is 1/rateUnit.
	usualRate = 10_800
	rateSpan  = 400
	// ratesBefore is the number of days before the first statement for which there are exchange
	// rates.
	ratesBefore = 7
)

// rates holds the price of one currency in another on each working day, in units of 1/rateUnit.
type rates struct {
	days   []civil.Date
	prices []int64
}

// newRates generates rates for the working days from firstDay to lastDay, and for ratesBefore days
// before firstDay.
func newRates(seed int64, stream uint64, firstDay, lastDay civil.Date) rates {
	rng := rand.New(rand.NewPCG(uint64(seed), stream))
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

// on returns the price on a day. If there is none for that day, it returns the price of
// the last day before.
func (r rates) on(day civil.Date) int64 {
	i := len(r.days) - 1
	for i > 0 && r.days[i].After(day) {
		i--
	}
	return r.prices[i]
}

// home converts an amount in the other currency to the company's at the price on a day.
func (r rates) home(minor int64, day civil.Date) int64 { return convert(minor, r.on(day)) }

// convert converts an amount at the given price, rounding half away from zero.
func convert(minor, price int64) int64 {
	if minor < 0 {
		return -convert(-minor, price)
	}
	return (minor*price + rateUnit/2) / rateUnit
}

// rateText returns a price, such as "1.0812".
func rateText(price int64) string { return fmt.Sprintf("%d.%04d", price/rateUnit, price%rateUnit) }

// rateList returns the rates to the US dollar in the form in which they are imported.
func (c *company) rateList() (list []bank.Rate) {
	for i, day := range c.rates.days {
		price := c.rates.prices[i]
		if len(c.dollars.days) > 0 {
			dollars := c.dollars.prices[i]
			list = append(list, bank.Rate{Date: day, Currency: c.home, Numerator: dollars, Denominator: rateUnit})
			price = convert(price, dollars)
		}
		list = append(list, bank.Rate{
			Date: day, Currency: c.foreign.currency, Numerator: price, Denominator: rateUnit,
		})
	}
	return list
}
