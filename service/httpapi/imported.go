package httpapi

import (
	"cmp"
	"slices"
	"strconv"

	"tarmac/internal/civil"
	"tarmac/service/receivables"
	"tarmac/service/store"
)

// importedLists describes the lists of open invoices in own books (docs/api.md, Receivables of own
// books). Without own books the response has none.
type importedLists struct {
	Lists    []importedList    `json:"lists"`
	Invoices []importedInvoice `json:"invoices"`
}

// importedList is the newest list of a source.
type importedList struct {
	Source string `json:"source"`
	AsOf   string `json:"as_of"`
}

// importedInvoice is an invoice of a list. USDCents is null if there is no rate. Nothing of a paid
// invoice is open.
type importedInvoice struct {
	Number       string `json:"number"`
	CustomerName string `json:"customer_name"`
	Currency     string `json:"currency"`
	OpenMinor    int64  `json:"open_minor"`
	USDCents     *int64 `json:"usd_cents"`
	// ReportingCents is part of answers in the reporting currency alone.
	ReportingCents *nullableCents `json:"reporting_cents,omitempty"`
	IssuedOn       *string        `json:"issued_on"`
	DueOn          *string        `json:"due_on"`
	PaidOn         *string        `json:"paid_on"`
}

// importedInvoices is the preference with which a client asks for them (RFC 7240). Without it, an
// aging has the members that the API specifies and no others.
const importedInvoices = "imported-invoices"

// mostImported is the largest number of invoices in a response.
const mostImported = 5000

// nullableCents is an amount; nil is null.
type nullableCents struct{ cents *int64 }

// MarshalJSON implements json.Marshaler.
func (n nullableCents) MarshalJSON() ([]byte, error) {
	if n.cents == nil {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, *n.cents, 10), nil
}

// importedListsOf returns nil if the organization has neither accounts nor lists in own books. The
// currency is as in ledger.Filter.
func importedListsOf(snap *store.Snapshot, org store.OrgKey, currency string) (*importedLists, error) {
	days, err := snap.BookListDays(org)
	if err != nil {
		return nil, err
	}
	if len(days) == 0 {
		if accounts, err := snap.BookAccounts(org); err != nil || len(accounts) == 0 {
			return nil, err
		}
	}
	imported := &importedLists{Lists: []importedList{}, Invoices: []importedInvoice{}}
	if len(days) == 0 {
		return imported, nil
	}
	for source, day := range days {
		imported.Lists = append(imported.Lists, importedList{source, day.String()})
	}
	slices.SortFunc(imported.Lists, func(a, b importedList) int { return cmp.Compare(a.Source, b.Source) })
	items, err := snap.ImportedItems(org, mostImported)
	for _, i := range items {
		imported.Invoices = append(imported.Invoices, importedInvoiceOf(i, currency))
	}
	return imported, err
}

func importedInvoiceOf(i receivables.ImportedItem, currency string) importedInvoice {
	invoice := importedInvoice{
		Number: i.Number, CustomerName: i.CustomerName, Currency: i.Currency, OpenMinor: i.OpenMinor,
		IssuedOn: dayOrNull(i.Issued), DueOn: dayOrNull(i.Due), PaidOn: dayOrNull(i.Paid),
	}
	if i.USDKnown {
		invoice.USDCents = &i.USDCents
	}
	if currency != "" {
		invoice.ReportingCents = &nullableCents{}
		if i.ReportingKnown {
			invoice.ReportingCents.cents = &i.ReportingMinor
		}
	}
	return invoice
}

func dayOrNull(day civil.Date) *string {
	if day.IsZero() {
		return nil
	}
	text := day.String()
	return &text
}
