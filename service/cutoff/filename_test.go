package cutoff_test

import (
	"testing"

	"tarmac/service/cutoff"
)

func TestAPeriodInAFileNameHasTwoUnambiguousDays(t *testing.T) {
	for name, want := range map[string]string{
		"N26_Business_2025-06-01_2025-11-14.csv":    "2025-06-01 to 2025-11-14",
		"account-statement_01-Sep-2025_30-Sep-2025": "2025-09-01 to 2025-09-30",
		"20250901-20250930_DE89.csv":                "2025-09-01 to 2025-09-30",
		"Umsaetze 01.09.2025-30.09.2025.csv":        "2025-09-01 to 2025-09-30",
		"statement_13-09-2025_30-10-2025.csv":       "2025-09-13 to 2025-10-30",
		"2025-09-30.csv":                            "", // one day
		"2025-09-01_2025-09-30_made_2025-10-02.csv": "", // three
		"statement_01-09-2025_08-10-2025.csv":       "", // either order
		"2025-09-30_2025-09-01.csv":                 "", // ends before it begins
		"2025-02-30_2025-03-30.csv":                 "", // one of them is no day
		"export_1202509011_20250930.csv":            "", // a longer number
		"September 2025.csv":                        "",
		"statement_2025-06-01_2026-12-31.csv":       "2025-06-01 to 2026-11-20", // cut before it was made
		"statement_2026-11-21_2026-11-30.csv":       "",
	} {
		got, ok := cutoff.Named(name, day("2026-11-21"))

		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%s: %v %v, want %s", name, got, ok, want)
		}
	}
}

func FuzzPeriodsInFileNames(f *testing.F) {
	f.Add("N26_2025-06-01_2025-11-14.csv")
	f.Add("1.1.2025..1jan2025")
	f.Fuzz(func(t *testing.T, name string) {
		got, ok := cutoff.Named(name, day("2026-11-21"))

		if ok && (got.First > got.Last || got.Last >= day("2026-11-21")) {
			t.Errorf("%q: %v %v", name, got, ok)
		}
	})
}
