package mask_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/internal/termtext"
)

func TestAmountsAreMasked(t *testing.T) {
	for in, want := range map[string]string{
		"$1,234.56":                                 "•••      ",
		"in $263,464.73 · out $5.00 · 10 rows":      "in ••• · out ••• · 10 rows          ",
		"│ Available    $3,785,290.39 │":            "│ Available              ••• │",
		"│ net -$264,518.71 · 9 rows   │ $0 │":      "│ net ••• · 9 rows            │ •• │",
		"  +1,234.56  USD  Acme":                    "        •••  USD  Acme",
		"  -1,500     JPY  Acme":                    "     •••     JPY  Acme",
		"  12,345 JPY":                              "     ••• JPY",
		"  ≥$1,234.56":                              "        ≥•••",
		"net ~-$264.71 · in ≥$12.4k":                "net ~••• · in ≥•••        ",
		"2026-11  +≥$440.0k  -$1":                   "2026-11       ≥•••  •••",
		"$12.4k <$1 -$3.1B":                         "••• ••• •••      ",
		"   +1,2… 1,23…":                            "    •••… •••… ",
		`"amount_cents": 125000,`:                   `"amount_cents": •••,   `,
		`{"total_cents":5,"a":1}`:                   `{"total_cents":•,"a":1}`,
		`  "amount": 125000,`:                       `  "amount": •••,   `,
		`  "amount": "1250.00"`:                     `  "amount": "•••"    `,
		`  "feeMinor": -125000`:                     `  "feeMinor": •••    `,
		`amount_minor: 125000`:                      `amount_minor: •••   `,
		`{"net":1,"total":{"value":25,"count":3}}`:  `{"net":•,"total":{"value":••,"count":3}}`,
		"$1 " + mask.Exempt("1,200.50") + " $2":     "•• \x1b[28m1,200.50\x1b[28m ••",
		"-1.500 KWD":                                "••• KWD   ",
		"\x1b[1m$1,\x1b[4m23\x1b[m4.56\x1b[m  left": "\x1b[1m•••\x1b[4m\x1b[m\x1b[m        left",
		"total:1,234.56":                            "total:•••     ",
		"27.5%  12.50%  ~100%":                      "•••       •••   ~•••",
		"rent +18 % since March":                    "rent ••• since March  ",
		"14.1 months · 2.0 mo · +3 months":          "••• months · ••• mo · •• months ",
		"zero-cash in 2028-01 (est.), 2026-11":      "zero-cash in ••• (est.), 2026-11    ",
		"went from ~16.5 to":                        "went from ~••• to ",
		"-1.2 because cash fell; -0.9":              "••• because cash fell; •••  ",
		"About 14.1 months.":                        "About ••• months. ",
		`{"runway_months":14.1,"share":12}`:         `{"runway_months":•••,"share":••} `,
		"Rent ▂▃█▏ ⣿⠁━╸░▓▀ 🬀│":                      "Rent               │",
		mask.Exempt("█") + " in █":                  "\x1b[28m█\x1b[28m in  ",
	} {
		if got := mask.Text(in); got != want {
			t.Errorf("%q is masked as\n%q, want\n%q", in, got, want)
		}
	}
}

func TestMaskedTextWithoutPaddingHasOneWidth(t *testing.T) {
	for in, want := range map[string]string{
		"$5":                              "•••",
		"≥$1,234,567.89":                  "≥•••",
		"~27.5%":                          "~•••",
		"\x1b[1m$1,2\x1b[4m3\x1b[m left":  "\x1b[1m•••\x1b[4m\x1b[m left",
		"in $5.00 · net -$1":              "in ••• · net •••",
		`{"total_cents":5}` + "\n2026-11": `{"total_cents":•••}` + "\n2026-11",
		mask.Exempt("$1") + " $1":         "\x1b[28m$1\x1b[28m •••", "██ 12,345 JPY": "   ••• JPY",
	} {
		if got := mask.Unpadded(in); got != want {
			t.Errorf("%q is masked as %q, want %q", in, got, want)
		}
	}
}

func TestWhatIsNoAmountStays(t *testing.T) {
	for _, text := range []string{
		"2026-11-20", "2026-11-20 14:02:05 UTC", "14:02 UTC", "25 months", "the last 3 full months", "100%c",
		"row 612,004 of 1,000,000",
		"INV-000117", "txn_01K2",
		"127.0.0.1:8080", "10.10.20.30", "v1.25.0", "tarmac 1.25.0", "2026-11-2…", "1–30 days", "— EUR", "retry in 2s",
		"40 INV-000001", "11-21 07:33", "2028-01",
		"2026-11-20T11:59:00.123456Z", "", "+3 more",
		`"total_count": 48,`, `"invoice_number": 125000`, `"version": 1`, `"paid_at": 1763643600`, `"days_past_due": 12`,
		"total: 48 rows", "row: 12",
	} {
		if got := mask.Text(text); got != text {
			t.Errorf("%q is masked as %q", text, got)
		}
	}
}

// Masking changes neither the size nor the styles of drawn text. Each ~ stands for a style.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"$1", "~-1,5~00 JPY", "株 $1.50 式会社\n1,2…", "_cents: 5",
		"~│ ~$1,2~34.56  ~USD│"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(termtext.Block(text), "~", "\x1b[1;38;5;9m")
		got := mask.Text(text)
		before, after := strings.Split(text, "\n"), strings.Split(got, "\n")
		if len(before) != len(after) {
			t.Fatalf("%d lines became %d", len(before), len(after))
		}
		for i := range before {
			if ansi.StringWidth(before[i]) != ansi.StringWidth(after[i]) {
				t.Errorf("%q became %q", before[i], after[i])
			}
			if strings.Count(before[i], "\x1b") != strings.Count(after[i], "\x1b") {
				t.Errorf("%q lost a style: %q", before[i], after[i])
			}
		}
	})
}
