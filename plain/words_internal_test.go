package plain

import (
	"testing"

	"tarmac/apiclient"
	"tarmac/client/figures"
)

func TestAmountsAreWords(t *testing.T) {
	for got, want := range map[string]string{
		amountInWords(apiclient.UnknownAmount("EUR")):                                         "unknown",
		amountInWords(apiclient.NewAmount(-5, "USD")):                                         "minus $0.05",
		amountInWords(apiclient.NewAmount(1500, "JPY")):                                       "¥1,500",
		amountWithDirection(apiclient.NewAmount(5, "USD"), apiclient.Inflow):                  "in $0.05",
		amountWithDirection(apiclient.UnknownAmount("USD"), apiclient.Outflow):                "out, amount unknown",
		sumInWords(figures.Total{Currency: "USD", Kind: figures.Net}):                         "$0.00",
		sumInWords(figures.Total{Currency: "USD", Kind: figures.Net, Minor: 5}):               "plus $0.05",
		sumInWords(figures.Total{Currency: "USD", Kind: figures.Net, Minor: -5}):              "minus $0.05",
		sumInWords(figures.Total{Currency: "USD", Unknown: true, Excluded: 2}):                "unknown",
		sumInWords(figures.Total{Currency: "USD", Minor: 5, Excluded: 1}):                     "at least $0.05",
		sumInWords(figures.Total{Currency: "USD", Kind: figures.Net, Minor: -5, Excluded: 1}): "minus $0.05 (partial)",
		sumInWords(figures.Total{Currency: "USD", Kind: figures.Net, Minor: 5, Excluded: 1}):  "plus $0.05 (partial)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSignsOfAnyCurrencyAreWords(t *testing.T) {
	for text, want := range map[string]string{
		"net -$5.00 and +$6.00":         "net minus $5.00 and plus $6.00",
		"net ~-€5.00, +€6.00":           "net about minus €5.00, plus €6.00",
		"net -18,000.00 CHF, ~5.00 CHF": "net minus 18,000.00 CHF, about 5.00 CHF",
		"due 2026-10-05, ≥¥5":           "due 2026-10-05, at least ¥5",
	} {
		if got := sentenceInWords(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Output never contains line breaks, escape sequences or drawing characters, nor amounts while they
// are masked.
func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"in $1,234.56.", "  \x1b[31m│ net minus $5", "a\u2028b\nc", "⣿ — •••",
		"\x9b31m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, said := range []string{safe(text), safe(hide(oneLine(text)))} {
			for _, r := range said {
				if r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x2500 && r <= 0x259f || r >= 0x2800 && r <= 0x28ff {
					t.Fatalf("%q is said as %q", text, said)
				}
			}
			if again := safe(said); again != said {
				t.Fatalf("%q becomes %q", said, again)
			}
		}
	})
}
