package apiclient

import (
	"context"
	"errors"
)

// BillState says whether a bill is to be paid.
type BillState string

// The states of bills. Disputed ones are in no sum.
const (
	BillOpen     BillState = "open"
	BillDisputed BillState = "disputed"
	BillPaid     BillState = "paid"
)

// Known reports whether the state is one of those above.
func (s BillState) Known() bool { return s == BillOpen || s == BillDisputed || s == BillPaid }

// Bills are the bills of vendors in own books (docs/api.md, Bills of own books).
type Bills struct {
	// Kept is false if the server keeps no bills. Then nothing is known about what is to be paid.
	Kept bool
	// Known is false if no list of bills and no electronic invoice was imported.
	Known    bool
	Currency string // in which the amounts Bill.Reporting are
	Omitted  int64  // number of bills to pay that the server left out, because there are too many
	All      []Bill // those to pay in the order of their due days, then paid ones
}

// Bill is a bill of a vendor. Dates are zero if unknown.
type Bill struct {
	Number     string // "" if unknown
	VendorName string
	State      BillState
	Open       Amount // what is to be paid, in the currency of the bill
	Reporting  Amount // the same in the currency of all bills
	IssuedOn   Date
	DueOn      Date // zero for a bill that is payable on receipt
	PaidOn     Date
	PaidBy     string // id of the transaction that paid the bill; "" if none is known
	MayBePaid  bool   // an unanswered question asks whether a payment pays the bill
	Source     string // list or electronic invoice that has the bill
}

// Bills returns the bills of own books. It is no operation of the API: a server that does not have
// it, or answers with something else, keeps no bills, which is no error.
func (c *Client) Bills(ctx context.Context) (*Bills, error) {
	call := read("/api/books/v1/bills", nil)
	call.beside = true
	bills, err := fetch(ctx, c, call, (*object).bills)
	var status *Error
	switch {
	case err == nil:
		return bills, nil
	case errors.As(err, &status) && (status.Status >= 500 || status.Scope != ""),
		errors.Is(err, ErrUnauthorized), errors.Is(err, ErrRateLimited), errors.Is(err, ErrNetwork):
		return nil, err
	}
	return &Bills{}, nil
}

func (o *object) bills(f *fields) Bills {
	bills, listed := Bills{Kept: true, Currency: o.text("currency")}, []object{}
	if !consume(o, &bills.Known, "known") || !consume(o, &listed, "bills") {
		f.fail("bills", "is missing")
		return Bills{}
	}
	converted := "usd_cents"
	if bills.Currency != DefaultCurrency {
		converted = "reporting_cents"
	}
	unpaid := int64(0)
	for i := range listed {
		one := &listed[i]
		b := Bill{
			Number: one.text("number"), VendorName: one.text("vendor_name"), State: BillState(one.text("state")),
			Open:      amountOf(one.integer("open_minor"), one.text("currency")),
			Reporting: amountOf(one.integer(converted), bills.Currency),
			IssuedOn:  one.day("issued_on"), DueOn: one.day("due_on"), PaidOn: one.day("paid_on"),
			PaidBy: one.text("paid_by"), Source: one.text("source"),
		}
		consume(one, &b.MayBePaid, "may_be_paid")
		if b.State != BillPaid {
			unpaid++
		}
		bills.All = append(bills.All, b)
	}
	if count := o.integer("open_count"); count != nil {
		bills.Omitted = max(0, *count-unpaid)
	}
	return bills
}
