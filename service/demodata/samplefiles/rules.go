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
		var text strings.Builder
		fmt.Fprintln(&text, "# Categories of the costs of", s.name+". How rules are written: docs/import.md.")
		for _, matches := range []map[string][]string{names, words} {
			for _, category := range slices.Sorted(maps.Keys(matches)) {
				fmt.Fprintf(&text, "\n[[rule]]\nmatch = '%s'\ndirection = \"out\"\ncategory = %q\n",
					strings.Join(matches[category], "|"), category)
			}
		}
		_, err := io.WriteString(w, text.String())
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
		if t.Direction != ledger.Outflow || name(t) == "" || t.Category == demodata.Uncategorized ||
			t.Category == ledger.CategoryInternalTransfer {
			continue
		}
		text := strings.ToLower(name(t))
		// Fees and payouts of the payment processor have its name alike; the first words of their
		// lines differ, and begin with it.
		if prefix := strings.ToLower(paid[t.Method].prefix); strings.HasPrefix(prefix, text) {
			text = prefix
		}
		if t.Category != trades[text[strings.LastIndex(text, " ")+1:]] {
			found[text] = t.Category
		}
	}
	newest := map[string]string{} // category → text that was added to its names last
	for _, text := range slices.Sorted(maps.Keys(found)) {
		category := found[text]
		// The shorter of two spellings also finds the longer.
		if last := newest[category]; last == "" || !strings.HasPrefix(text, last) {
			names[category] = append(names[category], regexp.QuoteMeta(text))
			newest[category] = text
		}
	}
	for _, word := range slices.Sorted(maps.Keys(trades)) {
		words[trades[word]] = append(words[trades[word]], `\b`+word+`\b`)
	}
	return names, words
}
