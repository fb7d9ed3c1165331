package samplefiles

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tarmac/service/demodata"
	"tarmac/service/ledger"
)

// RulesFile is the name of the generated file with rules of own books.
const RulesFile = "rules.toml"

// writeRules writes rules that give costs the categories that they have in the ledger. Rules with
// names precede those with words that many names have, because the first match decides.
func (s *set) writeRules(h *demodata.History) {
	names, words := costMatches(h)
	s.add(RulesFile, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "# Categories of the costs of", s.name+". How rules are written: docs/import.md.")
		for _, matches := range []map[string][]string{names, words} {
			for _, category := range slices.Sorted(maps.Keys(matches)) {
				if err == nil {
					_, err = fmt.Fprintf(w, "\n[[rule]]\nmatch = '%s'\ndirection = \"out\"\ncategory = %q\n",
						strings.Join(matches[category], "|"), category)
				}
			}
		}
		return err
	})
}

// costMatches returns for each category of costs the expressions that find its lines: names, and
// the words with which names of merchants end.
func costMatches(h *demodata.History) (names, words map[string][]string) {
	names, words = map[string][]string{}, map[string][]string{}
	trades := demodata.Trades()
	found := map[string]string{} // text in lines → category
	for _, t := range h.Rows {
		text := strings.ToLower(name(t))
		if prefix := strings.ToLower(paid[t.Method].prefix); strings.HasPrefix(prefix, text) {
			text = prefix
		}
		switch {
		case t.Direction != ledger.Outflow, name(t) == "", t.Category == demodata.Uncategorized,
			t.Category == ledger.CategoryInternalTransfer:
		case t.Category == trades[text[strings.LastIndex(text, " ")+1:]]:
		default:
			found[text] = t.Category
		}
	}
	for _, text := range slices.Sorted(maps.Keys(found)) {
		list := names[found[text]]
		// The shorter of two spellings also finds the longer.
		if len(list) == 0 || !strings.HasPrefix(text, list[len(list)-1]) {
			names[found[text]] = append(list, regexp.QuoteMeta(text))
		}
	}
	for _, word := range slices.Sorted(maps.Keys(trades)) {
		words[trades[word]] = append(words[trades[word]], `\b`+word+`\b`)
	}
	return names, words
}
