package answer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tarmac/client/payables"
	"tarmac/client/record"
	"tarmac/internal/plural"
)

// BillsParams select bills.
type BillsParams struct {
	Vendor   string // only bills of vendors whose name contains this
	Days     int    // for what is due soon; 0 for a week
	OnlyDue  bool   // only bills that are past due or due within these days
	All      bool   // disputed and paid bills, too
	ByVendor bool   // people read a row for each vendor, which opens its bills
}

// Bills says what is to be paid to vendors, and by when.
func Bills(ctx context.Context, s Source, in BillsParams) (*Doc, error) {
	if in.Days == 0 {
		in.Days = payables.Week
	}
	p, err := payables.Read(ctx, s, s.today())
	if err != nil {
		return nil, err
	}
	bills := p.Open
	if in.OnlyDue {
		bills = slices.Concat(p.PastDueBills(), p.DueWithin(in.Days))
	}
	if in.All {
		bills = slices.Concat(bills, p.Disputed, p.Paid)
	}
	if in.Vendor != "" {
		bills = payables.OfVendor(bills, in.Vendor)
	}
	d := billsOf(bills)
	d.Figures = record.Payables(p, in.Days)
	if !p.Known() {
		return d, errors.New(p.Reason())
	}
	d.Summary = []string{"No bills to pay."}
	if len(p.Open) > 0 {
		d.Summary[0] = fmt.Sprintf("To pay %s: past due %s, due within %s %s.", p.Total, p.PastDue,
			plural.Count(in.Days, "day"), p.Due(in.Days))
	}
	if n := len(p.Disputed); n > 0 {
		d.Summary = append(d.Summary, plural.Count(n, "disputed bill")+" not included.")
	}
	if why := p.Total.Why(); why != "" {
		d.Summary = append(d.Summary, why)
	}
	if in.ByVendor && len(p.Open) > 0 {
		vendors := tableOf(nil, p.Vendors, record.Vendor)
		vendors.Title = "By vendor, those past due first"
		for i := range p.Vendors {
			vendors.Rows[i].Open = func(context.Context, Source) (*Doc, error) {
				d := billsOf(p.Vendors[i].Bills)
				d.Title = "Bills of " + cmp.Or(p.Vendors[i].Name, "a vendor without a name") + "."
				return d, nil
			}
		}
		d.Sections = []Section{{Figures: d.Figures.Pick(record.BucketFields()...)}, {Table: vendors}}
	}
	return d, nil
}

func billsOf(bills []payables.Bill) *Doc {
	d := list(tableOf(record.Bill(&payables.Bill{}), bills, record.Bill))
	for i := range bills {
		d.Table.Rows[i].Open = func(context.Context, Source) (*Doc, error) {
			title := "Bill " + cmp.Or(bills[i].Number, "without a number") + "."
			return &Doc{Title: title, Sections: []Section{{Figures: d.Table.Rows[i].Object}}}, nil
		}
	}
	return d
}
