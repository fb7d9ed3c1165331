package table

import (
	"regexp"
	"strings"

	"tarmac/internal/termtext"
	"tarmac/service/statements/bank"
)

// preamble holds what the records before the header say about the account.
type preamble struct {
	account  string
	numbered bool // the account was found after one of numberLabels, or is an IBAN
	currency string
	card     bool
	balance  statedBalance
	until    writtenDate // last day of the lines, if one is named
}

// statedBalance is a balance with its day, as in "Kontostand vom 31.08.2026:;2.100,00 EUR".
type statedBalance struct {
	found  bool
	day    writtenDate
	amount writtenAmount
}

// untilLabels are labels of the last day of the lines.
var untilLabels = words(`bis|to|to date|until|end date|au|date de fin|hasta|al|a|tot|tot en met|do|till`)

// Labels of accounts. Those of numberLabels are of account numbers only. The text after one of
// accountLabels may be a name with digits.
var (
	numberLabels = words(`account number|account no|iban|kontonummer|numero de compte|numero conto|rekeningnummer|
		numero de cuenta|numer rachunku|cislo uctu|konto nr|tilinumero|account iban|kontonr|szamlaszam|konto iban`)
	accountLabels = words(`account|konto|compte|cuenta|conto|rekening|rachunek|conta|bank account|girokonto|
		tagesgeldkonto|checking account|savings account|umsatze girokonto|sparkonto|kontokorrent|privatkonto|
		geschaftskonto|compte courant|compte cheques`)
)

var currencyLabels = words(`currency|wahrung|waehrung|devise|divisa|moneda|moeda|valuta|waluta|mena|penznem|
		account currency|kontowahrung|bewertet in|whg`)

// cardLabels lists words that appear only in the statements of credit cards.
var cardLabels = []string{
	"kreditkarte", "credit card", "card number", "card ending", "carte de credit", "tarjeta de credito",
	"carta di credito",
	"creditcard", "kreditkort", "luottokortti", "karta kredytowa", "card account", "kartennummer", "visa", "mastercard",
	"american express",
}

var iban = regexp.MustCompile(`\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`)

// readPreamble reads the account number and the currency from the records before the header.
func readPreamble(records []record) preamble {
	var found preamble
	for _, r := range records {
		for i, field := range r.fields {
			label, after, _ := strings.Cut(field, ":")
			if after = strings.TrimSpace(after); after == "" {
				after = r.field(i + 1)
			}
			found.add(fold(label), field, after)
		}
	}
	return found
}

// add reads a label and the text after it, which is in the same cell or in the next one.
func (p *preamble) add(label, whole, after string) {
	if anyOf(fold(whole), cardLabels) && len(whole) < 80 {
		p.card = true
	}
	number := iban.FindString(whole)
	numbered := number != "" || numberLabels[label]
	if number == "" && (numbered || accountLabels[label]) {
		if number = iban.FindString(after); number != "" {
			numbered = true
		}
	}
	if number == "" && (numbered || accountLabels[label]) && strings.ContainsAny(after, "0123456789") && len(after) < 60 {
		if _, date := scanDate(after); !date || numberLabels[label] {
			number = after
		}
	}
	if number != "" && (p.account == "" || numbered && !p.numbered) {
		p.account, p.numbered = clean(number), numbered
	}
	p.addBalance(label, whole, after)
	if code := strings.ToUpper(strings.TrimSpace(after)); currencyLabels[label] && bank.IsCurrency(code) {
		p.currency = code
	}
}

// addBalance reads the balance after a label that names its day, or the last day of the lines.
func (p *preamble) addBalance(label, whole, after string) {
	if day, ok := scanDate(after); ok && untilLabels[label] {
		p.until = day
	}
	head, rest, _ := strings.Cut(label, " ")
	amount, isAmount := scanAmount(after)
	if !balanceHeads[head] || rest == "" || !isAmount || p.balance.found {
		return
	}
	for word := range strings.FieldsSeq(whole) {
		if day, ok := scanDate(strings.TrimSuffix(word, ":")); ok {
			p.balance = statedBalance{true, day, amount}
		}
	}
}

// clean removes control characters and outer blanks from a text of the file, so that it can be
// shown.
func clean(text string) string { return strings.TrimSpace(termtext.Line(text)) }
