// Package payables computes what a company owes to its vendors and by when: totals, aging by
// vendor, and what is due in the next days. It computes from the bills of own books.
package payables

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/counterparty"
	"tarmac/client/figures"
	"tarmac/internal/civil"
	"tarmac/internal/fold"
	"tarmac/internal/plural"
)

// Sentences for what is not known about bills.
const (
	NotKept = "This server keeps no bills."
	NoList  = "No bills were imported. Import some with `tarmac import FILE`: an A/P Aging Detail of QuickBooks, " +
		"Aged Payables Detail of Xero, a CSV with a vendor, or electronic invoices."
)

// Week is the number of days, from today on, in which bills are due this week.
const Week = 7

// Payables are the bills of vendors, with sums in one currency.
type Payables struct {
	Today    civil.Date
	Currency string
	Open     []Bill // bills that are summed, in the order of their due days
	Disputed []Bill // in no sum
	Paid     []Bill // the latest first
	Vendors  []Vendor
	Total    figures.Total
	PastDue  figures.Total
	Buckets  [5]figures.Total // by days past due, as figures.BucketNames
	reason   string           // why nothing is known; "" if bills are known
	omitted  int64
}

// Bill is a bill of a vendor.
type Bill struct {
	apiclient.Bill
	DaysPastDue int // 0 for a bill that is not past due or has no due date
}

// Vendor is a vendor with open bills.
type Vendor struct {
	Name    string
	Bills   []Bill
	Total   figures.Total
	PastDue figures.Total
	Buckets [5]figures.Total
	Closed  []Bill // disputed ones, then paid ones, the latest first; only in Everybody
}

// Source requests the bills. *apiclient.Client implements it.
type Source interface {
	Bills(ctx context.Context) (*apiclient.Bills, error)
}

// Read reads the bills of a server.
func Read(ctx context.Context, source Source, today civil.Date) (*Payables, error) {
	bills, err := source.Bills(ctx)
	if err != nil {
		return nil, err
	}
	return Of(bills, today), nil
}

// Of returns the payables of the bills of a server.
func Of(bills *apiclient.Bills, today civil.Date) *Payables {
	p := &Payables{Today: today, Currency: bills.Currency, omitted: bills.Omitted}
	switch {
	case !bills.Kept:
		p.reason = NotKept
	case !bills.Known:
		p.reason = NoList
	}
	for _, one := range bills.All {
		b := Bill{Bill: one}
		if one.State != apiclient.BillPaid {
			b.DaysPastDue = max(0, figures.DaysPastDue(one.DueOn, today))
		}
		switch one.State {
		case apiclient.BillPaid:
			p.Paid = append(p.Paid, b)
		case apiclient.BillDisputed:
			p.Disputed = append(p.Disputed, b)
		default: // an unknown state is to be paid: nothing is guessed away
			p.Open = append(p.Open, b)
		}
	}
	slices.SortStableFunc(p.Open, func(a, b Bill) int { return a.PayBy(today).Compare(b.PayBy(today)) })
	p.Total, p.Buckets = p.Sum(p.Open), p.buckets(p.Open)
	p.PastDue = p.Sum(PastDue(p.Open))
	p.setVendors()
	return p
}

// Known reports whether anything is known about bills. Otherwise Reason says why not.
func (p *Payables) Known() bool { return p.reason == "" }

// Reason says in a sentence why nothing is known, or returns "".
func (p *Payables) Reason() string { return p.reason }

// Omitted is the number of bills to pay that the server left out.
func (p *Payables) Omitted() int64 { return p.omitted }

// PayBy returns the day on which a bill is to be paid: today if it is payable on receipt.
func (b *Bill) PayBy(today civil.Date) civil.Date {
	if b.DueOn.IsZero() {
		return today
	}
	return b.DueOn
}

// DueWithin returns the open bills that are due today or in the given number of days after it,
// those payable on receipt included, and those past due not.
func (p *Payables) DueWithin(days int) []Bill { return p.dueWithin(p.Open, days) }

func (p *Payables) dueWithin(bills []Bill, days int) []Bill {
	last := p.Today.AddDays(days)
	return keep(bills, func(b *Bill) bool { return b.DaysPastDue == 0 && !b.PayBy(p.Today).After(last) })
}

// PastDueBills returns the open bills that are past due, the oldest first.
func (p *Payables) PastDueBills() []Bill { return PastDue(p.Open) }

// Due returns the sum of DueWithin.
func (p *Payables) Due(days int) figures.Total { return p.Sum(p.DueWithin(days)) }

// DueTo returns what is due to a vendor within the given number of days, without what is past due.
func (p *Payables) DueTo(v *Vendor, days int) figures.Total { return p.Sum(p.dueWithin(v.Bills, days)) }

// PastDue returns those of the bills that are past due.
func PastDue(bills []Bill) []Bill {
	return keep(bills, func(b *Bill) bool { return b.DaysPastDue > 0 })
}

func keep(bills []Bill, include func(*Bill) bool) (kept []Bill) {
	for i := range bills {
		if include(&bills[i]) {
			kept = append(kept, bills[i])
		}
	}
	return kept
}

// Sum adds up bills. The sum is at most what is owed if some may be paid already, and leaves out
// bills without an exchange rate and those that the server left out.
func (p *Payables) Sum(bills []Bill) figures.Total {
	sum := figures.Total{Currency: p.Currency}
	if p.reason != "" {
		return figures.UnknownTotal(p.Currency, figures.Gross, p.reason)
	}
	asked, maybe, unrated := 0, figures.Total{Currency: p.Currency}, 0
	for i := range bills {
		minor, known := bills[i].Reporting.Minor()
		if !known {
			unrated++
			continue
		}
		sum.Add(minor)
		if bills[i].MayBePaid {
			asked++
			maybe.Add(minor)
		}
	}
	if asked > 0 {
		sum.MayBeLess = plural.Count(asked, "bill") + " of " + maybe.String() +
			" may be paid already; `tarmac books questions` asks."
	}
	switch {
	case unrated > 0:
		sum.LeftOut = plural.Count(unrated, "bill") + " without a " + figures.Rate(p.Currency) + " not counted."
	case p.omitted > 0:
		sum.LeftOut = plural.Count(p.omitted, "bill") + " more than the server sends not counted."
	}
	sum.Unknown = sum.Unknown || unrated > 0 && unrated == len(bills)
	return sum
}

// buckets sums up bills by days past due.
func (p *Payables) buckets(bills []Bill) (sums [5]figures.Total) {
	var parts [len(sums)][]Bill
	for _, b := range bills {
		i := figures.BucketOf(b.DaysPastDue)
		parts[i] = append(parts[i], b)
	}
	for i := range sums {
		sums[i] = p.Sum(parts[i])
	}
	return sums
}

// setVendors groups the open bills by vendor: those with most past due first, then with most to
// pay.
func (p *Payables) setVendors() {
	p.Vendors = p.byVendor(p.Open)
	slices.SortStableFunc(p.Vendors, func(a, b Vendor) int {
		return cmp.Or(-cmp.Compare(a.PastDue.Minor, b.PastDue.Minor), -cmp.Compare(a.Total.Minor, b.Total.Minor),
			cmp.Compare(a.Name, b.Name))
	})
}

// Everybody returns the vendors of all bills, by when their first open bill is to be paid. Those
// without an open bill come last.
func (p *Payables) Everybody() []Vendor {
	all := p.byVendor(slices.Concat(p.Open, p.Disputed, p.Paid))
	slices.SortStableFunc(all, func(a, b Vendor) int {
		if len(a.Bills) == 0 || len(b.Bills) == 0 {
			return cmp.Or(cmp.Compare(len(b.Bills), len(a.Bills)), cmp.Compare(a.Name, b.Name))
		}
		return a.Bills[0].PayBy(p.Today).Compare(b.Bills[0].PayBy(p.Today))
	})
	return all
}

// byVendor groups bills by vendor, in the order of their first bills.
func (p *Payables) byVendor(bills []Bill) (vendors []Vendor) {
	at := map[string]int{}
	for _, b := range bills {
		key := counterparty.Key(b.VendorName)
		i, known := at[key]
		if !known {
			i = len(vendors)
			at[key] = i
			vendors = append(vendors, Vendor{Name: b.VendorName})
		}
		if v := &vendors[i]; b.State == apiclient.BillPaid || b.State == apiclient.BillDisputed {
			v.Closed = append(v.Closed, b)
		} else {
			v.Bills = append(v.Bills, b)
		}
	}
	for i := range vendors {
		v := &vendors[i]
		v.Total, v.Buckets, v.PastDue = p.Sum(v.Bills), p.buckets(v.Bills), p.Sum(PastDue(v.Bills))
	}
	return vendors
}

// OfVendor returns the bills whose vendor's name contains a text, whatever its case.
func OfVendor(bills []Bill, text string) []Bill {
	needle := fold.String(text)
	return keep(bills, func(b *Bill) bool { return strings.Contains(fold.String(b.VendorName), needle) })
}

// DueText says when a bill is to be paid: "on receipt", "due", or how many days it is past due.
func (b *Bill) DueText() string {
	switch {
	case b.State == apiclient.BillPaid:
		return ""
	case b.DueOn.IsZero():
		return "on receipt"
	case b.DaysPastDue > 0:
		return plural.Count(b.DaysPastDue, "day") + " past due"
	}
	return "due"
}

// Text says what is to be paid, what of it is past due, and what is due this week. It returns "" if
// that is unknown or nothing is to be paid.
func (p *Payables) Text() string {
	if p.Total.Unknown || len(p.Open) == 0 {
		return ""
	}
	late := "nothing is past due"
	if len(p.PastDueBills()) > 0 {
		late = p.PastDue.Short() + " is past due"
	}
	week := plural.Count(Week, "day") + "."
	if due := p.DueWithin(Week); len(due) > 0 {
		return "To pay " + p.Total.Short() + ": " + late + ", " + p.Sum(due).Short() + " is due within " + week
	}
	return "To pay " + p.Total.Short() + ": " + late + ", nothing is due within " + week
}

// Aging returns the open bills by age, for front ends that show both sides alike.
func (p *Payables) Aging() figures.Aging {
	a := figures.Aging{Outstanding: p.Total, Overdue: p.PastDue, Buckets: p.Buckets}
	a.Shares = figures.Shares(a.BucketCents())
	return a
}
