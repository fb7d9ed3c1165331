package record

import (
	"cmp"
	"slices"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/figures"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
)

// Transaction describes a transaction. In JSON and CSV, amounts have no sign, as in the API; the
// field direction says whether money came in or went out.
func Transaction(t apiclient.Transaction) Object { return AppendTransaction(nil, &t) }

// TransactionIn describes a transaction without values in a listing whose totals are in a currency.
func TransactionIn(currency string) Object {
	return Transaction(apiclient.Transaction{Reporting: apiclient.UnknownAmount(currency)})
}

// AppendTransaction appends the fields that Transaction returns to o. Using the same o for many
// transactions avoids allocations.
func AppendTransaction(o Object, t *apiclient.Transaction) Object {
	own := amount("amount_cents", "Amount", t.Amount).withDirection(t.Direction)
	usd := amount(usdField, "", t.USD).withDirection(t.Direction)
	totals, currency := &usd, cmp.Or(t.Reporting.Currency(), apiclient.DefaultCurrency)
	reporting := amount(reportingField, "", t.Reporting).withDirection(t.Direction)
	reportingKnown := Flag("reporting_known", "", t.Reporting.Known())
	if currency != apiclient.DefaultCurrency {
		totals = &reporting
	}
	totals.Label = currency
	*totals = totals.inTable().dropOrder(2)
	if !t.Amount.Known() {
		own.detail = unknownAmount(t.Amount.Currency())
	}
	if !totals.Amount.Known() {
		totals.detail = money.Dash + " (no " + figures.Rate(currency) + ", excluded from totals)"
	}
	receipt := "none matched"
	if t.HasReceipt {
		receipt = "✓ matched to an invoice or bill"
	}
	logo := omitEmpty("logo_url", "Logo", t.LogoURL)
	if t.LogoURL == "" {
		logo.Label = "" // most transactions have no logo, so the details omit it
	}
	account := Text("account", "Account", t.Account).derived()
	if t.Account == "" {
		account.Label = "" // as logo, because servers name none
	}
	evidence := omitEmpty("evidence", "Because", EvidenceSentence(t.Evidence)).derived()
	if evidence.text == "" {
		evidence.Label = ""
	}
	begins := len(o)
	o = append(o,
		Text("id", "Id", t.ID).inTable(),
		date("date", "Date", t.Date.String()).inTable(),
		Text("direction", "Direction", string(t.Direction)).withDetail(directionWords(t.Direction)),
		own.inTable(),
		Flag("amount_known", "", t.Amount.Known()),
		Text("currency", "", t.Amount.Currency()),
		usd,
		Flag("usd_known", "", t.USD.Known()),
		counterpartyName("Counterparty", t.CounterpartyName).inTable().truncated(),
		omitEmpty("memo", "Memo", t.Memo).inTable().truncated().dropOrder(3),
		omitEmpty("method", "Method", t.Method),
		omitEmpty("reference", "Reference", t.Reference),
		Flag("has_receipt", "Receipt", t.HasReceipt).withDetail(receipt),
		Text("source", "Source type", string(t.Source)),
		Text("source_label", "Source", t.SourceLabel).inTable().truncated().dropOrder(1),
		logo,
		account,
		evidence,
	)
	if currency != apiclient.DefaultCurrency {
		o = slices.Insert(o, begins+usdKnownField+1, reporting, reportingKnown)
	}
	return o
}

// EvidenceSentence says why a transaction is own money or financing. It returns "" if that isn't
// known.
func EvidenceSentence(e apiclient.Evidence) string {
	return ownbooks.Evidence{Code: ownbooks.EvidenceCode(e.Code), Account: e.Account}.Sentence()
}

// Annotated appends to a transaction its category, where that comes from, and the person's note.
// JSON has only those that exist.
func (o Object) Annotated(k annotations.Known) Object {
	category, note := omitEmpty("category", "Category", k.Category), omitEmpty("note", "Note", k.Note)
	if k.Category != "" {
		category = category.withDetail(k.Category + " (" + string(k.Origin) + ")")
	}
	if k.Note != "" {
		note = note.withDetail(k.Note + " (" + string(annotations.Person) + ")")
	}
	from := omitEmpty("category_from", "Category from", string(k.Origin))
	return append(o, category.inTable().truncated().dropOrder(5), from, note.inTable().truncated().dropOrder(4))
}

// InDetails returns the fields of a transaction in the order in which details show them, with what
// is known of it besides.
func (o Object) InDetails(k annotations.Known) Object {
	if k != (annotations.Known{}) {
		o = o.Annotated(k)
	}
	return o.WithOneAmount().Without("source", "category_from").MoveLast("has_receipt", "logo_url", "id")
}

// WithOneAmount returns the fields of a transaction without its amount in the currency of the
// totals if that is the transaction's own currency.
func (o Object) WithOneAmount() Object {
	own, totals := o.Get("amount_cents"), o.Get(o.TotalsField())
	if own.Amount.Known() && own.Amount == totals.Amount {
		return o.Without(totals.Name)
	}
	return o
}

// usdKnownField is the index of the field usd_known of a transaction.
const usdKnownField = 7

// Names of the fields with a transaction's amount in the currency of the totals.
const (
	usdField       = "amount_usd_cents"
	reportingField = "reporting_cents"
)

// TotalsField returns the name of the field with a transaction's amount in the currency of the
// totals. o describes a transaction.
func (o Object) TotalsField() string {
	if slices.ContainsFunc(o, func(f Field) bool { return f.Name == reportingField }) {
		return reportingField
	}
	return usdField
}

// IsTotalsField reports whether TotalsField can return the name.
func IsTotalsField(name string) bool { return name == usdField || name == reportingField }

func date(name, label, day string) Field {
	return Field{Name: name, Label: label, Kind: KindDate, text: day}
}

func unknownAmount(currency string) string {
	if currency == "" {
		return money.Dash + " (amount unknown)"
	}
	return money.Dash + " (amount in " + currency + " is unknown)"
}

func directionWords(d apiclient.Direction) string {
	switch d {
	case apiclient.Inflow:
		return "money in"
	case apiclient.Outflow:
		return "money out"
	}
	return ""
}
