package bookrules

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// AccountFacts holds what one statement says about its account. Fields that the statement does not
// state are "".
type AccountFacts struct {
	Number string // the account's number, or the name that the user gave at the import
	Bank   string
	Name   string
	Role   Role
	// OwnFeed is true for a reading of a connection whose transactions are of the service's own
	// feed.
	OwnFeed bool
}

// AccountChoice holds what the user decided about an account. Fields that the user did not decide
// are "".
type AccountChoice struct {
	Identity, Currency string // Account.Identity and Account.Currency
	Name               string
	Role               Role
}

// DescribeAccounts sets the number, bank, name, role, source and identity of accounts. facts holds
// what the statements of each account say, by Account.Key. Files of different formats may name one
// account in different ways; the result does not depend on their order.
func DescribeAccounts(accounts []Account, facts map[int64][]AccountFacts, choices []AccountChoice) {
	for n := range accounts {
		a := &accounts[n]
		if all := facts[a.Key]; len(all) > 0 {
			a.Number, a.Bank, a.Name, a.Role, a.OwnFeed = "", "", "", Operating, false
			for _, f := range all {
				a.Number = FullerNumber(a.Number, f.Number)
				a.Bank = maxText(a.Bank, f.Bank)
				a.Name = maxText(a.Name, f.Name)
				a.Role = stricterRole(a.Role, f.Role)
				a.OwnFeed = a.OwnFeed || f.OwnFeed
			}
		}
	}
	identify(accounts)
	for n := range accounts {
		a := &accounts[n]
		at := slices.IndexFunc(choices, func(c AccountChoice) bool {
			return c.Identity == a.Identity && c.Currency == a.Currency
		})
		if at >= 0 {
			a.Renamed = choices[at].Name != ""
			a.Name, a.Role = cmp.Or(choices[at].Name, a.Name), cmp.Or(choices[at].Role, a.Role)
		}
	}
}

// identify sets the identity of accounts: the last characters of the account number, which all
// files of an account have in common. If two accounts in one currency end in the same characters,
// the identity is the whole number.
func identify(accounts []Account) {
	type end struct{ text, currency string }
	count := map[end]int{}
	for _, a := range accounts {
		count[end{NumberEnd(a.Number), a.Currency}]++
	}
	for n := range accounts {
		a := &accounts[n]
		a.Identity = NumberEnd(a.Number)
		if count[end{a.Identity, a.Currency}] > 1 {
			a.Identity, _ = UnmaskedNumber(a.Number)
		}
	}
}

// NumberEnd returns the last characters of an account number. It returns the name of an account
// unchanged.
func NumberEnd(number string) string {
	text, _ := UnmaskedNumber(number)
	if !IsNumber(number) {
		return text
	}
	characters := []rune(text)
	return string(characters[max(0, len(characters)-lastCharacters):])
}

// IsNumber reports whether a text is an account number and not the name of an account.
func IsNumber(text string) bool {
	digits := 0
	for _, r := range text {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= lastCharacters && !strings.Contains(text, ":")
}

// FullerNumber returns the one of two texts that names an account better: a number before a name, a
// whole number before a masked one, then the longer one, such as an IBAN.
func FullerNumber(a, b string) string {
	textA, maskedA := UnmaskedNumber(a)
	textB, maskedB := UnmaskedNumber(b)
	less := cmp.Or(compareBool(IsNumber(a), IsNumber(b)), compareBool(!maskedA, !maskedB),
		cmp.Compare(len(textA), len(textB)), cmp.Compare(textA, textB), cmp.Compare(a, b))
	if less < 0 {
		return b
	}
	return a
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// maxText returns the text with more letters, because some files name a bank only by a code, which
// has fewer letters than the bank's name.
func maxText(a, b string) string {
	if less := cmp.Or(cmp.Compare(letters(a), letters(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b)); less < 0 {
		return b
	}
	return a
}

// stricterRole returns Card if one of the roles is Card, or else Savings if one is Savings, or else
// the first known role.
func stricterRole(a, b Role) Role {
	for _, role := range [...]Role{Card, Savings} {
		if a == role || b == role {
			return role
		}
	}
	return cmp.Or(a, b)
}

// UnmaskedNumber returns the letters and digits of an account number, in capitals. If the beginning
// of the number is masked with X, *, • or …, it returns only the letters and digits after the mask.
func UnmaskedNumber(number string) (text string, masked bool) {
	upper := strings.ToUpper(number)
	if at := strings.LastIndexAny(upper, "*•…"); at >= 0 || strings.HasPrefix(upper, "XX") {
		masked = true
		upper = strings.TrimLeft(upper[max(at, 0):], "*•…X")
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, upper), masked
}
