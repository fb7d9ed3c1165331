package plain_test

import (
	"strings"
	"testing"

	"tarmac/client/state"
	"tarmac/plain"
)

func TestSpendIsSaidInWords(t *testing.T) {
	k := talk{client: serve(t).client}

	text := k.say(t, "8", "open 1", "open 1", "back", "back", "spend 6 months", "spend 99", "spend sort change",
		"spend size", "spend in", "recurring change", "open 1", "bridge", "open 1", "bridge 2020")

	inOrder(t, text, `Money out, .*transactions: own transfers .*; together `, `compared with the 3 months before`,
		`1: .* of all, \$.* a month`, `transactions?, in \$`, `Transaction `, `compared with the 6 months before`,
		`Spend: Unknown word "99"; type spend \[in`, `Unknown word "size"`, `Money in, `,
		`Money out that recurs\.`, `Money out at least \$.* a year`, `twice a month, usually \$`, `Net of `,
		`The changes add up to the difference of the nets, to the cent\.`,
		`Own transfers, `, `Net, `, `transactions?, in \$`,
		`Bridge: Needs two months, such as .*; type bridge`)
	if n := strings.Count(text, "Reading the transactions"); n != 1 {
		t.Errorf("all transactions are read %d times", n)
	}
	for _, sign := range []string{"-$", "+$", "≥", "—", "~"} {
		if strings.Contains(text, sign) {
			t.Errorf("%q is not in words:\n%s", sign, text)
		}
	}
}

func TestSpendIsSummedByCategory(t *testing.T) {
	k := talk{client: serve(t).client, Options: plain.Options{Drafts: state.Directory(t.TempDir())}}

	text := k.say(t, "spend", "open 1", "open 1", "category Client visits", "back", "back", "spend by category",
		"spend by size", "spend by counterparty")

	inOrder(t, text, `Saved\.`, `Money out, `, `\d: Client visits, \$`, `Unknown word "size"`,
		`1: .* a month`)
}

func TestMaskedSpendHasNoAmountsOrPercentages(t *testing.T) {
	k := talk{client: serve(t).client}

	text := afterMask(t, k.say(t, "mask", "spend", "recurring", "bridge", "open 1"))
	if strings.ContainsAny(text, "$%") {
		t.Errorf("%s", text)
	}
}
