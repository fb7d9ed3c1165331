package bookkeeping_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
)

// drawRules draws a rules file about the lines of drawSuspicious. Several rules match one line, and
// then the order of the rules counts.
func drawRules(t *rapid.T) string {
	rules := rapid.Permutation([]string{
		rentRule,
		"[[rule]]\nmatch = \"^wire\"\ncategory = \"travel\"\nmemo = \"Trip\"\n",
		"[[rule]]\nmatch = \"wire|deposit\"\namount = \"3000.00\"\ncounterparty = \"Fund\"\ncategory = \"financing\"\n",
		"[[rule]]\nmatch = \"deposit\"\ndirection = \"out\"\ntransfer = true\n",
		"[[rule]]\nmatch = \"jo\"\naccount = \"4321\"\ncounterparty = \"Jo Doe\"\n",
		"[[rule]]\nmatch = \"transfer\"\ntransfer = false\n",
		"[[rule]]\nmatch = \"jo|wire\"\ntransfer = \"0333\"\n",
	}).Draw(t, "rules")
	return strings.Join(rules[:rapid.IntRange(1, len(rules)).Draw(t, "number of rules")], "")
}

// Rules make the same books whether they are set before, between or after the imports, also if
// other rules held until then and an import is undone and repeated.
func TestRulesCommuteWithImports(t *testing.T) {
	long.Cases(t, 3, 15)
	shared := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		files, rules := drawSuspicious(t), drawRules(t)
		k := &companyBooks{T: t, company: &company{}, b: newCompanyBooks(t, shared)}
		importFile := func(file bookkeeping.Source) string {
			report, err := k.b.Import(t.Context(), []bookkeeping.Source{again(file)}, bookkeeping.Options{})
			if err != nil || report.Failed() || report.Import == "" {
				t.Fatalf("importing %s: %+v, %v", file.Name, report, err)
			}
			return string(report.Import)
		}
		undo := func(id string) {
			if _, err := k.b.Undo(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		setRules := func(text string) {
			if _, err := k.b.EditRules(t.Context(), func(string) string { return text }); err != nil {
				t.Fatalf("%v in the rules\n%s", err, text)
			}
		}
		var imports []string
		for _, file := range files {
			imports = append(imports, importFile(file))
		}
		setRules(rules)
		want := k.picture() + transfersText(t, k.b)
		for _, id := range imports {
			undo(id)
		}

		setRules(drawRules(t))
		set := rapid.IntRange(0, len(files)).Draw(t, "imports before the rules")
		for n, file := range rapid.Permutation(files).Draw(t, "order") {
			if n == set {
				setRules(rules)
			}
			if id := importFile(file); rapid.IntRange(0, 3).Draw(t, "repeat") == 0 {
				undo(id)
				importFile(file)
			}
		}
		if set == len(files) {
			setRules(rules)
		}

		if got := k.picture() + transfersText(t, k.b); got != want {
			t.Fatalf("with the rules\n%s\nthe books are\n%s\nwant\n%s", rules, got, want)
		}
		if different, err := k.b.DerivedAnew(t.Context()); different != 0 || err != nil {
			t.Fatalf("%d transactions are not as if all were derived anew, %v", different, err)
		}
	})
}
