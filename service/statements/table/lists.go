package table

import (
	"slices"
	"strings"
)

// Column names, or beginnings of them, of lists that aren't statements, in the form that fold
// returns.
var (
	payoutNames = []string{
		"payout", "arrival date", "deposit id", "deposit date", "deposited at", "settlement batch", "auszahlung",
		"date de versement", "numero de versement", "versement", "date du virement", "fecha de deposito", "id de deposito",
		"fecha del pago", "uitbetaling", "uitbetalingsdatum", "data di accredito", "data do repasse", "utbetalning",
		"udbetaling", "wyplata",
	}
	orderNames = []string{
		"order", "order id", "order number", "order no", "order date", "sku", "quantity", "qty", "unit price", "item",
		"line item", "lineitem", "shipping", "subtotal", "fulfillment status", "financial status", "bestellnummer",
		"bestellung", "bestelldatum", "auftragsnummer", "artikel", "artikelnummer", "menge", "einzelpreis", "versand",
		"commande", "numero de commande", "quantite", "prix unitaire", "article", "pedido", "numero de pedido", "cantidad",
		"articulo", "precio unitario", "bestelling", "aantal", "prijs per stuk", "ordine", "numero ordine", "quantita",
	}
	invoiceNames = []string{
		"invoice", "invoice number", "invoice no", "invoice id", "invoice date", "invoice total", "invoice amount",
		"rechnungsnummer", "rechnungsnr", "rechnungsdatum", "rechnungsbetrag", "rechnung", "facture",
		"numero de facture", "n de facture", "n facture", "date de facture", "montant facture", "factura",
		"numero de factura", "fecha de factura", "factuur", "factuurnummer", "factuurdatum", "fattura", "numero fattura",
		"data fattura",
	}
	// movementNames are of columns that lists of payouts don't have: each row says what it is.
	movementNames = []string{
		"type", "reporting category", "transaction type", "balance transaction id", "balance transaction",
		"source", "category", "typ", "art",
	}
)

// begins returns the number of columns whose name is one of these or begins with one of them and
// another word.
func (c chooser) begins(names []string) int {
	count := 0
	for _, one := range c.columns {
		count += boolean(slices.ContainsFunc(names, func(name string) bool {
			rest, found := strings.CutPrefix(one.name, name)
			return found && (rest == "" || rest[0] == ' ' || name == "auszahlung")
		}))
	}
	return count
}

// isPayouts reports whether the columns are of a payment service's list of payouts: sums that it
// sent to the bank, without a balance and without other parties.
func (c chooser) isPayouts() bool {
	switch {
	case c.begins(payoutNames) == 0 || c.first(roleBalance) != none:
		return false
	case c.first(roleParty, rolePayer, rolePayee) != none && !c.named("destination"):
		return false
	}
	return c.begins([]string{"net", "netto"}) == 0 || !slices.ContainsFunc(movementNames, c.named) ||
		c.named("payout type")
}

func (c chooser) named(name string) bool {
	return slices.ContainsFunc(c.columns, func(one column) bool { return one.name == name })
}

// otherList returns what a file lists if it is a list of payouts, orders or invoices, with what to
// import instead; else "".
func (c chooser) otherList() string {
	const least = 2 // columns that say so
	switch {
	case c.isPayouts():
		return "a list of payouts; import your bank's statement, which has each payout as a deposit, or the payment " +
			"service's balance history"
	case c.begins(orderNames) >= least && c.first(roleBalance) == none:
		return "a list of orders, not of payments; import the bank's statement or the payment service's balance history"
	case c.begins(invoiceNames) >= least && c.first(roleBalance, roleDebit) == none:
		return "a list of invoices that lacks columns for a list of open invoices (a number or customer, a due date, " +
			"an amount due); import the list of open invoices, or the bank's statement"
	}
	return ""
}

// wantedExport recognizes exports that have the payments of customers but not the money that left
// the account. It returns what the file is and which export to use instead, or "".
func wantedExport(l *layout, c chooser) string {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			return !slices.ContainsFunc(c.columns, func(one column) bool { return one.name == name })
		})
	}
	switch {
	case l.net && l.balance == none && has("transaction id", "from email address",
		"to email address") && !has("balance"):
		return "PayPal's payments without what left the account; use PayPal's activity report of all balance " +
			"transactions, which has a column Balance"
	case has("amount refunded", "captured"), has("amount refunded", "seller message"), has("amount refunded",
		"card id"),
		has("amount refunded", "converted amount"):
		return "Stripe's payments before fees, without payouts; use Stripe's Balance history"
	case has("payment status", "financial status"), has("gateway", "card brand", "payout status") && !l.net:
		return "payments without payouts; use the payment service's balance or payout report"
	}
	return ""
}
