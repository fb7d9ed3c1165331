package books

import (
	"slices"
	"strings"
	"unicode"

	"tarmac/service/statements/bank"
)

// Strength says how surely a line is a half of a transfer between own accounts.
type Strength uint8

// Strengths of evidence. A line with weak evidence is a transfer only together with its other
// half. Without one it is an ordinary row, such as the payment of a card that is not in the
// books.
const (
	NoEvidence Strength = iota
	NoTransfer          // a rule denies it, or the money went to an excluded account
	WeakEvidence
	StrongEvidence
)

// Evidence is what a line or a rule says about a transfer between own accounts.
type Evidence struct {
	Strength Strength
	Others   []int64 // keys of the accounts that may hold the other half; nil for any
}

// admits reports whether the evidence allows the other half to be in an account.
func (e Evidence) admits(account int64) bool {
	return e.Strength != NoTransfer && (e.Others == nil || slices.Contains(e.Others, account))
}

// recognized reports whether there is any evidence of a transfer.
func (e Evidence) recognized() bool { return e.Strength >= WeakEvidence }

// EvidenceFinder finds evidence in the texts of lines.
type EvidenceFinder struct{ accounts []knownAccount }

// knownAccount holds the texts by which an account is known, in capitals.
type knownAccount struct {
	Account
	number string // letters and digits; "" if the number is masked or short
	last   string // its last four characters
	name   string // "" if other accounts have that name too
	banks  []string
}

// NewEvidenceFinder returns a finder for the accounts of the books.
func NewEvidenceFinder(accounts []Account) *EvidenceFinder {
	f := &EvidenceFinder{}
	for _, a := range accounts {
		number, name := squeeze(a.Number), words(a.Name)
		k := knownAccount{Account: a, banks: bankNames(a.Bank)}
		if len(number) > lastCharacters {
			k.last = number[len(number)-lastCharacters:]
		}
		if len(number) >= 6 && strings.IndexFunc(number, unicode.IsDigit) >= 0 && !strings.ContainsAny(number, "*…•") &&
			strings.TrimLeft(number, "X") == number {
			k.number = number
		}
		shared := slices.ContainsFunc(accounts, func(b Account) bool {
			return b.Key != a.Key && strings.Contains(words(b.Name), name)
		})
		if letters(name) >= 4 && !shared {
			k.name = name
		}
		f.accounts = append(f.accounts, k)
	}
	return f
}

// bankNames returns the names of a bank in texts of others, without its legal form.
func bankNames(bank string) []string {
	name := strings.TrimSuffix(words(bank), " N A")
	if letters(name) < 4 {
		return nil
	}
	names := []string{name}
	if short := strings.TrimSuffix(name, " BANK"); letters(short) >= 4 && short != name {
		names = append(names, short)
	}
	for _, short := range [...]struct{ name, short string }{
		{"AMERICAN EXPRESS", "AMEX"}, {"BANK OF AMERICA", "BOFA"}, {"JPMORGAN CHASE", "CHASE"},
	} {
		if strings.Contains(name, short.name) {
			names = append(names, short.short)
		}
	}
	return names
}

// Words of transfers and payments in texts of banks.
var (
	transferWords = []string{
		"TRANSFER", "XFER", "TRANSF", "TRSF", "TFR", "TRF", "SWEEP", "UMBUCHUNG", "ÜBERTRAG", "UEBERTRAG", "VIREMENT",
	}
	paymentWords = []string{
		"PAYMENT", "PYMT", "PMT", "AUTOPAY", "AUTO PAY", "EPAY", "EPAYMENT", "E PAYMENT", "PAIEMENT", "ZAHLUNG",
	}
	cardWords = []string{"CREDIT CARD", "CREDIT CRD", "CARD AUTOPAY", "CRD AUTOPAY", "CARDMEMBER", "KREDITKARTE"}
	endHints  = []string{
		"IN", "ENDING", "ACCT", "ACCOUNT", "AC", "CARD", "CHK", "CHECKING", "SAV", "SAVINGS", "NO", "KONTO", "COMPTE", "X",
	}
)

// Find returns the evidence of a line of an account: what a rule says, then the number of
// another own account (all of it, or its last four characters after a mask or a word such as
// "ending in"), the bank's transfer code, and the name or bank of another account beside a word
// such as "transfer" or "payment".
func (f *EvidenceFinder) Find(a Account, l bank.Line, o Outcome) Evidence {
	if a.Role == Excluded {
		return Evidence{Strength: NoTransfer}
	}
	if o.Transfer.Set {
		return f.byRule(a, o.Transfer)
	}
	text := evidenceText{upper: strings.ToUpper(l.Counterparty + "\n" + l.Description + "\n" + l.Reference)}
	numbered := f.others(a, func(k *knownAccount) bool {
		return k.isNumber(l.OtherAccount) || k.isIn(&text)
	})
	if len(numbered) > 0 {
		return f.strong(numbered)
	}
	if l.Transfer {
		return Evidence{Strength: StrongEvidence}
	}
	text.words = words(text.upper)
	return f.byWords(a, &l, &text)
}

func (f *EvidenceFinder) byRule(a Account, rule TransferRule) Evidence {
	switch {
	case !rule.Own:
		return Evidence{Strength: NoTransfer}
	case rule.Account == "":
		return Evidence{Strength: StrongEvidence}
	}
	return f.strong(f.others(a, func(k *knownAccount) bool { return k.isCalled(rule.Account) }))
}

// others returns the accounts that match, without the line's own.
func (f *EvidenceFinder) others(a Account, match func(k *knownAccount) bool) []*knownAccount {
	var found []*knownAccount
	for i := range f.accounts {
		if k := &f.accounts[i]; k.Key != a.Key && match(k) {
			found = append(found, k)
		}
	}
	return found
}

// strong returns evidence of a transfer with one of the accounts. Money that goes to an excluded
// account has left.
func (f *EvidenceFinder) strong(named []*knownAccount) Evidence {
	keys := keysOf(named)
	if len(named) > 0 && len(keys) == 0 {
		return Evidence{Strength: NoTransfer}
	}
	return Evidence{StrongEvidence, keys}
}

// keysOf returns the keys of accounts that are not excluded, never nil.
func keysOf(accounts []*knownAccount) []int64 {
	keys := []int64{}
	for _, k := range accounts {
		if k.Role != Excluded {
			keys = append(keys, k.Key)
		}
	}
	return keys
}

// byWords returns evidence from names, banks and what cards call their payment.
func (f *EvidenceFinder) byWords(a Account, l *bank.Line, text *evidenceText) Evidence {
	transfer, payment := text.hasAny(transferWords), text.hasAny(paymentWords)
	if a.Role == Card && l.Minor > 0 && payment {
		payers := f.others(a, func(k *knownAccount) bool { return k.Role != Card })
		return Evidence{StrongEvidence, keysOf(payers)}
	}
	if transfer {
		named := f.others(a, func(k *knownAccount) bool {
			return text.has(k.name) || text.hasAny(k.banks) && !text.has("WIRE")
		})
		if len(named) > 0 {
			return f.strong(named)
		}
	}
	card := text.hasAny(cardWords)
	counterparty := words(l.Counterparty)
	if counterparty == "" {
		counterparty = text.words
	}
	weak := keysOf(f.others(a, func(k *knownAccount) bool {
		switch byBank := text.hasAny(k.banks); {
		case k.Role == Card && l.Minor < 0:
			return payment && (card || byBank)
		case transfer:
			return byBank || k.Role == Savings && text.has("SAVINGS") || k.Role == Operating && text.has("CHECKING")
		default:
			return byBank && !slices.Equal(k.banks, bankNames(a.Bank)) && slices.ContainsFunc(k.banks, func(name string) bool {
				return strings.HasPrefix(counterparty, name)
			})
		}
	}))
	if len(weak) == 0 {
		return Evidence{}
	}
	return Evidence{WeakEvidence, weak}
}

// isNumber reports whether a number is the account's, by itself or within its IBAN.
func (k *knownAccount) isNumber(number string) bool {
	number = squeeze(number)
	const significant = 8
	return k.number != "" && number != "" && (number == k.number ||
		len(k.number) >= significant && strings.HasSuffix(number, k.number) ||
		len(number) >= significant && strings.HasSuffix(k.number, number))
}

// isIn reports whether a text has the account's number or its last characters after a hint.
func (k *knownAccount) isIn(text *evidenceText) bool {
	if k.number != "" && text.hasNumber(k.number) {
		return true
	}
	return k.last != "" && text.hasEnd(k.last)
}
