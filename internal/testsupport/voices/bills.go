package voices

import (
	"strconv"
)

// Bill is a bill of a vendor in US dollars. If it is not rated, its amount in US dollars is
// unknown.
type Bill struct {
	Vendor, Number, State string
	Cents                 int64
	DueIn                 int // days from Now; negative if the bill is past due
	OnReceipt             bool
	Rated, MayBePaid      bool
}

// bills returns bills of three vendors: past due, due this week and later, disputed and paid.
func bills() []Bill {
	return []Bill{
		{Vendor: "Cloudhost", Number: "C-1", State: "open", Cents: 2_200_00, DueIn: -40, Rated: true},
		{Vendor: "Cloudhost", Number: "C-2", State: "open", Cents: 1_300_00, DueIn: -5, Rated: true},
		{Vendor: "Harbor Print", Number: "H-1", State: "open", Cents: 480_00, DueIn: 3, Rated: true},
		{Vendor: "Harbor Print", Number: "H-2", State: "open", Cents: 90_50, OnReceipt: true, Rated: true},
		{Vendor: "Legal LLP", Number: "L-1", State: "open", Cents: 7_900_00, DueIn: 20, Rated: true},
		{Vendor: "Legal LLP", Number: "L-2", State: "disputed", Cents: 650_00, DueIn: -90, Rated: true},
		{Vendor: "Cloudhost", Number: "C-0", State: "paid", Cents: 2_100_00, DueIn: -70, Rated: true},
	}
}

// billList is the answer with the bills.
func (c Company) billList() map[string]any {
	list := []any{}
	for _, b := range c.Bills {
		one := map[string]any{
			"number": b.Number, "vendor_name": b.Vendor, "state": b.State, "currency": "USD", "open_minor": b.Cents,
			"usd_cents": b.Cents, "issued_on": nil, "due_on": Now.AddDate(0, 0, b.DueIn).Format("2006-01-02"),
			"may_be_paid": b.MayBePaid, "paid_on": nil, "paid_by": nil, "source": "list of " + strconv.Itoa(len(c.Bills)),
		}
		if b.OnReceipt {
			one["due_on"] = nil
		}
		if !b.Rated {
			one["usd_cents"], one["currency"] = nil, "XAF"
		}
		list = append(list, one)
	}
	return map[string]any{"known": c.Bills != nil, "currency": "USD", "bills": list}
}
