package record

import (
	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/client/payables"
)

// Bill describes a bill of a vendor.
func Bill(b *payables.Bill) Object {
	late := int64(b.DaysPastDue)
	open := amount("open_minor", "To pay", b.Open)
	cents := amount("reporting_cents", "In "+b.Reporting.Currency(), b.Reporting)
	if b.Open.Currency() == b.Reporting.Currency() {
		cents.Label = ""
	}
	return Object{
		Text("vendor_name", "Vendor", b.VendorName).inTable().truncated(),
		Text("number", "Bill", b.Number).inTable().truncated(),
		Text("state", "State", string(b.State)).inTable().dropOrder(3).phrasedIf(b.State != apiclient.BillOpen, "%s"),
		open.inTable().phrasedIf(b.State != apiclient.BillPaid, "%s"),
		cents,
		Text("currency", "", b.Open.Currency()),
		billDay("issued_on", "Issued", b.IssuedOn),
		billDay("due_on", "Due", b.DueOn).withDetail(dueDetail(b)).inTable(),
		Count("days_past_due", "Days past due", &late).inTable().dropOrder(2).phrasedIf(late > 0, "%s days past due"),
		Flag("may_be_paid", "May be paid", b.MayBePaid).withMeaning(
			"`tarmac books questions` asks whether a payment pays it").inTable().dropOrder(4).
			phrasedIf(b.MayBePaid, "may be paid already"),
		billDay("paid_on", "Paid", b.PaidOn),
		nullIfEmpty("paid_by", "Paid by", b.PaidBy),
		Text("source", "Source", b.Source),
	}
}

func billDay(name, label string, day apiclient.Date) Field {
	f := date(name, label, day.String())
	f.null = day.IsZero()
	return f
}

func dueDetail(b *payables.Bill) string {
	if b.DueOn.IsZero() {
		return b.DueText()
	}
	return b.DueOn.String() + ", " + b.DueText()
}

// Payables describes the sums of bills. The field due_cents is what is due in the given number of
// days.
func Payables(p *payables.Payables, days int) Object {
	open, disputed, within := int64(len(p.Open)), int64(len(p.Disputed)), int64(days)
	count := func(name, label string, n *int64) Field {
		if !p.Known() {
			n = nil
		}
		return Count(name, label, n)
	}
	o := Object{
		total("bills_cents", "To pay", p.Total),
		total("past_due_cents", "Past due", p.PastDue),
		total("due_cents", "Due soon", p.Due(days)),
		Count("due_days", "", &within),
		count("bill_count", "Bills", &open),
		count("disputed_count", "Disputed", &disputed),
	}
	for i, bucket := range p.Buckets {
		o = append(o, total(figures.BucketNames[i]+"_cents", figures.BucketLabels[i], bucket))
	}
	buckets := make([]Object, len(p.Buckets))
	for i, bucket := range p.Buckets {
		buckets[i] = agingBucket(i, bucket)
	}
	return append(o, nullIfEmpty("note", "", p.Total.Why()), List("bucket_list", buckets).derived())
}

// BucketFields returns the names of the fields of Payables that are days past due.
func BucketFields() []string {
	names := make([]string, len(figures.BucketNames))
	for i, name := range figures.BucketNames {
		names[i] = name + "_cents"
	}
	return names
}

// agingBucket describes what is owed for a range of days past due.
func agingBucket(i int, sum figures.Total) Object {
	return Object{
		Text("bucket", "", figures.BucketNames[i]).ownText(),
		Text("days_past_due", "", figures.BucketLabels[i]).ownText(),
		total("amount_cents", "", sum),
	}
}

// Vendor describes what is owed to a vendor, by days past due.
func Vendor(v *payables.Vendor) Object {
	count := int64(len(v.Bills))
	o := Object{
		Text("vendor_name", "Vendor", v.Name).inTable().truncated(),
		total("bills_cents", "To pay", v.Total).inTable().phrased("%s"),
		total("past_due_cents", "Past due", v.PastDue).inTable().phrasedIf(!v.PastDue.IsNothing(), "past due %s"),
		Count("bill_count", "Bills", &count).inTable().phrasedCount("%s", "bill"),
	}
	for i, bucket := range v.Buckets {
		o = append(o, total(figures.BucketNames[i]+"_cents", figures.BucketLabels[i], bucket))
	}
	return o
}
