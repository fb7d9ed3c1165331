package apiclient

// ImportedReceivables holds the lists of open invoices that were imported into own books
// (docs/api.md, Receivables of own books). Without a list, nothing is known about who owes what.
type ImportedReceivables struct {
	Lists    []ImportedList
	Invoices []ImportedInvoice
}

// ImportedList is the newest imported list of a source.
type ImportedList struct {
	Source string
	AsOf   Date
}

// ImportedInvoice is an invoice of an imported list. Dates are zero if unknown.
type ImportedInvoice struct {
	Number       string
	CustomerName string
	Open         Amount // what is still owed, in the currency of the invoice
	Reporting    Amount // the same in the currency of the aging
	IssuedOn     Date
	DueOn        Date
	PaidOn       Date // zero while the invoice is open
}

// importedReceivables reads the lists. currency is that of the aging.
func (o *object) importedReceivables(currency string) *ImportedReceivables {
	var lists, invoices []object
	consume(o, &lists, "lists")
	consume(o, &invoices, "invoices")
	var imported ImportedReceivables
	for i := range lists {
		list := ImportedList{Source: lists[i].text("source"), AsOf: lists[i].day("as_of")}
		if !list.AsOf.IsZero() {
			imported.Lists = append(imported.Lists, list)
		}
	}
	for i := range invoices {
		invoice := &invoices[i]
		own, converted := invoice.text("currency"), "usd_cents"
		if currency != DefaultCurrency {
			converted = "reporting_cents"
		}
		imported.Invoices = append(imported.Invoices, ImportedInvoice{
			Number: invoice.text("number"), CustomerName: invoice.text("customer_name"),
			Open:      amountOf(invoice.integer("open_minor"), own),
			Reporting: amountOf(invoice.integer(converted), currency),
			IssuedOn:  invoice.day("issued_on"), DueOn: invoice.day("due_on"), PaidOn: invoice.day("paid_on"),
		})
	}
	return &imported
}

// amountOf returns an amount that is unknown without minor units.
func amountOf(minor *int64, currency string) Amount {
	if minor == nil {
		return UnknownAmount(currency)
	}
	return NewAmount(*minor, currency)
}

// day returns the date in a field, or the zero date if there is none.
func (o *object) day(name string) Date {
	day, err := ParseDate(o.text(name))
	if err != nil {
		return Date{}
	}
	return day
}
