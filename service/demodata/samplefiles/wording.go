package samplefiles

import (
	"fmt"
	"hash/fnv"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/statements/bank"
)

// wording is how the bank calls a kind of payment.
type wording struct {
	method string // type of transaction in OFX
	prefix string // first words of the text
}

// received and paid are the bank's words for the ledger's methods of payment.
var (
	received = map[string]wording{
		"ach": {"DIRECTDEP", "ACH CREDIT"}, "ach_debit": {"DIRECTDEP", "ACH COLLECTION"}, "wire": {"CREDIT", "WIRE IN"},
		"check": {"DEP", "CHECK DEPOSIT"}, "card": {"CREDIT", "PAYLANE TRANSFER"}, "": {"CREDIT", "DEPOSIT"},
	}
	paid = map[string]wording{
		"ach": {"DIRECTDEBIT", "ACH DEBIT"}, "wire": {"DEBIT", "WIRE OUT"}, "check": {"CHECK", "CHECK PAID"},
		"fee": {"FEE", "PAYLANE FEE"}, "payout": {"DEBIT", "PAYLANE PAYOUT"}, "": {"DEBIT", "WITHDRAWAL"},
	}
)

// operatingLine returns the line of a row on the operating account.
func operatingLine(t ledger.Transaction, booked civil.Date, cents int64) bank.Line {
	words := paid[t.Method]
	if t.Direction == ledger.Inflow {
		words = received[t.Method]
	}
	description := join(words.prefix, reference(t), t.Memo)
	if t.Currency != "USD" {
		description = join(description, t.Currency, money.Format(t.AmountMinor, t.Currency))
	}
	return bank.Line{
		Booked: booked, Minor: cents, Method: words.method, Counterparty: name(t), Description: description,
		Reference: reference(t),
	}
}

// euroLine returns the line of a row on the euro account.
func euroLine(t ledger.Transaction, booked civil.Date, minor int64) bank.Line {
	return bank.Line{
		Booked: booked, Value: booked, Minor: minor, Counterparty: name(t), Description: join(reference(t), t.Memo),
		Reference: reference(t),
	}
}

// cardLine returns the line of a purchase by card, which says little more than where it was.
func cardLine(t ledger.Transaction) bank.Line {
	name, town := merchant(name(t))
	l := bank.Line{
		Booked: t.Date.AddDays(1), Value: t.Date, Minor: -t.USDCents, Method: "DEBIT", Counterparty: name, Description: town,
	}
	if t.Currency != "USD" {
		l.Description = t.Currency + " " + money.Format(t.AmountMinor, t.Currency)
	}
	return l
}

// processors are the payment processors that put their mark before the names of small merchants.
var processors = map[string]string{"Bistro": "TST* ", "Coffee": "SQ *", "Books": "SQ *", "Print": "SP "}

var towns = [...]string{"AUSTIN TX", "DENVER CO", "PORTLAND OR", "BOSTON MA", "CHICAGO IL", "SEATTLE WA"}

// merchant returns the name and the town of a merchant as card statements have them: in
// capitals, small ones with the mark of a processor and the number of the store, others with a
// telephone number instead of a town.
func merchant(name string) (string, string) {
	if name == "" {
		return "CARD PURCHASE", ""
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // never fails
	n := hash.Sum32()
	words := strings.Fields(name)
	if mark, small := processors[words[len(words)-1]]; small {
		return fmt.Sprintf("%s%s %04d", mark, upper(name), n%900+100), towns[n%uint32(len(towns))]
	}
	return upper(name), fmt.Sprintf("800-555-%04d", n%100+100)
}

// name returns the other party of a row, or "" if it is not known.
func name(t ledger.Transaction) string {
	if t.Counterparty == ledger.UnknownCounterparty {
		return ""
	}
	return t.Counterparty
}

// reference returns what a row refers to outside of the ledger, such as an invoice.
func reference(t ledger.Transaction) string {
	if strings.HasPrefix(t.Reference, ids.PaymentIntent) {
		return ""
	}
	return t.Reference
}

func upper(text string) string { return strings.ToUpper(text) }

// join joins the words of texts with single blanks.
func join(texts ...string) string { return strings.Join(strings.Fields(strings.Join(texts, " ")), " ") }
