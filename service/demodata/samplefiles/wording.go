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

// wording holds the words that a bank uses for a kind of payment.
type wording struct {
	method string // transaction type in OFX
	prefix string // first words of the line's text
}

// received and paid map payment methods of the ledger to the words that a bank uses for money in
// and for money out.
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

// operatingLine returns the line for a ledger row on the operating account. The currency is that of
// the row, and home that of the account.
func operatingLine(t ledger.Transaction, booked civil.Date, cents int64, currency, home string) bank.Line {
	words := paid[t.Method]
	if t.Direction == ledger.Inflow {
		words = received[t.Method]
	}
	if name(t) == "" {
		words.prefix = "" // the memo says how the money was moved
	}
	description := join(words.prefix, reference(t), t.Memo)
	if currency != home {
		description = join(description, currency, money.Format(t.AmountMinor, currency))
	}
	return bank.Line{
		Booked: booked, Minor: cents, Method: words.method, Counterparty: name(t), Description: description,
		Reference: reference(t),
	}
}

// foreignLine returns the line for a ledger row on the account in another currency.
func foreignLine(t ledger.Transaction, booked civil.Date, minor int64) bank.Line {
	return bank.Line{
		Booked: booked, Value: booked, Minor: minor, Counterparty: name(t), Description: join(reference(t), t.Memo),
		Reference: reference(t),
	}
}

// cardLine returns the line for a purchase by card. Its text is little more than the merchant and
// the town. The currency is that of the row, and home that of the card.
func cardLine(t ledger.Transaction, currency, home string) bank.Line {
	name, town := merchant(name(t))
	l := bank.Line{
		Booked: t.Date.AddDays(1), Value: t.Date, Minor: -t.USDCents, Method: "DEBIT", Counterparty: name, Description: town,
	}
	if currency != home {
		l.Description = currency + " " + money.Format(t.AmountMinor, currency)
	}
	return l
}

// processors maps words in the names of small merchants to the prefixes that payment processors put
// before these names.
var processors = map[string]string{"Bistro": "TST* ", "Coffee": "SQ *", "Books": "SQ *", "Print": "SP "}

var towns = [...]string{"AUSTIN TX", "DENVER CO", "PORTLAND OR", "BOSTON MA", "CHICAGO IL", "SEATTLE WA"}

// merchant returns the name and the town of a merchant in capitals, as card statements show them.
// Small merchants have the prefix of a payment processor and a store number. Others have a phone
// number instead of a town.
func merchant(name string) (string, string) {
	if name == "" {
		return "CARD PURCHASE", ""
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // Write of a hash never fails
	n := hash.Sum32()
	words := strings.Fields(name)
	if mark, small := processors[words[len(words)-1]]; small {
		return fmt.Sprintf("%s%s %04d", mark, upper(name), n%900+100), towns[n%uint32(len(towns))]
	}
	return upper(name), fmt.Sprintf("800-555-%04d", n%100+100)
}

// name returns the other party of a ledger row, or "" if it is not known.
func name(t ledger.Transaction) string {
	if t.Counterparty == ledger.UnknownCounterparty {
		return ""
	}
	return t.Counterparty
}

// reference returns the reference of a ledger row that a bank would know, such as the number of an
// invoice.
func reference(t ledger.Transaction) string {
	if strings.HasPrefix(t.Reference, ids.PaymentIntent) {
		return ""
	}
	return t.Reference
}

func upper(text string) string { return strings.ToUpper(text) }

// join joins texts with single blanks and removes other blanks.
func join(texts ...string) string { return strings.Join(strings.Fields(strings.Join(texts, " ")), " ") }
