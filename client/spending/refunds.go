package spending

import (
	"slices"
	"strings"
	"unique"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/recurrence"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
)

// refundDays is the largest number of days between a payment and money back of the same amount that
// counts as its refund although no word says so. Card schemes allow disputes for 120 days, and
// shops take goods back for up to 180.
const refundDays = 180

// IsRefund reports whether the row gives back what was paid to a vendor. It reduces the vendor's
// cost, and isn't income.
func (r *Row) IsRefund() bool { return r.refunded != nil }

// ComesOnce reports whether the row is money in that comes once, and isn't a sale.
func (r *Row) ComesOnce() bool {
	return r.Direction == apiclient.Inflow && ownbooks.ComesOnce(r.Category)
}

// markRefunds finds the rows that are refunds, and gives them the keys of the vendors whose cost
// they reduce. Money in from a counterparty that was paid before is a refund if a word says so, or
// if it equals a payment of the 180 days before. Refunds are never more than what was paid, and
// never from a customer or from a counterparty whose payments in recur. Money that comes once, such
// as a tax refund, has a category of its own.
func (l *Ledger) markRefunds() {
	vendors := map[string]*vendor{}
	for i := range l.Rows {
		if r := &l.Rows[i]; r.mayRefund(apiclient.Outflow) {
			if vendors[r.Key] == nil {
				vendors[r.Key] = &vendor{name: r.Transaction}
			}
			vendors[r.Key].paid = append(vendors[r.Key].paid, i)
		}
	}
	named := map[string]string{} // keys of vendors by keys of names of money in
	for i := range l.Rows {
		r := &l.Rows[i]
		if !r.mayRefund(apiclient.Inflow) || r.ComesOnce() {
			continue
		}
		key, known := named[r.Key]
		if !known {
			key = vendorOf(r.Key, vendors)
			named[r.Key] = key
		}
		if v := vendors[key]; v != nil {
			v.received = append(v.received, i)
		}
	}
	for key, v := range vendors {
		if len(v.received) > 0 {
			l.markRefundsOf(key, v)
		}
	}
}

// mayRefund reports whether a row of the direction can be a refund or be refunded.
func (r *Row) mayRefund(direction apiclient.Direction) bool {
	_, minor := r.own()
	return r.Direction == direction && r.Purpose == Operating && r.Reporting.Known() && minor > 0 &&
		r.CounterpartyName != counterparty.Unknown
}

// own returns the row's amount in its own currency, in which refunds equal payments. If that isn't
// known, it returns the amount in the currency of the ledger.
func (r *Row) own() (currency string, minor int64) {
	amount := r.Amount
	if !amount.Known() {
		amount = r.Reporting
	}
	minor, _ = amount.Minor()
	return amount.Currency(), minor
}

// vendor has the rows of a counterparty that was paid, as indices in Ledger.Rows, newest first.
type vendor struct {
	name           *apiclient.Transaction // newest one that was paid
	paid, received []int
}

// vendorOf returns the key of the vendor whom a name of money in means: its own, or what is left of
// it without words such as "refund". It returns "" if there is no such vendor.
func vendorOf(key string, vendors map[string]*vendor) string {
	if vendors[key] != nil {
		return key
	}
	words := strings.Fields(key)
	rest := slices.DeleteFunc(slices.Clone(words), ownbooks.IsRefundWord)
	if len(rest) == len(words) || len(rest) == 0 {
		return ""
	}
	return counterparty.Base(strings.Join(rest, " "), func(shorter string) bool { return vendors[shorter] != nil })
}

// markRefundsOf marks the refunds of one vendor.
func (l *Ledger) markRefundsOf(key string, v *vendor) {
	slices.Reverse(v.paid)
	slices.Reverse(v.received)
	payments := make([]recurrence.Payment, len(v.received))
	for n, i := range v.received {
		minor, _ := l.Rows[i].Reporting.Minor()
		payments[n] = recurrence.Payment{Date: l.Rows[i].Date, Cents: minor, Row: i}
	}
	refunds, isCustomer := l.refundsOf(v)
	if len(refunds) == 0 || isCustomer || len(recurrence.Find(payments, payments[len(payments)-1].Date)) > 0 {
		return
	}
	for i, payment := range refunds {
		r := &l.Rows[i]
		r.refunded = payment
		if r.Key != key {
			r.Key, r.base = unique.Make(key).Value(), v.name
		}
	}
}

// refundsOf returns the payments to a vendor that rows of money in give back, by the indices of
// these rows. It reports whether the other rows, or a paid invoice, show that the vendor is also a
// customer. The rows of the vendor are ordered oldest first.
func (l *Ledger) refundsOf(v *vendor) (refunds map[int]*apiclient.Transaction, isCustomer bool) {
	type amount struct {
		currency string
		minor    int64
	}
	refunds = map[int]*apiclient.Transaction{}
	whole := map[amount][]int{}                             // payments that weren't given back
	left, largest := map[string]int64{}, map[string]int64{} // sum of them, and the largest payment
	unexplained, next := 0, 0
	for _, i := range v.received {
		r := &l.Rows[i]
		for ; next < len(v.paid) && !l.Rows[v.paid[next]].Date.After(r.Date); next++ {
			currency, minor := l.Rows[v.paid[next]].own()
			sum, ok := money.Add(left[currency], minor)
			if !ok {
				return nil, false
			}
			left[currency], largest[currency] = sum, max(largest[currency], minor)
			whole[amount{currency, minor}] = append(whole[amount{currency, minor}], v.paid[next])
		}
		currency, minor := r.own()
		fits, equal := minor <= left[currency], whole[amount{currency, minor}]
		isEqual := len(equal) > 0 && r.Date.DaysSince(l.Rows[equal[len(equal)-1]].Date) <= refundDays
		switch says := r.saysRefund(); {
		case r.HasReceipt:
			return nil, true
		case fits && isEqual:
			refunds[i] = l.Rows[equal[len(equal)-1]].Transaction
			whole[amount{currency, minor}] = equal[:len(equal)-1]
			left[currency] -= minor
		case fits && says:
			refunds[i] = l.Rows[v.paid[next-1]].Transaction
			left[currency] -= minor
		case !says:
			// One smaller payment without a word is more often a part of a price given back than a
			// sale.
			if unexplained++; unexplained > 1 || minor > largest[currency] {
				return nil, true
			}
		}
	}
	return refunds, false
}

// saysRefund reports whether the name or a text of the row says that money was given back.
func (r *Row) saysRefund() bool {
	return slices.ContainsFunc([]string{r.CounterpartyName, r.Memo, r.Method, r.Category}, ownbooks.SaysRefund)
}

// CountsIn reports whether the row belongs to the cost or income of a direction: a refund to cost,
// and a row of unknown direction to both.
func (r *Row) CountsIn(direction apiclient.Direction) bool {
	if r.IsRefund() {
		return direction == apiclient.Outflow
	}
	return r.mayBe(direction)
}
