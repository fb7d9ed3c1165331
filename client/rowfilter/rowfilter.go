// Package rowfilter searches rows of transactions for what the API cannot: the size of an amount,
// an account and a category.
package rowfilter

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/figures"
	"tarmac/internal/fold"
	"tarmac/internal/money"
)

// categoryPrefix begins a filter word that names a category.
const categoryPrefix = "cat:"

// NoCategory is the name with which a filter finds rows without a category.
const NoCategory = "none"

// Filter is what a user has typed about the size of the amount in the currency of the totals, the
// account and the category.
type Filter struct {
	least, most int64 // minor units, both included
	account     string
	byCategory  bool
	category    string // part of the category; "" means rows that have none
	text        string // as it was typed; "" restricts nothing
}

// Empty reports whether all rows match.
func (f Filter) Empty() bool { return f.text == "" }

// String returns the words of the filter as they were typed.
func (f Filter) String() string { return f.text }

// ByCategory reports whether the filter names a category.
func (f Filter) ByCategory() bool { return f.byCategory }

// A word begins as that of an account or a category and names none.
var (
	errAccount  = errors.New("name the account, for example acct:4821")
	errCategory = errors.New("name the category, for example cat:travel, or cat:none for rows without one")
)

// Parse divides a typed filter into the text that the server searches and the words that only
// rows in memory can be searched for: >5k, <200, 1k..2k, =1240, acct:4821 and cat:travel. Amounts
// are in the given currency.
func Parse(typed, currency string) (keyword string, f Filter, err error) {
	f.most = math.MaxInt64
	var words, own []string
	for _, word := range wordsOf(typed) {
		is, err := f.add(word, currency)
		if err != nil {
			return "", Filter{}, err
		}
		if is {
			own = append(own, word)
		} else {
			words = append(words, word)
		}
	}
	f.text = strings.Join(own, " ")
	if f.Empty() {
		return strings.TrimSpace(typed), Filter{}, nil
	}
	return strings.Join(words, " "), f, nil
}

// wordsOf divides a typed filter at its spaces. A category in quotes is one word.
func wordsOf(typed string) (words []string) {
	for rest := strings.TrimSpace(typed); rest != ""; rest = strings.TrimSpace(rest) {
		word, _, _ := strings.Cut(rest, " ")
		if begin := categoryPrefix + `"`; strings.HasPrefix(strings.ToLower(rest), begin) {
			word = rest
			if end := strings.Index(rest[len(begin):], `"`); end >= 0 {
				word = rest[:len(begin)+end+1]
			}
		}
		words = append(words, word)
		rest = rest[len(word):]
	}
	return words
}

// add restricts the filter by a word. It returns false if the word is text for the server.
func (f *Filter) add(word, currency string) (is bool, err error) {
	if account, ok := strings.CutPrefix(strings.ToLower(word), "acct:"); ok {
		f.account = fold.String(account)
		if f.account == "" {
			return false, errAccount
		}
		return true, nil
	}
	if category, ok := strings.CutPrefix(strings.ToLower(word), categoryPrefix); ok {
		f.byCategory, f.category = true, fold.String(strings.Trim(category, `"`))
		switch f.category {
		case "":
			return false, errCategory
		case NoCategory:
			f.category = ""
		}
		return true, nil
	}
	if from, to, ok := strings.Cut(word, ".."); ok {
		least, errFrom := money.Parse(from, currency)
		most, errTo := money.Parse(to, currency)
		if errFrom != nil || errTo != nil {
			return false, nil // a period or a text
		}
		f.restrict(min(least, most), max(least, most))
		return true, nil
	}
	sign := strings.IndexAny(word, "<>=")
	if sign != 0 || len(word) == 1 {
		return false, nil
	}
	orEqual := strings.HasPrefix(word[1:], "=")
	minor, err := money.Parse(strings.TrimPrefix(word[1:], "="), currency)
	switch {
	case err != nil:
		return false, err
	case word[0] == '=':
		f.restrict(minor, minor)
	case word[0] == '>' && orEqual:
		f.restrict(minor, math.MaxInt64)
	case word[0] == '>':
		f.restrict(minor+1, math.MaxInt64)
	case orEqual:
		f.restrict(0, minor)
	default:
		f.restrict(0, minor-1)
	}
	return true, nil
}

func (f *Filter) restrict(least, most int64) {
	f.least, f.most = max(f.least, least), min(f.most, most)
}

// Matches reports whether a row is of the size, of the account and of the category. A row whose
// account is not known is searched by its source. A row without an amount in the currency of the
// totals has no size.
func (f Filter) Matches(t *apiclient.Transaction, category string) bool {
	if f.byCategory && (t.Unreadable != nil || !f.isCategory(category)) {
		return false
	}
	if f.account != "" && !strings.Contains(fold.String(cmp.Or(t.Account, t.SourceLabel)), f.account) {
		return false
	}
	if f.least == 0 && f.most == math.MaxInt64 {
		return t.Unreadable == nil
	}
	size, known := figures.Size(t.Reporting)
	return known && size >= uint64(f.least) && f.most >= 0 && size <= uint64(f.most)
}

func (f Filter) isCategory(name string) bool {
	return (name == "") == (f.category == "") && strings.Contains(fold.String(name), f.category)
}

// CompleteCategory completes the category at the end of a typed filter to one of those that known
// returns.
func CompleteCategory(typed string, known func() []string) (text, word string, ok bool) {
	words := wordsOf(typed)
	if len(words) == 0 {
		return "", "", false
	}
	last := words[len(words)-1]
	before, atEnd := strings.CutSuffix(typed, last)
	begun, named := strings.CutPrefix(strings.ToLower(last), categoryPrefix)
	if !atEnd || !named {
		return "", "", false
	}
	name, ok := annotations.Complete(known(), strings.TrimPrefix(begun, `"`))
	if strings.Contains(name, " ") {
		name = `"` + name + `"`
	}
	word = categoryPrefix + name
	return before + word, word, ok
}
