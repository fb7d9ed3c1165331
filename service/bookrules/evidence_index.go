package bookrules

import (
	"index/suffixarray"
	"iter"
	"maps"
	"slices"
	"strings"
)

// matches is a set of indexes of accounts.
type matches struct{ found map[int]bool }

// add adds an index. It returns false if there are so many that others make no difference
// (mostOthers).
func (m *matches) add(n int) bool {
	if m.found == nil {
		m.found = map[int]bool{}
	}
	m.found[n] = true
	return len(m.found) <= mostOthers+1
}

// addAll adds indexes as add does.
func (m *matches) addAll(indexes []int) bool {
	for _, n := range indexes {
		if !m.add(n) {
			return false
		}
	}
	return true
}

func (m *matches) inOrder() []int {
	if len(m.found) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(m.found))
}

// The numbers of characters at the end of an account number by which it is found.
const (
	shortestNumber = 6
	longNumberEnd  = 8
	// unmistakable is the number of characters from which on a number may be written in groups, or
	// without its beginning.
	unmistakable = 10
)

// accountIndex finds accounts by what texts say about them, without looking at each account.
type accountIndex struct {
	numbers      []string         // knownAccount.number
	byLast       map[string][]int // by knownAccount.last
	byLongEnd    map[string][]int // by the last longNumberEnd characters of the number
	byShortEnd   map[string][]int // by the last shortestNumber characters of the number
	ends         endFilter        // last characters of all accounts
	names, banks phraseIndex
	ofRole       map[Role][]int
	notCards     matches
}

func newAccountIndex() accountIndex {
	return accountIndex{
		byLast: map[string][]int{}, byLongEnd: map[string][]int{}, byShortEnd: map[string][]int{},
		names: newPhraseIndex(), banks: newPhraseIndex(), ofRole: map[Role][]int{},
	}
}

func (x *accountIndex) add(n int, k *knownAccount) {
	x.numbers = append(x.numbers, k.number)
	if k.last != "" {
		x.byLast[k.last] = append(x.byLast[k.last], n)
		x.ends.add(k.last)
	}
	if k.number != "" {
		end := k.number[len(k.number)-shortestNumber:]
		x.byShortEnd[end] = append(x.byShortEnd[end], n)
		if len(k.number) >= longNumberEnd {
			end = k.number[len(k.number)-longNumberEnd:]
			x.byLongEnd[end] = append(x.byLongEnd[end], n)
		}
	}
	if k.name != "" {
		x.names.add(k.name, n)
	}
	for _, b := range k.banks {
		x.banks.add(b.words, n)
	}
	x.ofRole[k.Role] = append(x.ofRole[k.Role], n)
	if k.Role != Card && len(x.notCards.found) <= mostOthers+1 {
		x.notCards.add(n)
	}
}

// first returns the first accounts with an end of their numbers. Books with more accounts of an end
// than evidence can name do not have them all found.
func first(accounts []int) []int { return accounts[:min(len(accounts), 2*mostOthers)] }

// withNumber returns the accounts with a squeezed number, or whose number is a part of an IBAN.
func (x *accountIndex) withNumber(number string) iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(number) < shortestNumber {
			return
		}
		same := x.byShortEnd[number[len(number)-shortestNumber:]]
		if len(number) >= longNumberEnd {
			same = x.byLongEnd[number[len(number)-longNumberEnd:]]
		}
		for _, n := range first(same) {
			own := x.numbers[n]
			if (number == own || len(own) >= longNumberEnd && strings.HasSuffix(number, own) ||
				len(number) >= longNumberEnd && strings.HasSuffix(own, number)) && !yield(n) {
				return
			}
		}
	}
}

// inText returns the accounts whose number is in a text, or its last four characters after a mask
// or a word such as "ending in". It may return an account again.
func (x *accountIndex) inText(t *evidenceText) iter.Seq[int] {
	return func(yield func(int) bool) {
		for end := range x.ends.in(t.upper) {
			if accounts := x.byLast[t.upper[end-lastCharacters:end]]; accounts != nil && t.isEnd(end) {
				for _, n := range first(accounts) {
					if !yield(n) {
						return
					}
				}
			}
			if end < shortestNumber {
				continue
			}
			for _, n := range first(x.byShortEnd[t.upper[end-shortestNumber:end]]) {
				if x.isShort(n, t.upper, end) && !yield(n) {
					return
				}
			}
		}
		x.long(t, yield)
	}
}

// isShort reports whether a text has the number of an account, which is not unmistakable, up to the
// index end.
func (x *accountIndex) isShort(n int, text string, end int) bool {
	number := x.numbers[n]
	return len(number) < unmistakable && strings.HasSuffix(text[:end], number) &&
		!endsInDigit(text[:end-len(number)]) && !beginsWithDigit(text[end:])
}

// long yields the accounts whose unmistakable number is in a text.
func (x *accountIndex) long(t *evidenceText, yield func(int) bool) {
	if len(x.byLongEnd) == 0 {
		return
	}
	squeezed := squeeze(t.upper)
	for end := range x.ends.in(squeezed) {
		if end < longNumberEnd {
			continue
		}
		for _, n := range first(x.byLongEnd[squeezed[end-longNumberEnd:end]]) {
			if number := x.numbers[n]; len(number) >= unmistakable && strings.HasSuffix(squeezed[:end], number) && !yield(n) {
				return
			}
		}
	}
	for _, digits := range longNumbers(t.upper) {
		for _, n := range first(x.byLongEnd[digits[len(digits)-longNumberEnd:]]) {
			if number := x.numbers[n]; len(number) >= unmistakable && strings.HasSuffix(number, digits) && !yield(n) {
				return
			}
		}
	}
}

// withoutOwnEnd returns the accounts that a number means, other than the account a. If a text has
// the last characters of a's own number, it doesn't mean another account with the same ones.
func (f *EvidenceFinder) withoutOwnEnd(a Account, found matches) []*knownAccount {
	others := f.others(a, found)
	for n := range found.found {
		if own := &f.accounts[n]; own.Key == a.Key && own.last != "" {
			return slices.DeleteFunc(others, func(k *knownAccount) bool { return k.sharesEnd(own) })
		}
	}
	return others
}

// sharesEnd reports whether the numbers of two accounts differ, but not in their last characters.
func (k *knownAccount) sharesEnd(own *knownAccount) bool {
	return k.last == own.last && (k.number == "" || k.number != own.number)
}

// endFilter is a set of the last four characters of account numbers (a Bloom filter with one hash
// function).
type endFilter [256]uint64

func hashEnd(a, b, c, d byte) (word, bit uint32) {
	const odd = 0x9e3779b1 // 2^32 divided by the golden ratio
	h := (uint32(a) | uint32(b)<<8 | uint32(c)<<16 | uint32(d)<<24) * odd >> 18
	return h / 64, h % 64
}

func (f *endFilter) add(end string) {
	word, bit := hashEnd(end[0], end[1], end[2], end[3])
	f[word] |= 1 << bit
}

// in returns the indexes in a text after what may be one of the ends.
func (f *endFilter) in(text string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for end := lastCharacters; end <= len(text); end++ {
			word, bit := hashEnd(text[end-4], text[end-3], text[end-2], text[end-1])
			if f[word]&(1<<bit) != 0 && !yield(end) {
				return
			}
		}
	}
}

// phraseIndex finds phrases of whole words in texts.
type phraseIndex struct {
	lengths  map[string][]int // numbers of words of the phrases that begin with a word
	accounts map[string][]int // by phrase
}

// mostPhraseWords is the largest number of words of a phrase. No name of a bank or an account has
// more.
const mostPhraseWords = 16

func newPhraseIndex() phraseIndex {
	return phraseIndex{lengths: map[string][]int{}, accounts: map[string][]int{}}
}

func (x *phraseIndex) add(phrase string, account int) {
	first, _, _ := strings.Cut(phrase, " ")
	n := strings.Count(phrase, " ") + 1
	if n > mostPhraseWords {
		return
	}
	if !slices.Contains(x.lengths[first], n) {
		x.lengths[first] = append(x.lengths[first], n)
	}
	x.accounts[phrase] = append(x.accounts[phrase], account)
}

// in calls visit for each occurrence of a phrase in a result of the function words, until visit
// returns false.
func (x *phraseIndex) in(text string, visit func(phrase string, accounts []int) bool) {
	for text != "" {
		first, rest, _ := strings.Cut(text, " ")
		for _, n := range x.lengths[first] {
			phrase, whole := beginning(text, n)
			if accounts := x.accounts[phrase]; whole && accounts != nil && !visit(phrase, accounts) {
				return
			}
		}
		text = rest
	}
}

// beginning returns the first n words of a text. It returns false if the text has fewer.
func beginning(text string, n int) (words string, whole bool) {
	at := 0
	for ; n > 0; n-- {
		next := strings.IndexByte(text[at:], ' ')
		if next < 0 {
			return text, n == 1
		}
		at += next + 1
	}
	return text[:at-1], true
}

// accountNames holds the words of the names of all accounts.
type accountNames struct {
	words []string
	all   *suffixarray.Index
}

func newAccountNames(accounts []Account) (names accountNames) {
	var all strings.Builder
	for _, a := range accounts {
		names.words = append(names.words, words(a.Name))
		all.WriteString(words(a.Name) + "\x00")
	}
	names.all = suffixarray.New([]byte(all.String()))
	return names
}

// isShared reports whether a name of an account is a part of the name of another one.
func (n *accountNames) isShared(name string) bool { return len(n.all.Lookup([]byte(name), 2)) > 1 }
