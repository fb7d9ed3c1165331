package bookrules

import (
	"regexp"
	"strings"
	"sync"
)

// Labels in texts of banks that name the sender of money, its receiver, or the other party.
const (
	senderLabels = `b/o|bo|by order of|orig|org|originator|originator name|orig name|ordering (?:customer|party)|` +
		`sender|sender name|sndr|remitter|payer|payor|debtor|dbtr|auftraggeber|absender|zahler|zahlungspflichtiger|` +
		`donneur d'?ordre|[eé]metteur|d[eé]biteur|ordenante|ordinante|remetente|pagador|opdrachtgever`
	receiverLabels = `bnf|ben|bene|benef|beneficiary|beneficiary name|bnf name|payee|creditor|cdtr|recipient|receiver|` +
		`rcvr|` +
		`(?:zahlungs)?empf(?:ä|ae)nger|beg(?:ü|ue)nstigter|b[eé]n[eé]ficiaire|destinataire|beneficiario|` +
		`destinatario|favorecido|begunstigde`
	otherLabels = `orig co name|company name|co name|name|naam|nom|nombre|nome`
)

// senderLabel and receiverLabel match the label of the other party of money in and of money out,
// with the text after it.
var (
	senderLabel   = partyLabel(senderLabels)
	receiverLabel = partyLabel(receiverLabels)
)

// onFirstUse compiles an expression when it is first used. Only imports read names, and the
// expressions of names would make every other command start later.
func onFirstUse(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

func partyLabel(labels string) func() *regexp.Regexp {
	return onFirstUse(`(?i)(?:^|[\s/;,(])(?:(?:` + labels + `|` + otherLabels + `)\s?[:=]|name/|` +
		`by order of |in favou?r of |originator |beneficiary )\s*(\S.*)$`)
}

// nextLabel matches what follows the name after a label: the next label, a separator, or the next
// line of an address.
var nextLabel = onFirstUse(`(?i)\s*/\s*\pL{2,}[=:/]|\s+/|//|[;|]|\s+[2-8]/|` +
	`\s+(?:(?:snd|bnf|orig|rcv|ord|ben|int|sender|service|pmt|bank|customer|your|our|co|desc|end|for)\s+)?` +
	`(?:\pL/)?[\pL.]{1,20}\s?[:=#]`)

// labelled returns what follows the label of the other party, up to the next label. It returns ""
// if there is none. in is true for money in.
func labelled(text string, in bool) string {
	if !mayBeLabelled(text) {
		return ""
	}
	label := receiverLabel
	if in {
		label = senderLabel
	}
	match := label().FindStringSubmatch(text)
	if match == nil {
		return ""
	}
	party := match[1]
	if len(party) > 2 && party[0] == '1' && party[1] == '/' { // first line of an address
		party = party[2:]
	}
	if end := nextLabel().FindStringIndex(party); end != nil {
		party = party[:end[0]]
	}
	if party = strings.Trim(party, " /-"); !hasLetters(party, 2) {
		return ""
	}
	return party
}

// mayBeLabelled reports whether a text can have the label of a party. It saves running a slow
// regular expression.
func mayBeLabelled(text string) bool {
	if strings.ContainsAny(text, ":=") || strings.Contains(text, "/") {
		return true
	}
	upper := strings.ToUpper(text)
	return strings.Contains(upper, " OF ") || strings.Contains(upper, "ORIGINATOR ") ||
		strings.Contains(upper, "BENEFICIARY ")
}

// methods are words at the beginning of texts that say how money was paid. A name may begin with
// one of them, but hardly with two.
var methods = wordSet(`
	ACH WIRE FEDWIRE BACS CHAPS FPS FPI FPO SEPA SWIFT RTP ZELLE EFT GIRO TRANSFER TRF TFR XFER PAYMENT PMT PYMT DEPOSIT
	DEP
	CREDIT DEBIT INCOMING OUTGOING INWARD OUTWARD INBOUND OUTBOUND DOMESTIC INTERNATIONAL INTL DIRECT ONLINE MOBILE
	ELECTRONIC INSTANT FASTER STANDING PREAUTHORIZED PREAUTH BOOK FUNDS
	GUTSCHRIFT LASTSCHRIFT ÜBERWEISUNG UEBERWEISUNG ÜBERWEISUNGSGUTSCHRIFT DAUERAUFTRAG EINZUG ECHTZEIT
	ECHTZEITÜBERWEISUNG BASISLASTSCHRIFT FOLGELASTSCHRIFT ZAHLUNGSEINGANG ZAHLUNG
	VIREMENT VIR PRELEVEMENT PRÉLÈVEMENT PRLV PAIEMENT VERSEMENT
	TRANSFERENCIA TRANSF ABONO ADEUDO PAGO BONIFICO ADDEBITO ACCREDITO TED PIX PAGAMENTO
	OVERBOEKING INCASSO PRZELEW ÖVERFÖRING OVERFØRSEL`)

// moreMethods are words that belong to the method of payment only after another word of it, such as
// RECEIVED in WIRE RECEIVED.
var moreMethods = wordSet(`
	IN OUT RECEIVED SENT CR DR TYPE ORDER REAL TIME CCD PPD CTX CORE B2B INST INSTANTANE INSTANTANÉ EUROPEEN
	EUROPÉEN RECU
	REÇU EMIS ÉMIS FAVEUR RECIBIDA EMITIDA INMEDIATA RECEBIDO RECEBIDA ENVIADO ENVIADA DISPOSTO FAVORE VOSTRO`)

// soleMethods are methods with which no name begins.
var soleMethods = wordSet(`
	ACH FEDWIRE BACS CHAPS SEPA ÜBERWEISUNG UEBERWEISUNG ÜBERWEISUNGSGUTSCHRIFT DAUERAUFTRAG BASISLASTSCHRIFT
	FOLGELASTSCHRIFT ECHTZEITÜBERWEISUNG VIREMENT VIR PRELEVEMENT PRÉLÈVEMENT PRLV TRANSFERENCIA BONIFICO OVERBOEKING
	INCASSO PRZELEW ÖVERFÖRING OVERFØRSEL`)

// parties are words between a method and the name of the other party.
var parties = wordSet(`FROM TO VON AN DE A À POUR DA POR PARA VAN NAAR OD FRÅN TILL FRA TIL`)

// notNames are words that follow a method and are what the line is about.
var notNames = wordSet(`
	FEE FEES CHARGE CHARGES COMMISSION INTEREST RETURN RETURNED REVERSAL REVERSED REJECT REJECTED ADJUSTMENT REFUND
	THANK TAX LIMITED LTD INC LLC ACCT ACCOUNT CHK CHECKING SAV SAVINGS CARD KONTO COMPTE CUENTA
	CONTO REKENING GEBÜHR GEBUEHR GEBÜHREN ENTGELT ZINSEN RÜCKLASTSCHRIFT FRAIS COMISION COMISIÓN COMMISSIONE`)

// withoutMethod returns a text without the words at its beginning that say how money was paid, and
// a word such as "from" behind them.
func withoutMethod(text string) string {
	w, next := wordFrom(text, 0)
	if !methods[w.folded] {
		return text
	}
	sole, run := soleMethods[w.folded], 1
	for w, after := wordFrom(text, next); methods[w.folded] || moreMethods[w.folded]; w, after = wordFrom(text, next) {
		run, next = run+1, after
	}
	w, after := wordFrom(text, next)
	named := parties[w.folded]
	if named {
		next = after
		w, _ = wordFrom(text, next)
	}
	if notNames[w.folded] || !named && !sole && (run == 1 || w.digits > 0) {
		return text
	}
	if rest := strings.TrimLeft(text[next:], " *#-,;:/·"); hasLetters(rest, 2) {
		return rest
	}
	return text
}

// withoutDirection returns a text without "To" before the receiver of money out, or "From" before
// the sender of money in.
func withoutDirection(text string, in bool) string {
	w, next := wordFrom(text, 0)
	if (!in || w.folded != "FROM") && (in || w.folded != "TO") {
		return text
	}
	if second, _ := wordFrom(text, next); notNames[second.folded] || !hasLetters(second.folded, 2) {
		return text
	}
	return text[next:]
}

// onlyMethod reports whether a name says only how money was paid.
func onlyMethod(name string) bool {
	for at, w := range namedWords(name) {
		if !methods[w.folded] && (at == 0 || !moreMethods[w.folded] && !parties[w.folded]) {
			return false
		}
	}
	return true
}
