package plain_test

import (
	"strings"
	"testing"
)

func TestTheForecastIsSaidInWords(t *testing.T) {
	k := talk{client: serve(t).client}

	text := k.say(t, "forecast A", "suppose once -1k", "forecast", "open 1", "forecast A", "2")

	inOrder(t, text, `There is no plan`,
		`Reading the transactions of 40 months\.`, `case A: `,
		`Thirteen weeks, an estimate\. Spendable cash now: \$`, `1: week 1, until [0-9-]+, in \$.*, out \$.*, cash `,
		`13: week 13, `, `tests on the past stayed inside`, `Default alive\? `, `Hypothetical: money in of `,
		`Week 1, [0-9-]+ to [0-9-]+\.\nIn: \$`, `(twice a month|monthly|weekly), usually minus \$`,
		`an estimate, hypothetical`, `plan minus \$1,000\.00, cash`, `Default alive\? `)
	if n := strings.Count(text, "Reading the transactions"); n != 1 {
		t.Errorf("all transactions are read %d times", n)
	}
	for _, sign := range []string{"-$", "+$", "≥", "—"} {
		if strings.Contains(text, sign) {
			t.Errorf("%q is not in words:\n%s", sign, text)
		}
	}
}

func TestAMaskedForecastHasNoAmounts(t *testing.T) {
	k := talk{client: serve(t).client}

	if text := k.say(t, "2", "mask", "forecast", "open 1"); strings.Contains(afterMask(t, text), "$") {
		t.Errorf("%s", text)
	}
}

func afterMask(t *testing.T, text string) string {
	t.Helper()
	_, masked, found := strings.Cut(text, "Amounts are hidden.")
	if !found {
		t.Fatalf("%s", text)
	}
	return masked
}
