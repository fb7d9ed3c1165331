package bookrules_test

import (
	"slices"
	"strings"
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

const exampleRules = `# rules of a company
[[rule]]
match = "^gusto|payroll"
counterparty = "Gusto"
category = "payroll"

[[rule]]
match = "aws"
account = "6789"
direction = "out"
memo = "hosting"

[[rule]]
match = "wire"
amount = 25000.00
direction = "in"
category = "Financing"

[[rule]]
match = 'to savings'
transfer = "savings"

[[rule]]
match = "never seen"
transfer = false
`

func parseRules(t *testing.T, text string) bookrules.Rules {
	t.Helper()
	rules, err := bookrules.ParseRules([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestTheFirstRuleThatMatchesDecides(t *testing.T) {
	rules := parseRules(t, exampleRules)
	card := bookrules.Account{Number: "4111 1111 1111 1111", Currency: "USD"}
	for name, test := range map[string]struct {
		account bookrules.Account
		line    bank.Line
		want    bookrules.Outcome
	}{
		"in the counterparty, without case": {
			checking, bank.Line{Counterparty: "GUSTO 123", Minor: -5},
			bookrules.Outcome{Rule: 1, Counterparty: "Gusto", Category: "payroll"},
		},
		"at the start of a field alone": {checking, bank.Line{Description: "x gusto"}, bookrules.Outcome{}},
		"in the reference": {
			checking, bank.Line{Reference: "Payroll 9"},
			bookrules.Outcome{Rule: 1, Counterparty: "Gusto", Category: "payroll"},
		},
		"of the account": {
			checking, bank.Line{Description: "AWS", Minor: -5}, bookrules.Outcome{Rule: 2, Memo: "hosting"},
		},
		"of another account":     {card, bank.Line{Description: "AWS", Minor: -5}, bookrules.Outcome{}},
		"of the other direction": {checking, bank.Line{Description: "AWS", Minor: 5}, bookrules.Outcome{}},
		"of the amount": {
			card, bank.Line{Description: "WIRE", Minor: 2500000}, bookrules.Outcome{Rule: 3, Category: "financing"},
		},
		"of another amount": {card, bank.Line{Description: "WIRE", Minor: 2500001}, bookrules.Outcome{}},
		"of an amount sent": {card, bank.Line{Description: "WIRE", Minor: -2500000}, bookrules.Outcome{}},
		"a transfer to an account": {
			checking, bank.Line{Description: "TRANSFER TO SAVINGS"},
			bookrules.Outcome{Rule: 4, Transfer: bookrules.TransferRule{Set: true, Own: true, Account: "savings"}},
		},
		"no transfer": {
			checking, bank.Line{Description: "NEVER SEEN"}, bookrules.Outcome{Rule: 5,
				Transfer: bookrules.TransferRule{Set: true}},
		},
	} {
		test.account.Number = strings.Replace(test.account.Number, "000123456789", "0001-2345-6789", 1)

		if got := rules.Apply(test.account, test.line); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestRulesSayHowOftenTheyHit(t *testing.T) {
	rules := parseRules(t, exampleRules)
	var outcomes []bookrules.Outcome
	for _, text := range []string{"gusto", "payroll", "nothing", "to savings"} {
		outcomes = append(outcomes, rules.Apply(checking, bank.Line{Description: text}))
	}

	hits := rules.Hits(slices.Values(outcomes))

	if !slices.Equal(hits, []int{2, 0, 0, 1, 0}) {
		t.Errorf("hits are %v", hits)
	}
}

func TestAnAmountMayBeATextOrANumber(t *testing.T) {
	for _, amount := range []string{`"49.90"`, "49.9", `"49.9"`, "49.90"} {
		rules := parseRules(t, "[[rule]]\nmatch = \"x\"\namount = "+amount)

		if got := rules.Apply(checking, bank.Line{Description: "x", Minor: -4990}); got.Rule != 1 {
			t.Errorf("amount = %s does not match 49.90", amount)
		}
	}
}

func TestRulesThatCannotBeReadNameTheirLine(t *testing.T) {
	const good = "[[rule]]\nmatch = \"a\"\n\n"
	for text, want := range map[string]string{
		good + "[[rule]]\nmatch = \"b\"\nmach = \"c\"":       "line 6: mach is not a key of a rule",
		good + "[[rule]]\nmatch = \"(\"\n" + good:            "line 5: match is not a regular expression: missing closing )",
		good + "[[rule]]\nmatch = \"a)(b\"":                  "line 5: match is not a regular expression",
		good + "[[rule]]\ncategory = \"x\"":                  "line 4: the rule has no match",
		good + "[[rule]]\nmatch = \"\"":                      "line 5: match must be a text",
		good + "[[rule]]\nmatch = 5":                         "line 5: match must be a text",
		good + "[[rule]]\nmatch = \"b\"\namount = -5":        "line 6: amount must be an amount without a sign",
		good + "[[rule]]\nmatch = \"b\"\namount = \"much\"":  "line 6: amount must be an amount",
		good + "[[rule]]\nmatch = \"b\"\namount = true":      "line 6: amount must be an amount",
		good + "[[rule]]\nmatch = \"b\"\ndirection = \"up\"": `line 6: direction must be "in" or "out"`,
		good + "[[rule]]\nmatch = \"b\"\ntransfer = 5":       "line 6: transfer must be true, false or the other account",
		good + "[[rules]]\nmatch = \"b\"":                    "line 4: rules is not known here",
		"name = \"x\"\n" + good:                              "line 1: name is not known here",
		"rule = [{match = \"a\"}]":                           "line 1: write each rule below a line [[rule]]",
		"\n[rule]\nmatch = \"a\"":                            "line 2: write each rule below a line [[rule]]",
		good + "[[rule]\n":                                   "line 5: ",
		good + "match = \"again\"":                           "line 4: ",
		"[[rule]]\nmatch = \"\x1b[31m\"":                     "line 2: ",
		"\xff\xfe":                                           "line 1: ",
	} {
		rules, err := bookrules.ParseRules([]byte(text))

		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%q: %v, %v; want %q", text, rules, err, want)
		}
	}
}

func TestAFileWithoutRulesHasNone(t *testing.T) {
	for _, text := range []string{"", "# nothing yet\n"} {
		rules, err := bookrules.ParseRules([]byte(text))

		if err != nil || len(rules) > 0 {
			t.Errorf("%q: %v, %v", text, rules, err)
		}
	}
}

func FuzzParseRules(f *testing.F) {
	for _, seed := range []string{
		exampleRules, "", "[[rule]]\nmatch = \"(\"", "[[rule]]\nmatch=\"\"\"\n[[rule]]\n\"\"\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, err := bookrules.ParseRules(text)
		if err != nil && (strings.Contains(err.Error(), "\n") || rules != nil) {
			t.Errorf("%q: %v, %v", text, rules, err)
		}
		rules.Apply(checking, bank.Line{Description: string(text)})
	})
}
