package transactions

import (
	"strings"
	"testing"

	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-11-20") // a Friday

func TestPlacesAreReadAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]string{
		"50%": "to 50%", "0%": "to 0%", " 12.5 %": "to 12.5%", "100%": "to 100%",
		"row 1,200": "to row 1,200", "#2024": "to row 2,024", "120000": "to row 120,000", "7": "to row 7", "row 1": "to the newest",
		"1,200": "to row 1,200",
		"2024":  "to 2024-12-31", "2024-03": "to 2024-03-31", "2024-03-05": "to 2024-03-05", "last year": "to 2025-12-31",
		"since 2025-02-01": "to 2025-02-01", "90d": "to 2026-11-20",
	} {
		p, err := parsePlace(text, today)
		if err != nil || p.words() != want {
			t.Errorf("%q: %s, %v; want %s", text, p.words(), err, want)
		}
	}
}

func TestPlacesThatCannotBeAreRefusedWithASentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "not a place", "101%": "the oldest row is at 100%", "100.1%": "the oldest row is at 100%", "-1%": "not a place",
		"1.25%": "one decimal", "%": "not a place", "row": "not a place", "row 0": "counted from 1", "nowhere": "not a place",
		"2026-13": "not a place", "row -4": "not a place", "2026-03..2026-01": "the earlier date comes first",
	} {
		if p, err := parsePlace(text, today); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, p, err, want)
		}
	}
}

func FuzzParsePlace(f *testing.F) {
	for _, seed := range []string{"50%", "12.5%", "row 1,200", "#7", "2024", "last year", "%", "9999-12-31"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePlace(text, today)
		if err != nil {
			return
		}
		for _, total := range []int{0, 1, 200, 1_000_000} {
			if row, ok := p.index(total); ok && (row < 0 || row > max(0, total-1)) {
				t.Fatalf("%q is row %d of %d", text, row, total)
			}
		}
		if p.kind == atDate && p.date.IsZero() {
			t.Fatalf("%q is no date", text)
		}
	})
}
