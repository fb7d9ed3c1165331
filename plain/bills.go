package plain

import (
	"cmp"
	"context"
	"slices"

	"tarmac/client/figures"
	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/internal/plural"
)

// billsPage shows the bills to pay, by vendor.
type billsPage struct {
	bills  cached[*payables.Payables]
	listed []payables.Bill // bills listed last
}

func (p *billsPage) name() string { return "bills" }

func (p *billsPage) commands(*session) []command {
	return []command{
		{"due", "", "bills that are past due or due within a week", p.due},
		{"list", "VENDOR", "bills to pay, of all vendors or of one, by number or part of its name", p.list},
		{"open", "NUMBER", "show a bill, by list number", p.open},
	}
}

func (p *billsPage) read(s *session) (*payables.Payables, bool) {
	return p.bills.get(s, "Bills", func(ctx context.Context) (*payables.Payables, error) {
		return payables.Read(ctx, s.server.Client, s.today())
	})
}

// quietly returns the bills, or nil if they could not be read, which it does not say.
func (p *billsPage) quietly(s *session) *payables.Payables {
	bills, err := p.bills.renew(s, func(ctx context.Context) (*payables.Payables, error) {
		return payables.Read(ctx, s.server.Client, s.today())
	})
	if err != nil {
		return nil
	}
	return bills
}

func (p *billsPage) show(s *session) error {
	s.say("%s.", s.title())
	bills, ok := p.read(s)
	if !ok {
		return nil
	}
	p.listed = nil
	switch {
	case !bills.Known():
		return s.answer("%s", bills.Reason())
	case len(bills.Open) == 0:
		s.say("No bills to pay.")
	default:
		s.say("To pay %s, of which past due %s, and due within %s %s.", sumInWords(bills.Total), sumInWords(bills.PastDue),
			plural.Count(payables.Week, "day"), sumInWords(bills.Due(payables.Week)))
		s.sayWhy(bills.Total)
		for i, sum := range bills.Buckets {
			s.say("  %s: %s.", figures.BucketLabels[i], sumInWords(sum))
		}
		s.say("By vendor, those past due first:")
		for i := range bills.Vendors {
			v := &bills.Vendors[i]
			line := cmp.Or(v.Name, "no name") + ", " + sumInWords(v.Total)
			if !v.PastDue.IsNothing() {
				line += ", of which past due " + sumInWords(v.PastDue)
			}
			s.say("  %d: %s, %s.", i+1, line, plural.Count(len(v.Bills), "bill"))
		}
	}
	if n := len(bills.Disputed); n > 0 {
		s.say("%s disputed and in no sum.", plural.Count(n, "bill"))
	}
	return s.answer("Type list and a vendor's number for its bills.")
}

func (p *billsPage) due(s *session, _ string) error {
	bills, ok := p.read(s)
	if !ok {
		return nil
	}
	return p.print(s, bills, slices.Concat(bills.PastDueBills(), bills.DueWithin(payables.Week)))
}

func (p *billsPage) list(s *session, args string) error {
	bills, ok := p.read(s)
	switch {
	case !ok:
		return nil
	case args == "":
		return p.print(s, bills, slices.Concat(bills.Open, bills.Disputed, bills.Paid))
	}
	if found := payables.OfVendor(bills.Open, args); len(found) > 0 {
		return p.print(s, bills, found)
	}
	i, ok := s.pick(args, len(bills.Vendors))
	if !ok {
		return nil
	}
	return p.print(s, bills, bills.Vendors[i].Bills)
}

// print lists bills. open takes their numbers.
func (p *billsPage) print(s *session, bills *payables.Payables, listed []payables.Bill) error {
	if !bills.Known() {
		return s.answer("%s", bills.Reason())
	}
	if p.listed = listed; len(listed) == 0 {
		return s.answer("No such bills.")
	}
	for i := range listed {
		s.say("  %d: %s.", i+1, s.billInWords(&listed[i]))
	}
	return s.answer("End of list.")
}

// billInWords describes a bill: vendor, number, when it is due, and what is to be paid.
func (s *session) billInWords(b *payables.Bill) string {
	o := record.Bill(b).Pick("open_minor")
	line := cmp.Or(b.VendorName, "no name") + ", " + cmp.Or(b.Number, "no number")
	switch {
	case b.State.Known() && b.State != "open":
		line += ", " + string(b.State)
	case b.DueOn.IsZero():
		line += ", " + b.DueText()
	default:
		line += ", due " + s.day(b.DueOn)
	}
	if b.State != "paid" {
		line += ", " + s.value(&o[0])
	}
	if b.MayBePaid {
		line += ", may be paid already"
	}
	return line
}

func (p *billsPage) open(s *session, args string) error {
	i, ok := s.pick(args, len(p.listed))
	if !ok {
		return nil
	}
	return s.open(&billPage{p.listed[i]})
}

// billPage shows a bill.
type billPage struct{ bill payables.Bill }

func (p *billPage) name() string { return "bill" }

func (p *billPage) commands(*session) []command { return nil }

func (p *billPage) show(s *session) error {
	s.say("Bill %s of %s.", cmp.Or(p.bill.Number, "without a number"), cmp.Or(p.bill.VendorName, "no name"))
	s.details(slices.DeleteFunc(record.Bill(&p.bill), func(f record.Field) bool { return f.Label == "" }))
	return nil
}
