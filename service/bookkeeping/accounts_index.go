package bookkeeping

import (
	"slices"
	"strings"

	"tarmac/service/bookrules"
)

// accountIndex finds the accounts that a number in a file may stand for.
type accountIndex struct {
	of     []numberOf       // by index in importing.accounts
	byKey  map[int64]int    // indexes in importing.accounts
	byEnd  map[string][]int // by the last characters of the number, without its mask
	byName map[string][]int // by name, folded
	exact  map[numberOf][]int
	short  []int // accounts with fewer characters
}

// numberOf is the number of an account without its mask (bookrules.UnmaskedNumber).
type numberOf struct {
	text   string
	masked bool
}

func newNumberOf(number string) numberOf {
	text, masked := bookrules.UnmaskedNumber(number)
	return numberOf{text, masked}
}

// withoutZeros returns a number without leading zeros, which spreadsheets drop.
func (n numberOf) withoutZeros() numberOf { return numberOf{withoutZeros(n.text), n.masked} }

func foldName(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// index returns the index of all accounts.
func (i *importing) index() *accountIndex {
	x := &i.indexed
	if x.byEnd == nil {
		*x = accountIndex{
			byKey: map[int64]int{}, byEnd: map[string][]int{}, byName: map[string][]int{}, exact: map[numberOf][]int{},
		}
	}
	for n := len(x.of); n < len(i.accounts); n++ {
		a := &i.accounts[n]
		x.of = append(x.of, numberOf{})
		x.byKey[a.Key] = n
		x.number(n, a.Number)
		x.byName[foldName(a.Name)] = append(x.byName[foldName(a.Name)], n)
	}
	return x
}

// number adds the number of an account to the index. Earlier numbers of it stay, so that what the
// index finds must be compared.
func (x *accountIndex) number(n int, number string) {
	of := newNumberOf(number)
	x.of[n] = of
	x.exact[of.withoutZeros()] = append(x.exact[of.withoutZeros()], n)
	if len(of.text) < lastCharacters {
		x.short = append(x.short, n)
		return
	}
	end := of.text[len(of.text)-lastCharacters:]
	x.byEnd[end] = append(x.byEnd[end], n)
}

// mostSimilar is the largest number of accounts with one end of their numbers that are compared
// with a number.
const mostSimilar = 1000

// candidates returns the indexes of the accounts that a number may stand for, in order. They are
// few.
func (x *accountIndex) candidates(number string) (found []int) {
	wanted := newNumberOf(number)
	found = slices.Concat(x.exact[wanted.withoutZeros()], x.byName[foldName(number)])
	similar := x.short
	if len(wanted.text) >= lastCharacters {
		similar = slices.Concat(x.byEnd[wanted.text[len(wanted.text)-lastCharacters:]], x.short)
	} else if wanted.masked {
		similar = slices.Clone(x.short)
		for n := range x.of {
			if strings.HasSuffix(x.of[n].text, wanted.text) {
				similar = append(similar, n)
			}
			if len(similar) == mostSimilar {
				break
			}
		}
	}
	found = append(found, similar[:min(len(similar), mostSimilar)]...)
	slices.Sort(found)
	return slices.Compact(found)
}
