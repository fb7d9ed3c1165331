package bookrules

import (
	"slices"
	"strings"
	"unicode"

	"tarmac/service/statements/bank"
)

// Strength says how strong the evidence is that a line is one side of a transfer between two
// accounts of the organization.
type Strength uint8

// Strengths of Evidence. A line with weaker than strong evidence counts as a transfer only together
// with the line on the other account. Without that line it is an ordinary transaction, for example
// the payment of a credit card that is not in the books. If only one of two lines has evidence, and
// that is the name of a bank, there must be no other line that either of them could belong to.
const (
	NoEvidence   Strength = iota
	NoTransfer            // a rule says that the line is no transfer, or the other account is excluded
	PossibleBank          // a word that is the name of another account or of its bank, or means something else
	NamedBank             // the name of another account's bank
	WeakEvidence
	StrongEvidence
)

// Evidence is what the text of a line, or the user's rule, says about a transfer between two
// accounts of the organization.
type Evidence struct {
	Others   []int64 // keys of the possible other accounts; nil if any account is possible
	Strength Strength
	Origin   EvidenceOrigin
}

// EvidenceOrigin says where the evidence of a transfer comes from.
type EvidenceOrigin uint8

// The origins of evidence. With NoOrigin, there is none.
const (
	NoOrigin   EvidenceOrigin = iota
	FromRule                  // the user's rule
	FromNumber                // the number of the other account, or its last characters
	FromCode                  // the bank's code for transfers
	FromText                  // the name or bank of the other account, or a word such as "autopay"
)

// admits reports whether the other side of the transfer may be on the given account.
func (e Evidence) admits(account int64) bool {
	return e.Strength != NoTransfer && (e.Others == nil || slices.Contains(e.Others, account))
}

// recognized reports whether there is any evidence of a transfer.
func (e Evidence) recognized() bool { return e.Strength >= PossibleBank }

// EvidenceFinder finds evidence of transfers in the texts of lines.
type EvidenceFinder struct {
	accounts []knownAccount
	banks    map[int64][]bankName // results of banksOf by Account.Key
}

// knownAccount holds the texts, in capitals, by which an account is recognized in lines.
type knownAccount struct {
	Account
	number string // account number; "" if it is masked or too short
	last   string // last four characters of the account number
	name   string // account name of several words; "" if it is part of another name or that of a company
	banks  []bankName
}

// NewEvidenceFinder returns a finder that recognizes transfers between the given accounts.
func NewEvidenceFinder(accounts []Account) *EvidenceFinder {
	f := &EvidenceFinder{banks: map[int64][]bankName{}}
	for _, a := range accounts {
		number, name := squeeze(a.Number), words(a.Name)
		f.banks[a.Key] = banksOf(a)
		k := knownAccount{Account: a, banks: slices.Clip(f.banks[a.Key])}
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
		switch {
		case letters(name) < 4 || shared || !a.Renamed && customerName(a.Name) != name:
		case strings.Contains(name, " "):
			k.name = name
		default: // a word such as "Reserve" or "Payroll" may have another meaning in a line
			k.banks = append(k.banks, bankName{words: name})
		}
		f.accounts = append(f.accounts, k)
	}
	return f
}

// Words in the texts of lines that indicate a transfer, a payment, a card or the end of an account
// number.
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

// Find returns the evidence that a line of the account a is one side of a transfer. It uses the
// first of these that applies: the user's rule; the number of another account of the organization,
// or its last four characters after a mask or a word such as "ending in"; the bank's code for
// transfers; the name of another account together with a word such as "transfer"; words with which
// banks describe the payment of a card; and the bank of another account together with a word such
// as "transfer", "ACH" or "payment".
func (f *EvidenceFinder) Find(a Account, l bank.Line, o Outcome) Evidence {
	if a.Role == Excluded {
		return Evidence{Strength: NoTransfer}
	}
	if o.Transfer.Set {
		return f.byRule(a, o.Transfer).from(FromRule)
	}
	text := evidenceText{upper: strings.ToUpper(l.Counterparty + "\n" + l.Description + "\n" + l.Reference)}
	numbered := f.others(a, func(k *knownAccount) bool {
		return k.isNumber(l.OtherAccount) || k.isIn(&text)
	})
	if len(numbered) > 0 {
		return f.strong(numbered).from(FromNumber)
	}
	if l.Transfer {
		return Evidence{Strength: StrongEvidence, Origin: FromCode}
	}
	text.words = words(text.upper)
	return f.byWords(a, &l, &text).from(FromText)
}

// from returns the evidence with the given origin. NoEvidence gets no origin.
func (e Evidence) from(origin EvidenceOrigin) Evidence {
	if e.Strength != NoEvidence {
		e.Origin = origin
	}
	return e
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

// others returns the accounts that match and are not the account a.
func (f *EvidenceFinder) others(a Account, match func(k *knownAccount) bool) []*knownAccount {
	var found []*knownAccount
	for i := range f.accounts {
		if k := &f.accounts[i]; k.Key != a.Key && match(k) {
			found = append(found, k)
		}
	}
	return found
}

// strong returns strong evidence of a transfer with one of the named accounts. If they are all
// excluded, it returns NoTransfer, because a payment to an excluded account counts as money out.
func (f *EvidenceFinder) strong(named []*knownAccount) Evidence {
	keys := keysOf(named)
	if len(named) > 0 && len(keys) == 0 {
		return Evidence{Strength: NoTransfer}
	}
	return Evidence{Strength: StrongEvidence, Others: keys}
}

// keysOf returns the keys of those accounts that are not excluded. The result is never nil.
func keysOf(accounts []*knownAccount) []int64 {
	keys := []int64{}
	for _, k := range accounts {
		if k.Role != Excluded {
			keys = append(keys, k.Key)
		}
	}
	return keys
}

// byWords returns the evidence in the words of a line: the name or bank of another account, or
// words with which cards describe the payment of their bill.
func (f *EvidenceFinder) byWords(a Account, l *bank.Line, text *evidenceText) Evidence {
	transfer, payment := text.hasAny(transferWords), text.hasAny(paymentWords)
	if a.Role == Card && l.Minor > 0 && payment {
		payers := f.others(a, func(k *knownAccount) bool { return k.Role != Card })
		return Evidence{Strength: StrongEvidence, Others: keysOf(payers)}
	}
	if transfer {
		if named := f.others(a, func(k *knownAccount) bool { return text.has(k.name) }); len(named) > 0 {
			return f.strong(named)
		}
	}
	card := text.hasAny(cardWords)
	weak := keysOf(f.others(a, func(k *knownAccount) bool {
		switch {
		case k.Role == Card && l.Minor < 0:
			return payment && (card || k.hasBank(text))
		case transfer:
			return k.Role == Savings && text.has("SAVINGS") || k.Role == Operating && text.has("CHECKING")
		}
		return false
	}))
	if len(weak) > 0 {
		return Evidence{Strength: WeakEvidence, Others: weak}
	}
	return f.byBank(a, l, text)
}

// byBank returns the evidence in the name of another account's bank, beside a word that says that
// money moves between banks or as the counterparty. The bank of the account itself is no evidence,
// because it is in many lines.
func (f *EvidenceFinder) byBank(a Account, l *bank.Line, text *evidenceText) Evidence {
	counterparty, strength := evidenceText{upper: strings.ToUpper(l.Counterparty)}, PossibleBank
	named := keysOf(f.others(a, func(k *knownAccount) bool {
		return slices.ContainsFunc(k.banks, func(name bankName) bool {
			if !text.has(name.words) || slices.Contains(f.banks[a.Key], name) ||
				!counterparty.namesBank(name.words) && !(text.hasAny(movementWords) && text.namesBank(name.words)) {
				return false
			}
			if name.sure {
				strength = NamedBank
			}
			return true
		})
	}))
	if len(named) == 0 {
		return Evidence{}
	}
	return Evidence{Strength: strength, Others: named}
}

// hasBank reports whether a text has the name of the account's bank, as whole words.
func (k *knownAccount) hasBank(text *evidenceText) bool {
	return slices.ContainsFunc(k.banks, func(name bankName) bool {
		return name.sure && text.has(name.words) || text.namesBank(name.words)
	})
}

// isNumber reports whether number is the account's number, or an IBAN that contains it.
func (k *knownAccount) isNumber(number string) bool {
	number = squeeze(number)
	const significant = 8
	return k.number != "" && number != "" && (number == k.number ||
		len(k.number) >= significant && strings.HasSuffix(number, k.number) ||
		len(number) >= significant && strings.HasSuffix(k.number, number))
}

// isIn reports whether a text contains the account's number, or its last four characters after a
// mask or a word such as "ending in".
func (k *knownAccount) isIn(text *evidenceText) bool {
	if k.number != "" && text.hasNumber(k.number) {
		return true
	}
	return k.last != "" && text.hasEnd(k.last)
}
