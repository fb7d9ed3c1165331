package proposal_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
)

func TestAQuantityIsReadAsPeopleTypeIt(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", " 1.50 ": "1.5", "12.5 hours": "12.5", "12.5h": "12.5", "1 Hour": "1", "3 pcs": "3", "30 min": "30",
		"2 months": "2",
		"1,500":    "1500", "1,500.25 units": "1500.25", "0.000001 d": "0.000001", "999999999": "999999999",
	} {
		if got, err := proposal.ParseQuantity(text); got.String() != want || err != nil {
			t.Errorf("%q is read as %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "0", ".5", "1.", "-1", "1.5k", "5m", "hours", "1,5", "12,5 hours", "1.5e3", "0 h", "1 2 h", "1h30", "1 fortnight",
		"1 hours x", "0.0000001",
		"1000000000", "１", "01", "1 h h",
	} {
		if got, err := proposal.ParseQuantity(text); !errors.Is(err, apiclient.ErrQuantity) || !got.IsZero() {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
}

// Printed quantities parse to the same quantity, with or without a unit.
func TestAQuantityIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[1-9][0-9]{0,8}(\.[0-9]{1,6})?`).Draw(t, "quantity")
		want := apiclient.MustQuantity(text)
		unit := rapid.SampledFrom([]string{"", " ", "h", " hours", " Days", "pcs"}).Draw(t, "unit")
		for _, text := range []string{text + unit, want.String() + unit} {
			if got, err := proposal.ParseQuantity(text); got != want || err != nil {
				t.Fatalf("%q is read as %s, %v", text, got, err)
			}
		}
	})
}

// Readable text becomes its standard form; other text stays as typed.
func TestWhatWasUnderstoodIsWrittenOut(t *testing.T) {
	today := civil.MustParse("2026-11-20")
	due := func(text string) string { return proposal.DueText(text, today) }
	for _, test := range []struct {
		of    func(string) string
		texts map[string]string
	}{
		{due, map[string]string{"net 30": "2026-12-20", "in 30 days": "2026-12-20", "2026-12-31": "2026-12-31",
			"soon": "soon", "": ""}},
		{proposal.QuantityText, map[string]string{"12.5 hours": "12.5", "1,500": "1500", "1.50": "1.50", "1.5k": "1.5k",
			"": ""}},
		{proposal.PriceText, map[string]string{
			"1.5k": "1,500.00", "$2 million": "2,000,000.00", "5 usd": "5.00", "1200": "1200", "$1,200.5": "$1,200.5",
			"1.234567k": "1.234567k", "": "",
		}},
	} {
		for text, want := range test.texts {
			if got := test.of(text); got != want {
				t.Errorf("%q is written out as %q, want %q", text, got, want)
			}
		}
	}
}

func FuzzParseQuantity(f *testing.F) {
	for _, text := range []string{"1", "12.5 hours", "1,500", "1.5k", ".5", "0", "999999999.999999 pcs", "1\u00a0h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quantity, err := proposal.ParseQuantity(text)
		if err != nil {
			return
		}
		if again, err := apiclient.ParseQuantity(quantity.String()); err != nil || again != quantity {
			t.Errorf("%q is %s, which is read as %s, %v", text, quantity, again, err)
		}
		if !strings.ContainsAny(text, "123456789") {
			t.Errorf("%q is %s", text, quantity)
		}
	})
}
