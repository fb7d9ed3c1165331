package httpapi

import (
	"cmp"
	"net/http"

	"tarmac/service/access"
	"tarmac/service/bookrules"
	"tarmac/service/payables"
	"tarmac/service/store"
)

// bills is no operation of the API: bills are part of own books (docs/api.md, Bills of own books).
var bills = operation{
	Operation: Operation{
		ID: "getBooksBills", Method: http.MethodGet, Path: "/api/books/v1/bills", Scope: access.PaymentsRead,
	},
	handle: inReporting(getBills),
}

// Limits of the bills in a response.
const (
	mostOpenBills = 10_000
	mostPaidBills = 1_000
)

// billsResponse has the bills of own books. Known is false without a list of bills.
type billsResponse struct {
	OrgID     string `json:"org_id"`
	Known     bool   `json:"known"`
	Currency  string `json:"currency"`
	OpenCount int64  `json:"open_count"` // of open and disputed bills, also of those that the response leaves out
	Bills     []bill `json:"bills"`
}

type bill struct {
	Number     string  `json:"number"`
	VendorName string  `json:"vendor_name"`
	State      string  `json:"state"`
	Currency   string  `json:"currency"`
	OpenMinor  int64   `json:"open_minor"`
	USDCents   *int64  `json:"usd_cents"`
	IssuedOn   *string `json:"issued_on"`
	DueOn      *string `json:"due_on"`
	PaidOn     *string `json:"paid_on"`
	PaidBy     *string `json:"paid_by"`
	MayBePaid  bool    `json:"may_be_paid"`
	Source     string  `json:"source"`
	// ReportingCents is part of answers in the reporting currency alone.
	ReportingCents *nullableCents `json:"reporting_cents,omitempty"`
}

// getBills responds with the bills of own books.
func getBills(c *call, currency string) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	response := billsResponse{OrgID: c.credential.OrgPublicID, Currency: cmp.Or(currency, bookrules.USD), Bills: []bill{}}
	err := c.api.Store.Read(c.ctx, func(snap *store.Snapshot) (err error) {
		if currency != "" {
			if err := snap.CheckCurrency(c.credential.Org, currency); err != nil {
				return err
			}
		}
		if response.Known, err = snap.KnowsBills(c.credential.Org); err != nil || !response.Known {
			return err
		}
		if response.OpenCount, err = snap.CountOpenBills(c.credential.Org); err != nil {
			return err
		}
		all, err := snap.Bills(c.credential.Org, mostOpenBills, mostPaidBills)
		for i := range all {
			response.Bills = append(response.Bills, billOf(&all[i], currency))
		}
		return err
	})
	if err != nil {
		return nil, figuresError(err)
	}
	return response, nil
}

func billOf(b *payables.Bill, currency string) bill {
	out := bill{
		Number: b.Number, VendorName: b.Vendor, State: string(b.State), Currency: b.Currency, OpenMinor: b.OpenMinor,
		USDCents: b.USDCents, IssuedOn: dayOrNull(b.Issued), DueOn: dayOrNull(b.Due), PaidOn: dayOrNull(b.Paid),
		MayBePaid: b.MayBePaid, Source: b.Source,
	}
	if b.PaidBy != "" {
		out.PaidBy = &b.PaidBy
	}
	if currency != "" {
		out.ReportingCents = &nullableCents{b.ReportingMinor}
	}
	return out
}
