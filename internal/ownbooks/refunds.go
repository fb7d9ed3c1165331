package ownbooks

import (
	"slices"
	"strings"
	"unicode"

	"tarmac/internal/fold"
)

// refundWords are words of refunds, folded. German "Gutschrift" isn't among them: banks write it on
// all money in.
var refundWords = strings.Fields(fold.String(`
	reversal reversed chargeback creditnote storno stornierung retoure avoir devolucion devolución devolução devolucao
	estorno reso rimborso terugboeking restitutie creditnota kreditnota zwrot refundacja hyvitys palautus vrácení
	refusjon refusion tagasimakse grąžinimas atmaksa`))

// refundStems are parts of words of refunds, folded. They are long enough that no other words have
// them.
var refundStems = strings.Fields(fold.String(`
	erstattung rückzahlung rueckzahlung rücküberweisung rueckueberweisung remboursement reembolso terugbetaling
	återbetalning aterbetalning tilbagebetaling tilbakebetaling`))

// refundPhrases are phrases of refunds, folded.
var refundPhrases = []string{"credit note", "returned payment", fold.String("nota de crédito")}

// IsRefundWord reports whether a folded word says that money was given back. "refundable" doesn't.
func IsRefundWord(word string) bool {
	return strings.HasPrefix(word, "refund") && !strings.HasPrefix(word, "refundab") ||
		slices.Contains(refundWords, word) ||
		slices.ContainsFunc(refundStems, func(stem string) bool { return strings.Contains(word, stem) })
}

// SaysRefund reports whether a text says that money was given back.
func SaysRefund(text string) bool {
	words := strings.FieldsFunc(fold.String(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	joined := strings.Join(words, " ")
	return slices.ContainsFunc(words, IsRefundWord) ||
		slices.ContainsFunc(refundPhrases, func(phrase string) bool { return strings.Contains(joined, phrase) })
}
