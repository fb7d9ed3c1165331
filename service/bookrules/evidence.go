package bookrules

import (
	"slices"
	"strings"
	"sync"
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
	NoEvidence Strength = iota
	NoTransfer          // a rule says that the line isn't a transfer, or the other account is excluded
	// PossibleOwner is a party whose name may be the company's own: a single word, a person's
	// name, or a name without its legal form. It never makes a pair without the user's answer.
	PossibleOwner
	PossibleBank // a word that is the name of another account or of its bank, or means something else
	NamedBank    // the name of another account's bank
	NamedOwner   // the company's own name as the other party
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
	NoOrigin       EvidenceOrigin = iota
	FromRule                      // the user's rule
	FromNumber                    // the number of the other account, or its last characters
	FromCode                      // the bank's code for transfers
	FromText                      // the name or bank of the other account, or a word such as "autopay"
	FromID                        // the provider's id of the movement, which both lines have
	FromConversion                // a text about an exchange, or about another balance at the same provider
	FromOwner                     // the company's own name
	FromAnswer                    // the user's answer about such lines
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
	index    accountIndex
	owners   owners
	calls    struct {
		sync.Mutex
		found map[string]matches // results of called
	}
}

// knownAccount holds the texts, in capitals, by which an account is recognized in lines.
type knownAccount struct {
	Account
	number string // account number; "" if it is masked or too short
	last   string // last four characters of the account number
	name   string // account name of several words; "" if it is part of another name or that of a company
	banks  []bankName
}

// NewEvidenceFinder returns a finder that recognizes transfers between the given accounts. ownNames
// are names of the company whose accounts they are.
func NewEvidenceFinder(accounts []Account, ownNames ...string) *EvidenceFinder {
	f := &EvidenceFinder{
		banks: map[int64][]bankName{}, index: newAccountIndex(), owners: newOwners(accounts, ownNames),
	}
	f.calls.found = map[string]matches{}
	names := newAccountNames(accounts)
	for n, a := range accounts {
		number, name := squeeze(a.Number), names.words[n]
		f.banks[a.Key] = banksOf(a)
		k := knownAccount{Account: a, banks: slices.Clip(f.banks[a.Key])}
		if len(number) > lastCharacters {
			k.last = number[len(number)-lastCharacters:]
		}
		if len(number) >= shortestNumber && strings.IndexFunc(number, unicode.IsDigit) >= 0 &&
			!strings.ContainsAny(number, "*…•") && strings.TrimLeft(number, "X") == number {
			k.number = number
		}
		switch {
		case letters(name) < 4 || names.isShared(name) || !a.Renamed && customerName(a.Name) != name:
		case strings.Contains(name, " "):
			k.name = name
		default: // a word such as "Reserve" or "Payroll" may have another meaning in a line
			k.banks = append(k.banks, bankName{words: name})
		}
		f.accounts = append(f.accounts, k)
		f.index.add(n, &k)
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
		"BETALING", "PAGO", "PAGAMENTO",
	}
	// thankWords are in the texts with which cards confirm that their bill is paid.
	thankWords = []string{"THANK YOU", "MERCI", "DANKE", "BEDANKT", "GRACIAS", "GRAZIE", "TACK", "DZIĘKUJEMY"}
	cardWords  = []string{"CREDIT CARD", "CREDIT CRD", "CARD AUTOPAY", "CRD AUTOPAY", "CARDMEMBER", "KREDITKARTE"}
	endHints   = []string{
		"IN", "ENDING", "ACCT", "ACCOUNT", "AC", "CARD", "CHK", "CHECKING", "SAV", "SAVINGS", "NO", "KONTO", "COMPTE", "X",
	}
)

// Find returns the evidence that a line of the account a is one side of a transfer. It uses the
// first of these that applies: the user's rule; the number of another account of the
// organization, or its last four characters after a mask or a word such as "ending in"; the
// bank's code for transfers; an exchange or a transfer between balances at one provider; the name
// of another account together with a word such as "transfer"; words with which banks describe the
// payment of a card; the bank of another account together with a word such as "transfer", "ACH"
// or "payment"; and the company's own name as the other party.
func (f *EvidenceFinder) Find(a Account, l bank.Line, o Outcome) Evidence {
	if a.Role == Excluded {
		return Evidence{Strength: NoTransfer}
	}
	if o.Transfer.Set {
		return f.byRule(a, o.Transfer).from(FromRule)
	}
	text := evidenceText{upper: strings.ToUpper(l.Counterparty + "\n" + l.Description + "\n" + l.Reference)}
	if numbered := f.withoutOwnEnd(a, f.numbered(l.OtherAccount, &text)); len(numbered) > 0 {
		return f.strong(numbered).from(FromNumber)
	}
	if l.Transfer {
		return Evidence{Strength: StrongEvidence, Origin: FromCode}
	}
	if e := f.byPocket(a, &l); e.Strength != NoEvidence {
		return e
	}
	text.words = words(text.upper)
	e := f.byWords(a, &l, &text).from(FromText)
	switch own := f.owners.party(&l, &text); {
	case e.Strength >= WeakEvidence || own == NoEvidence:
		return e
	case e.recognized() && own == NamedOwner: // the company's name and the bank's
		return Evidence{Strength: WeakEvidence, Others: e.Others, Origin: FromOwner}
	case e.recognized():
		return e
	default:
		return Evidence{Strength: own, Origin: FromOwner}
	}
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
	return f.strong(f.others(a, f.called(rule.Account)))
}

// called returns the indexes of the accounts that a rule calls by a text.
func (f *EvidenceFinder) called(text string) matches {
	f.calls.Lock()
	defer f.calls.Unlock()
	found, known := f.calls.found[text]
	if known {
		return found
	}
	for n := range f.accounts {
		if f.accounts[n].isCalled(text) && !found.add(n) {
			break
		}
	}
	f.calls.found[text] = found
	return found
}

// numbered returns the indexes of the accounts whose number is that of the other account or in the
// text of a line.
func (f *EvidenceFinder) numbered(other string, text *evidenceText) (found matches) {
	for n := range f.index.withNumber(squeeze(other)) {
		if !found.add(n) {
			return found
		}
	}
	for n := range f.index.inText(text) {
		if !found.add(n) {
			break
		}
	}
	return found
}

// others returns the accounts with the given indexes that are not the account a.
func (f *EvidenceFinder) others(a Account, found matches) []*knownAccount {
	var others []*knownAccount
	for _, n := range found.inOrder() {
		if k := &f.accounts[n]; k.Key != a.Key {
			others = append(others, k)
		}
	}
	return others
}

// strong returns strong evidence of a transfer with one of the named accounts. If they are all
// excluded, it returns NoTransfer, because a payment to an excluded account counts as money out.
func (f *EvidenceFinder) strong(named []*knownAccount) Evidence {
	keys := keysOf(named)
	if keys != nil && len(keys) == 0 && len(named) > 0 {
		return Evidence{Strength: NoTransfer}
	}
	return Evidence{Strength: StrongEvidence, Others: keys}
}

// mostOthers is the largest number of accounts that evidence names. Evidence that fits more
// accounts names none, so that any account is possible: a company has fewer, and a file may have as
// many as lines.
const mostOthers = 100

// keysOf returns the keys of those accounts that are not excluded. The result is nil if they are
// more than mostOthers, and otherwise not nil.
func keysOf(accounts []*knownAccount) []int64 {
	if len(accounts) > mostOthers {
		return nil
	}
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
	if l.Minor > 0 && payment {
		switch others := keysOf(f.others(a, f.index.notCards)); {
		case a.Role == Card:
			return Evidence{Strength: StrongEvidence, Others: others}
		case text.hasAny(thankWords): // a card whose file doesn't say that it's one
			return Evidence{Strength: WeakEvidence, Others: others}
		}
	}
	if transfer {
		var found matches
		f.index.names.in(text.words, func(_ string, accounts []int) bool { return found.addAll(accounts) })
		if named := f.others(a, found); len(named) > 0 {
			return f.strong(named)
		}
	}
	banks := f.banksIn(text)
	if weak := f.others(a, f.weak(l, text, banks, transfer, payment)); len(weak) > 0 {
		return Evidence{Strength: WeakEvidence, Others: keysOf(weak)}
	}
	return f.byBank(a, l, text, banks)
}

// weak returns the indexes of the accounts that the words of a line may mean: a card whose bill is
// paid, savings, or a checking account.
func (f *EvidenceFinder) weak(
	l *bank.Line, text *evidenceText, banks []namedBank, transfer, payment bool,
) (found matches) {
	if payment && l.Minor < 0 {
		if text.hasAny(cardWords) {
			found.addAll(f.index.ofRole[Card])
		}
		for _, name := range banks {
			for _, n := range name.accounts {
				if k := &f.accounts[n]; k.Role == Card && k.hasBank(name, text) && !found.add(n) {
					break
				}
			}
		}
	}
	if transfer && text.has("SAVINGS") {
		found.addAll(f.index.ofRole[Savings])
	}
	if transfer && text.has("CHECKING") {
		found.addAll(f.index.ofRole[Operating])
	}
	return found
}

// namedBank is a name of a bank in the text of a line.
type namedBank struct {
	words    string
	accounts []int // indexes of the accounts whose bank has the name
}

// banksIn returns the names of banks in a text. It returns none if there are more than a line can
// name.
func (f *EvidenceFinder) banksIn(text *evidenceText) (banks []namedBank) {
	f.index.banks.in(text.words, func(words string, accounts []int) bool {
		if !slices.ContainsFunc(banks, func(b namedBank) bool { return b.words == words }) {
			banks = append(banks, namedBank{words, accounts})
		}
		return len(banks) <= mostOthers
	})
	if len(banks) > mostOthers {
		return nil
	}
	return banks
}

// byBank returns the evidence in the name of another account's bank, beside a word that says that
// money moves between banks or as the counterparty. The bank of the account itself is no evidence,
// because it is in many lines.
func (f *EvidenceFinder) byBank(a Account, l *bank.Line, text *evidenceText, banks []namedBank) Evidence {
	if len(banks) == 0 {
		return Evidence{}
	}
	counterparty, strength := evidenceText{upper: strings.ToUpper(l.Counterparty)}, PossibleBank
	moves := text.hasAny(movementWords)
	var found matches
	sure := map[int]bool{}
	for _, name := range banks {
		if !counterparty.namesBank(name.words) && !(moves && text.namesBank(name.words)) {
			continue
		}
		for _, n := range name.accounts {
			others := f.accounts[n].banks
			at := slices.IndexFunc(others, func(b bankName) bool {
				return b.words == name.words && !slices.Contains(f.banks[a.Key], b)
			})
			if at < 0 {
				continue
			}
			if sure[n] = sure[n] || others[at].sure; !found.add(n) {
				break
			}
		}
	}
	named := f.others(a, found)
	if len(named) == 0 {
		return Evidence{}
	}
	keys := keysOf(named)
	if keys != nil && len(keys) == 0 {
		return Evidence{}
	}
	if slices.ContainsFunc(found.inOrder(), func(n int) bool { return sure[n] && f.accounts[n].Key != a.Key }) {
		strength = NamedBank
	}
	return Evidence{Strength: strength, Others: keys}
}

// hasBank reports whether a text has the name of the account's bank, as whole words. The text
// contains the name.
func (k *knownAccount) hasBank(name namedBank, text *evidenceText) bool {
	return slices.ContainsFunc(k.banks, func(b bankName) bool {
		return b.words == name.words && (b.sure || text.namesBank(b.words))
	})
}
