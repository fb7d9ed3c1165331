package record

import (
	"tarmac/apiclient"
	"tarmac/internal/money"
)

// Transaction describes a row of the ledger. Amounts in JSON and CSV have no sign;
// direction gives it.
func Transaction(t apiclient.Transaction) Object { return AppendTransaction(nil, &t) }

// AppendTransaction appends the fields of Transaction. Reusing o avoids allocations for
// many rows.
func AppendTransaction(o Object, t *apiclient.Transaction) Object {
	own := amount("amount_cents", "Amount", t.Amount).moved(t.Direction)
	usd := amount("amount_usd_cents", "USD", t.USD).moved(t.Direction)
	if !t.Amount.Known() {
		own.full = unknownAmount(t.Amount.Currency())
	}
	if !t.USD.Known() {
		usd.full = money.Dash + " (no USD rate, excluded from totals)"
	}
	receipt := "none matched"
	if t.HasReceipt {
		receipt = "✓ matched to an invoice or bill"
	}
	logo := spare("logo_url", "Logo", t.LogoURL)
	if t.LogoURL == "" {
		logo.Label = "" // most transactions have no logo, and a row of dashes helps nobody
	}
	return append(o,
		Text("id", "Id", t.ID).in(),
		date("date", "Date", t.Date.String()).in(),
		Text("direction", "Direction", string(t.Direction)).says(directionWords(t.Direction)),
		own.in(),
		Flag("amount_known", "", t.Amount.Known()),
		Text("currency", "", t.Amount.Currency()),
		usd.in().yields(2),
		Flag("usd_known", "", t.USD.Known()),
		Text("counterparty_name", "Counterparty", t.CounterpartyName).in().cut(),
		spare("memo", "Memo", t.Memo).in().cut().yields(3),
		spare("method", "Method", t.Method),
		spare("reference", "Reference", t.Reference),
		Flag("has_receipt", "Receipt", t.HasReceipt).says(receipt),
		Text("source", "Source type", string(t.Source)),
		Text("source_label", "Source", t.SourceLabel).in().cut().yields(1),
		logo,
	)
}

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
