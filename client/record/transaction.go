package record

import (
	"tarmac/apiclient"
	"tarmac/internal/money"
)

// Transaction describes a transaction. In JSON and CSV, amounts have no sign, as in the API; the
// field direction says whether money came in or went out.
func Transaction(t apiclient.Transaction) Object { return AppendTransaction(nil, &t) }

// AppendTransaction appends the fields that Transaction returns to o. Using the same o for many
// transactions avoids allocations.
func AppendTransaction(o Object, t *apiclient.Transaction) Object {
	own := amount("amount_cents", "Amount", t.Amount).withDirection(t.Direction)
	usd := amount("amount_usd_cents", "USD", t.USD).withDirection(t.Direction)
	if !t.Amount.Known() {
		own.detail = unknownAmount(t.Amount.Currency())
	}
	if !t.USD.Known() {
		usd.detail = money.Dash + " (no USD rate, excluded from totals)"
	}
	receipt := "none matched"
	if t.HasReceipt {
		receipt = "✓ matched to an invoice or bill"
	}
	logo := omitEmpty("logo_url", "Logo", t.LogoURL)
	if t.LogoURL == "" {
		logo.Label = "" // most transactions have no logo, so the details omit it
	}
	return append(o,
		Text("id", "Id", t.ID).inTable(),
		date("date", "Date", t.Date.String()).inTable(),
		Text("direction", "Direction", string(t.Direction)).withDetail(directionWords(t.Direction)),
		own.inTable(),
		Flag("amount_known", "", t.Amount.Known()),
		Text("currency", "", t.Amount.Currency()),
		usd.inTable().dropOrder(2),
		Flag("usd_known", "", t.USD.Known()),
		Text("counterparty_name", "Counterparty", t.CounterpartyName).inTable().truncated(),
		omitEmpty("memo", "Memo", t.Memo).inTable().truncated().dropOrder(3),
		omitEmpty("method", "Method", t.Method),
		omitEmpty("reference", "Reference", t.Reference),
		Flag("has_receipt", "Receipt", t.HasReceipt).withDetail(receipt),
		Text("source", "Source type", string(t.Source)),
		Text("source_label", "Source", t.SourceLabel).inTable().truncated().dropOrder(1),
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
