package ledger_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/ledger"
)

func drawFilter(t *rapid.T, label string) ledger.Filter {
	var f ledger.Filter
	if rapid.Bool().Draw(t, label+" has a direction") {
		d := rapid.SampledFrom([]ledger.Direction{ledger.Inflow, ledger.Outflow}).Draw(t, label+" direction")
		f.Direction = &d
	}
	if rapid.Bool().Draw(t, label+" has dates") {
		f.From = civil.New(2026, 1, rapid.IntRange(1, 400).Draw(t, label+" from"))
		f.To = civil.New(2026, 1, rapid.IntRange(1, 400).Draw(t, label+" to"))
	}
	f.Keyword = rapid.SampledFrom([]string{"", "a", "payroll", "-", "2026-01-01"}).Draw(t, label+" keyword")
	return f
}

func sameFilter(a, b ledger.Filter) bool {
	return a.From == b.From && a.To == b.To && a.Keyword == b.Keyword &&
		(a.Direction == nil) == (b.Direction == nil) && (a.Direction == nil || *a.Direction == *b.Direction)
}

// A cursor decodes only for the organization and filter that it was made for.
func TestCursorBelongsToOneQuery(t *testing.T) {
	cursors := ledger.NewCursors([]byte("a key of this test"))
	rapid.Check(t, func(t *rapid.T) {
		pos := ledger.Position{Date: civil.New(1900, 1, rapid.IntRange(1, 130_000).Draw(t, "day")),
			Seq: rapid.Int64Range(0, 1<<26-1).Draw(t, "seq")}
		org := rapid.SampledFrom([]string{"org_a", "org_b"}).Draw(t, "org")
		filter := drawFilter(t, "made with")
		cursor := cursors.Encode(org, filter, pos)
		if got, err := cursors.Decode(org, filter, cursor); err != nil || got != pos {
			t.Fatalf("Decode = %v, %v; want %v", got, err, pos)
		}
		otherOrg := rapid.SampledFrom([]string{"org_a", "org_b"}).Draw(t, "other org")
		other := drawFilter(t, "asked with")
		_, err := cursors.Decode(otherOrg, other, cursor)
		if ok := otherOrg == org && sameFilter(other, filter); ok != (err == nil) {
			t.Fatalf("made for %s %+v, asked for %s %+v: %v", org, filter, otherOrg, other, err)
		}
		if _, err := ledger.NewCursors([]byte("another key")).Decode(org, filter, cursor); !errors.Is(err, ledger.ErrCursor) {
			t.Fatalf("another key: %v", err)
		}
	})
}

func FuzzCursorDecode(f *testing.F) {
	cursors := ledger.NewCursors([]byte("a key of this test"))
	good := cursors.Encode("org_a", ledger.Filter{}, ledger.Position{Date: civil.New(2026, 11, 21), Seq: 7})
	for _, seed := range []string{"", good, good[1:], good + "A", good[:49] + "!", "\n" + good[1:],
		strings.Repeat("A", 50)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := cursors.Decode("org_a", ledger.Filter{}, text)
		if (err == nil) != (text == good) {
			t.Errorf("Decode(%q) = %v", text, err)
		}
	})
}

func TestFold(t *testing.T) {
	folder := ledger.NewFolder()
	for in, want := range map[string]string{
		"PAYROLL": "payroll", "Straße": "strasse", "STRASSE": "strasse", "Łukasz": "łukasz",
		"ΕΛΛΆΔΑ":     "ελλάδα",
		"cafe\u0301": "café", "100%_\\": "100%_\\", "a\x00b\tc": "a b c", "a\xffb": "a\ufffdb", "\uffff": "\ufffd",
		"株式会社": "株式会社",
	} {
		if got := folder.Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// Folded text is valid UTF-8 without control characters.
func FuzzFold(f *testing.F) {
	for _, seed := range []string{"", "abc", "ÀÉ", "ß", "İ", "\x1f", "\xf0\x9f", "ﬃ", "ͅ"} {
		f.Add(seed)
	}
	folder := ledger.NewFolder()
	f.Fuzz(func(t *testing.T, s string) {
		folded := folder.Fold(s)
		if !utf8.ValidString(folded) {
			t.Fatalf("Fold(%q) = %q is not UTF-8", s, folded)
		}
		for _, r := range folded {
			if r < ' ' || r == 0x7f || r&0xfffe == 0xfffe {
				t.Fatalf("Fold(%q) = %q holds %U", s, folded, r)
			}
		}
	})
}

func TestValidate(t *testing.T) {
	good := ledger.Transaction{
		Date: civil.New(2026, 11, 21), AmountMinor: 5, AmountKnown: true, USDCents: 6, USDKnown: true, Currency: "EUR",
		Counterparty: "A",
	}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, breaks := range map[string]func(*ledger.Transaction){
		"no date":         func(r *ledger.Transaction) { r.Date = civil.Date{} },
		"negative amount": func(r *ledger.Transaction) { r.AmountMinor = -1 },
		"negative USD":    func(r *ledger.Transaction) { r.USDCents = -1 },
		"too large":       func(r *ledger.Transaction) { r.USDCents = ledger.MaxAmount + 1 },
		"unknown with an amount": func(r *ledger.Transaction) {
			r.AmountKnown, r.USDKnown, r.USDCents = false, false, 0
		},
		"unknown with USD": func(r *ledger.Transaction) {
			r.AmountKnown, r.AmountMinor, r.USDCents = false, 0, 0
		},
		"USD unknown with a USD amount": func(r *ledger.Transaction) { r.USDKnown = false },
		"lower-case currency":           func(r *ledger.Transaction) { r.Currency = "eur" },
		"no counterparty":               func(r *ledger.Transaction) { r.Counterparty = "" },
		"a third direction":             func(r *ledger.Transaction) { r.Direction = 2 },
		"a third source":                func(r *ledger.Transaction) { r.Source = 2 },
	} {
		row := good
		breaks(&row)
		if row.Validate() == nil {
			t.Errorf("%s: Validate found nothing", name)
		}
	}
}
