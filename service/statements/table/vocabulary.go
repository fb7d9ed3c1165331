package table

import "strings"

// Words for debit, credit and statuses in cells, in the form that fold returns.
var (
	debitWords = words(`d|dr|dbit|debit|debet|debits|soll|s|af|uit|out|lastschrift|belastung|withdrawal|cargo|
		dare|addebito|uitgaand|afschrijving|debito|出|支出|借|出金|출금|debe|uttag|
		money out|expense|kiadas|terheles|adeudo|payment out|deebet|debetas|debets`)
	creditWords = words(`c|cr|crdt|credit|credits|haben|h|bij|in|gutschrift|deposit|abono|avere|accredito|inkomend|
		bijschrijving|credito|入|收入|贷|入金|입금|haber|insattning|money in|income|
		jovairas|kredit|payment in|k|kreedit|kreditas|kredits`)
	pendingWords = words(`pending|vorgemerkt|umsatz vorgemerkt|offen|in progress|processing|authorized|authorised|
		authorization|unposted|not posted|uncleared|reserved|on hold|hold|held|scheduled|
		in bearbeitung|en attente|en cours|a venir|pendiente|en proceso|retenido|in sospeso|
		in attesa|non contabilizzato|da contabilizzare|pendente|em processamento|gereserveerd|
		in behandeling|openstaand|reserverad|reserveret|venter|reservert|odottaa|katevaraus|
		oczekujaca|oczekuje|blokada|blokovano|cekajici|fuggoben|beklemede|в обработке|
		処理中|未確定|待处理|대기|pndg|pdng|under behandling|preliminar|unavailable|
		on its way|incoming_payment_waiting`)
	voidWords = words(`failed|declined|reverted|cancelled|canceled|denied|refused|rejected|expired|voided|void|
		removed|deleted|abgelehnt|storniert|fehlgeschlagen|annule|annulee|refuse|refusee|echoue|
		cancelado|cancelada|rechazado|rechazada|annullato|rifiutato|geannuleerd|geweigerd|mislukt|
		avbruten|annulleret|afvist|odrzucona|anulowana|zruseno|temporarily declined|
		returned unpaid|blocked|unsuccessful`)
	// totalWords lists the first words of rows that are totals or balances, not transactions.
	totalWords = strings.Split("total|totals|subtotal|sum|summe|gesamt|summa|suma|somme|totale|totaal|balance|"+
		"opening balance|closing balance|beginning balance|ending balance|starting balance|"+
		"start balance|end balance|current balance|available balance|ledger balance|"+
		"previous balance|new balance|statement balance|brought forward|carried forward|saldo|"+
		"kontostand|anfangssaldo|endsaldo|alter kontostand|neuer kontostand|solde|saldo inicial|"+
		"saldo final|saldo iniziale|saldo finale|beginsaldo|eindsaldo|ingaende saldo|"+
		"utgaende saldo|zustatek|egyenleg|合計|小計|合计|합계|number of|anzahl|credits|"+
		"debits|ubertrag", "|")
)

func words(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.SplitSeq(list, "|") {
		all[fold(word)] = true
	}
	return all
}

// debitOrCredit returns -1 for a word that means money out, 1 for a word that means money in, and 0
// for other text.
func debitOrCredit(cell string) int {
	if len(cell) > 24 {
		return 0
	}
	switch cell {
	case "+":
		return 1
	case "-", "−", "–":
		return -1
	}
	word := fold(cell)
	switch {
	case debitWords[word]:
		return -1
	case creditWords[word]:
		return 1
	}
	return 0
}

// isTotal reports whether a text begins with one of totalWords.
func isTotal(text string) bool {
	text = fold(text)
	for _, word := range totalWords {
		if rest, ok := strings.CutPrefix(text, word); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// Parts of texts, in lower case, by which the direction of a line is certain: inTexts for money in,
// outTexts for money out.
var (
	inTexts = []string{
		"deposit", "interest earned", "interest credit", "cashback", "gutschrift", "virement recu", "abono",
		"inbetalning", "bijschrijving", "accredito",
	}
	outTexts = []string{
		"purchase", "withdrawal", "atm ", "service charge", "monthly fee", "overdraft", "annual fee", "interest charge",
		"pos ", "lastschrift", "kartenzahlung", "geldautomat", "entgelt", "retrait", "prelevement", "achat", "carte ",
		"cajero", "compra", "recibo", "prelievo", "pagamento", "betaalautomaat", "geldautomaat", "kortköp", "check paid",
	}
	// payoutTexts lists texts with which payment services describe transfers to or from a bank
	// account.
	payoutTexts = []string{
		"payout", "transfer", "withdraw", "bank deposit", "add funds", "auszahlung", "bankkonto", "virement", "retiro",
		"uitbetaling", "bank account", "debit card", "transferencia", "bonifico",
	}
	// paidTexts lists texts with which card issuers describe payments from the holder of the card.
	paidTexts = []string{
		"payment received", "payment - thank", "payment thank", "payment, thank", "thank you for your payment",
		"zahlung erhalten", "ihre zahlung", "paiement recu", "pago recibido", "pagamento ricevuto", "pagamento recebido",
		"betaling ontvangen", "su pago", "votre paiement",
	}
)

// anyOf reports whether a text contains at least one of the parts.
func anyOf(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}
