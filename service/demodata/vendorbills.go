package demodata

import (
	"cmp"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
	"tarmac/service/payables"
	"tarmac/service/store"
)

// VendorBill is a bill that the company gets from a vendor, in its own currency.
type VendorBill struct {
	Number, Vendor string
	Issued, Due    civil.Date
	Minor          int64
}

// billedVendors is the number of vendors with bills that are paid every month.
const billedVendors = 4

// NewVendorBill returns a bill of a vendor. Its number has the vendor's initials and the month.
func NewVendorBill(vendor string, due civil.Date, minor int64) VendorBill {
	number := ""
	for word := range strings.FieldsSeq(vendor) {
		number += strings.ToUpper(word[:1])
	}
	return VendorBill{
		Number: number + "-" + due.Time().Format("0601"), Vendor: vendor, Issued: due.AddDays(-21), Due: due, Minor: minor,
	}
}

// VendorBills returns the bills that are to be paid at the end of the day asOf: those of the next
// month, due after the day today, of some vendors, one that is past due, and one of a vendor that
// was never paid. isHome reports whether a currency of the rows is the company's.
func VendorBills(rows []ledger.Transaction, asOf, today civil.Date, isHome func(currency string) bool) []VendorBill {
	var all []VendorBill
	paid := map[string][]*ledger.Transaction{}
	for i := range rows {
		if t := &rows[i]; t.Direction == ledger.Outflow && t.Operating() && isHome(t.Currency) && t.AmountKnown &&
			sendsBills(t.Category) && t.Date.After(asOf.AddMonths(-2)) && !t.Date.After(asOf) {
			paid[t.Counterparty] = append(paid[t.Counterparty], t)
		}
	}
	for _, rows := range paid {
		last := rows[len(rows)-1]
		if due := last.Date.AddMonths(1); len(rows) == 2 && due.After(today) {
			all = append(all, NewVendorBill(last.Counterparty, due, last.AmountMinor))
		}
	}
	slices.SortFunc(all, func(a, b VendorBill) int {
		return cmp.Or(-cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Vendor, b.Vendor))
	})
	return append(all[:min(billedVendors, len(all))], NewVendorBill("Fairway Fit-out", asOf.AddDays(-12), 9_840_00),
		NewVendorBill("Bluebird Catering", asOf.AddDays(16), 1_260_00))
}

// sendsBills reports whether those who are paid in a category send bills.
func sendsBills(category string) bool {
	return category != "payroll" && category != "payroll_taxes" && category != "contractors"
}

// writeVendorBills writes the bills to pay, as if their list had been imported, and the last ones
// of the same vendors, which are paid.
func (p *plan) writeVendorBills(tx *store.Tx, org store.OrgKey) error {
	rows := make([]ledger.Transaction, len(p.rows))
	for i := range p.rows {
		rows[i] = p.rows[i].Transaction
	}
	var bills []payables.Bill
	add := func(b VendorBill, paidBy *ledger.Transaction) {
		bill := payables.Bill{
			Number: b.Number, Vendor: b.Vendor, Currency: "USD", Issued: b.Issued, Due: b.Due, OpenMinor: b.Minor,
			State: payables.Open, USDCents: &b.Minor, Source: "a list of bills",
		}
		if paidBy != nil {
			bill.State, bill.OpenMinor, bill.USDCents = payables.Paid, 0, new(int64)
			bill.Paid, bill.PaidBy = paidBy.Date, paidBy.ID
		}
		bills = append(bills, bill)
	}
	for _, b := range VendorBills(rows, p.today, p.today, func(currency string) bool { return currency == "USD" }) {
		add(b, nil)
		for i := range slices.Backward(rows) {
			if t := &rows[i]; t.Counterparty == b.Vendor {
				add(NewVendorBill(b.Vendor, t.Date, t.AmountMinor), t)
				break
			}
		}
	}
	return tx.ReplaceBills(org, bills)
}
