package table

import (
	"slices"
	"strings"
)

// maxTextColumns is the largest number of columns of texts that are compared with each other.
const maxTextColumns = 12

// putKindsLast moves columns that name the kinds of payments behind the others, the first of which
// has the name of the other party.
func (c chooser) putKindsLast(texts []int) {
	if len(texts) > maxTextColumns {
		return
	}
	isKind := func(column int) bool {
		return slices.ContainsFunc(texts, func(other int) bool {
			return other != column && c.columns[column].namesKindsOf(&c.columns[other])
		})
	}
	kinds := map[int]bool{}
	for _, column := range texts {
		kinds[column] = isKind(column)
	}
	slices.SortStableFunc(texts, func(a, b int) int { return boolean(kinds[a]) - boolean(kinds[b]) })
}

// mostKinds is the largest number of kinds of payments, and leastLines the least number of lines
// that show without words of methods that a column has them.
const (
	mostKinds  = 24
	leastLines = 40
)

// namesKindsOf reports whether the cells of c name kinds of payments and those of names the other
// parties: few different ones are repeated beside many, and a name has nearly always the same kind.
// If most cells of c have no word of a method of payment, the names must be repeated too, because
// else they may be texts about payments beside the names of a few parties.
func (c *column) namesKindsOf(names *column) bool {
	kinds, parties, pairs := map[string]bool{}, map[string]bool{}, map[[2]string]bool{}
	named, methods := 0, 0
	for i, cell := range c.cells {
		kind, party := fold(cell), partyKey(names.cells[i])
		if kind == "" {
			continue
		}
		kinds[kind] = true
		methods += boolean(hasMethod(kind))
		if party != "" {
			named++
			parties[party] = true
			pairs[[2]string{kind, party}] = true
		}
	}
	few, many := len(kinds), len(parties)
	if few > mostKinds || 2*few > c.filled || many < 2*few || 2*len(pairs) > 3*many {
		return false
	}
	if 2*named < c.filled || 5*named < 4*names.filled {
		return false
	}
	return 2*methods >= c.filled || c.filled >= leastLines && 4*few <= c.filled && many >= 3*few && 2*many <= named
}

// partyKey returns the words of a text up to the first one with a digit, by which the names in it
// are compared. It returns "" for a text that begins with a number.
func partyKey(text string) string {
	words := strings.Fields(fold(text))
	end := slices.IndexFunc(words, func(word string) bool { return strings.ContainsAny(word, "0123456789") })
	if end < 0 {
		end = len(words)
	}
	return strings.Join(words[:end], " ")
}

func hasMethod(folded string) bool {
	for word := range strings.FieldsSeq(folded) {
		if methodWords[word] {
			return true
		}
	}
	return false
}
