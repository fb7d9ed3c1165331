package bookrules

import (
	"strings"

	"tarmac/service/ledger"
)

// fewestOfPayee is the number of lines from which on names that differ after a number are those of
// different payees.
const fewestOfPayee = 3

// payeeName is a name with its words.
type payeeName struct {
	name  string
	words []nameWord
	lines int // number of lines that have the name
}

// ShownNames returns the part of each name that is shown. lines holds the results of Name and the
// number of lines that have each of them.
//
// Names are those of one payee if they are equal up to the first word, other than the first one,
// that has a digit or is the name of a month (keyLength). What is shown of them is the longest
// beginning, in whole words, that all of them share. Names that differ after it are those of
// different payees if at least two of them have three lines each, as "Studio 54" and "Studio 9"
// may. Names differ only by words of letters and by numbers of up to three digits; other words are
// references.
//
// Of a name without letters, nothing is shown unless it has three lines: a number that stays the
// same is somebody's, and one that does not is a reference. ledger.UnknownCounterparty stands for
// what is not shown.
func ShownNames(lines map[string]int) map[string]string {
	shown := make(map[string]string, len(lines))
	byKey, firstWords := map[string][]payeeName{}, map[string]bool{}
	for name, n := range lines {
		if !hasLetters(name, 1) {
			continue
		}
		one := payeeName{name, namedWords(name), n}
		if length := keyLength(one.words); length < len(one.words) {
			byKey[keyOf(one.words[:length])] = append(byKey[keyOf(one.words[:length])], one)
			firstWords[one.words[0].folded] = true
		}
	}
	for name, n := range lines {
		shown[name] = name
		if !hasLetters(name, 1) {
			if n < fewestOfPayee {
				shown[name] = ledger.UnknownCounterparty
			}
			continue
		}
		if first, _ := wordFrom(name, 0); !firstWords[first.folded] {
			continue
		}
		one := payeeName{name, namedWords(name), n}
		if key := keyOf(one.words); keyLength(one.words) == len(one.words) && byKey[key] != nil {
			byKey[key] = append(byKey[key], one)
		}
	}
	for _, names := range byKey {
		showShared(shown, names, keyLength(names[0].words))
	}
	return shown
}

// keyLength returns the number of words that identify a payee: those before the first word, other
// than the first one, that has a digit or is the name of a month.
func keyLength(words []nameWord) int {
	for at := 1; at < len(words); at++ {
		if words[at].digits > 0 || words[at].month {
			return at
		}
	}
	return len(words)
}

func keyOf(words []nameWord) string {
	folded := make([]string, len(words))
	for n, w := range words {
		folded[n] = w.folded
	}
	return strings.Join(folded, " ")
}

// showShared sets what is shown of names that share at least the given number of words.
func showShared(shown map[string]string, names []payeeName, shared int) {
	next, ended := byNextWord(names, shared)
	for ; !ended && len(next) == 1; next, ended = byNextWord(names, shared) {
		shared++
	}
	for _, one := range names {
		shown[one.name] = trimName(one.name[:one.words[shared-1].end])
	}
	payees := make([][]payeeName, 0, len(next))
	for _, same := range next {
		if isPayee(same, shared) {
			payees = append(payees, same)
		}
	}
	if len(payees) < 2 {
		return
	}
	for _, same := range payees {
		showShared(shown, same, shared+1)
	}
}

// byNextWord groups names by the word at an index. ended is true if a name has no such word.
func byNextWord(names []payeeName, at int) (next map[string][]payeeName, ended bool) {
	next = map[string][]payeeName{}
	for _, one := range names {
		if len(one.words) == at {
			ended = true
			continue
		}
		word := one.words[at].folded
		next[word] = append(next[word], one)
	}
	return next, ended
}

// isPayee reports whether names that share the word at an index may be a payee of their own.
func isPayee(names []payeeName, at int) bool {
	const reference = 4 // digits
	lines := 0
	for _, one := range names {
		lines += one.lines
	}
	w := names[0].words[at]
	return lines >= fewestOfPayee && !w.month && (w.digits == 0 || w.digits < reference &&
		w.digits == len([]rune(w.folded)))
}
