package bookexport

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"strings"
	"unicode"
	"unicode/utf8"

	"tarmac/service/bookrules"
)

// Root is the first part of an account's name in a journal, which says what the account holds.
type Root string

// The roots of accounts.
const (
	Assets      Root = "assets"
	Liabilities Root = "liabilities"
	Equity      Root = "equity"
	Income      Root = "income"
	Expenses    Root = "expenses"
)

// Name is the name of an account in a journal: its root and the parts below. Parts may be any text;
// each format writes them in its own way.
type Name struct {
	Root  Root
	Parts [2]string // the second is "" if there is only one
}

// Names of accounts that are not the organization's.
var (
	OpeningBalances = Name{Equity, [2]string{"opening balances"}}
	// InTransit has the money that left one own account and has not arrived on another yet.
	InTransit = Name{Assets, [2]string{"in transit"}}
	// OtherSides has transfers whose other side is in no statement.
	OtherSides = Name{Equity, [2]string{"transfers", "other side missing"}}
	// Excluded has the other sides of lines of excluded accounts.
	Excluded = Name{Equity, [2]string{"excluded accounts"}}
	// Unexplained has amounts by which lines and balances of statements contradict each other.
	Unexplained = Name{Equity, [2]string{"unexplained differences"}}
	// WithoutStatement has the amounts by which balances changed on days that no statement covers.
	WithoutStatement = Name{Equity, [2]string{"days without statements"}}
	// Exchange has the amounts that were lost in exchanges between own accounts.
	Exchange  = Name{Expenses, [2]string{"currency exchange"}}
	Investors = Name{Equity, [2]string{"financing"}}
)

// uncategorized stands for a missing category, and unnamed for a name without any letter.
const uncategorized, unnamed = "uncategorized", "unnamed"

// Category returns the account of a category of income or expenses.
func Category(root Root, category string) Name {
	if category == "" {
		category = uncategorized
	}
	return Name{root, [2]string{category}}
}

// OwnNames returns a name for each of an organization's accounts, made from its bank and the last
// characters of its number. Different accounts have different names in every format.
func OwnNames(accounts []bookrules.Account) []Name {
	names := make([]Name, len(accounts))
	taken := map[string]bool{}
	for n, a := range accounts {
		label := cmp.Or(a.Label(), unnamed)
		name := Name{Assets, [2]string{"bank", label}}
		if a.Role == bookrules.Card {
			name = Name{Liabilities, [2]string{"card", label}}
		}
		for count := 1; taken[beancountName(name)]; count++ {
			name.Parts[1] = label + " " + a.Currency
			if count > 1 {
				name.Parts[1] += fmt.Sprintf(" %d", count)
			}
		}
		taken[beancountName(name)] = true
		names[n] = name
	}
	return names
}

// hledgerName returns the name as hledger and ledger write it. Parts have single spaces only,
// because two spaces end a name.
func hledgerName(n Name) string {
	text := string(n.Root)
	for _, part := range n.Parts {
		if part != "" {
			text += ":" + words(part, ' ', func(r rune) bool { return unicode.IsMark(r) || strings.ContainsRune("-&._", r) })
		}
	}
	return text
}

// beancountName returns the name as beancount writes it: parts of letters, digits and hyphens that
// begin with a capital or a digit. Beancount does not know the letters of all scripts. Parts with
// others end with a checksum, so that different names stay different.
func beancountName(n Name) string {
	text := capitalized(string(n.Root))
	for _, part := range n.Parts {
		if part == "" {
			continue
		}
		known := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) && !isBeancountLetter(r) || unicode.IsDigit(r) && r > unicode.MaxASCII {
				return ' '
			}
			return r
		}, part)
		name := words(known, '-', func(rune) bool { return false })
		if known != part {
			name += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(part)))
		}
		text += ":" + capitalized(name)
	}
	return text
}

// isBeancountLetter reports whether all versions of beancount know a letter: of Latin, Greek and
// Cyrillic script.
func isBeancountLetter(r rune) bool {
	return r <= 0x024f || 0x0386 <= r && r <= 0x03ce || 0x0400 <= r && r <= 0x04ff
}

// words returns the words of a text: sequences of letters, digits and runes that isWord accepts.
// The words are joined by the rune gap.
func words(text string, gap rune, isWord func(rune) bool) string {
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !isWord(r)
	})
	return cmp.Or(strings.Join(fields, string(gap)), unnamed)
}

// capitalized returns a word that begins with a capital or a digit. Letters without a capital get
// an X before them.
func capitalized(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	upper := unicode.ToUpper(first)
	if unicode.IsUpper(upper) && isBeancountLetter(upper) || unicode.IsDigit(first) {
		return string(upper) + word[size:]
	}
	return "X" + word
}
