package alerts

import (
	"fmt"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/record"
	"tarmac/client/spending"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/plural"
)

func paymentAbove(a *Alert, r *Reading) look {
	l := r.Latest
	limit, err := a.amount.In(l.Currency)
	if err != nil && len(l.Rows) > 0 {
		return unknown(limitError(a, err))
	}
	first := civil.Of(r.Now).AddDays(-eventDays)
	result, notKnown := look{}, 0
	for i := range l.Rows {
		row := &l.Rows[i]
		minor, known := row.Signed()
		switch {
		case row.Date.Before(first) || row.Purpose == spending.OwnTransfer || !a.concerns(row.Name()):
		case !known:
			notKnown++
		case minor > limit || minor < -limit:
			verb, word := "Received ", " from "
			if minor < 0 {
				verb, word, minor = "Paid ", " to ", -minor
			}
			result.found = append(result.found, Finding{
				Subject: row.ID, Text: verb + money.Text(minor, l.Currency) + word + name(row.Name()) + " on " +
					row.Date.String() + " (above " + money.Text(limit, l.Currency) + ").",
				Open: "tarmac transactions " + row.ID,
			})
		}
	}
	result.state = plural.Count(len(result.found), "payment") + " above " + a.Limit + " in " +
		plural.Count(eventDays, "day") + leftOut(notKnown, "payment of unknown amount", "compared")
	return result
}

// eventDays is how old a payment may be to be told.
const eventDays = 92

// leftOut says that things were not looked at, or returns "".
func leftOut(n int, noun, verb string) string {
	if n == 0 {
		return ""
	}
	return "; " + plural.Count(n, noun) + " not " + verb
}

// series returns the payments that recur, are about the name of the alert and go out.
func (a *Alert) series(r *Reading) (all []spending.Recurring) {
	for _, s := range r.History.Recurring(r.History.Coverage.KnownTo(civil.Of(r.Now))) {
		if s.Direction == apiclient.Outflow && a.concerns(s.Name) {
			all = append(all, s)
		}
	}
	return all
}

func newSubscription(a *Alert, r *Reading) look {
	var l look
	all := a.series(r)
	for i := range all {
		s := &all[i]
		if s.Status(r.History.Begins(), civil.Of(r.Now)) != spending.NewSeries {
			continue
		}
		l.found = append(l.found, Finding{
			Subject: s.Key, Text: name(s.Name) + " has begun to recur: " + s.UsualAmount().String() + " " +
				s.Rhythm.String() + ", since " + s.First().String() + ".",
			Basis: "Derived from " + plural.Count(len(s.Payments), "payment") + ".", Open: "tarmac recurring",
		})
	}
	l.state = plural.Count(len(l.found), "new recurring payment") + unsearched(r)
	return l
}

func priceRise(a *Alert, r *Reading) look {
	var l look
	all := a.series(r)
	for i := range all {
		s := &all[i]
		percent, since, ok := s.Change()
		if !ok || s.Stopped || percent < a.number {
			continue
		}
		l.found = append(l.found, Finding{
			Subject: fmt.Sprintf("%s at %d", s.Key, s.Usual),
			Text: name(s.Name) + " rose by " + record.Percentage(percent) + " since " + figures.YearMonth(since) +
				" (at least " + a.Limit + "): " + s.UsualAmount().String() + " " + s.Rhythm.String() + ".",
			Basis: "Derived from " + plural.Count(len(s.Payments), "payment") + ".", Open: "tarmac recurring",
		})
	}
	l.state = plural.Count(len(l.found), "price") + " up" + unsearched(r)
	return l
}

func unsearched(r *Reading) string {
	if text := r.History.UnsearchedText(apiclient.Outflow); text != "" {
		return ": " + text
	}
	return ""
}

// leastMonths is how many months with costs a counterparty needs before one is unusual.
const leastMonths = 6

func unusualMonth(a *Alert, r *Reading) look {
	var l look
	this := civil.Of(r.Now).FirstOfMonth().AddMonths(-1)
	all := r.History.Counterparties(apiclient.Outflow, this, 13)
	for i := range all {
		c := &all[i]
		if !a.concerns(c.Name) {
			continue
		}
		newest, highest, count := c.Months[0], int64(0), 0
		for _, m := range c.Months[1:] {
			if !m.Unknown && m.Minor > 0 {
				highest, count = max(highest, m.Minor), count+1
			}
		}
		if newest.Unknown || count < leastMonths || newest.Minor/100*100 <= highest/100*(100+a.number) {
			continue
		}
		l.found = append(l.found, Finding{
			Subject: c.Key + " " + figures.YearMonth(this),
			Text: name(c.Name) + " cost " + newest.String() + " in " + figures.YearMonth(this) +
				", more than " + a.Limit + " % above the highest of the 12 months before, " +
				money.Text(highest, newest.Currency) + ".",
			Open: "tarmac spend",
		})
	}
	l.state = plural.Count(len(l.found), "cost") + " above all months before, in " + figures.YearMonth(this)
	return l
}
