package position_test

import (
	"strings"
	"testing"

	"tarmac/client/position"
	"tarmac/internal/civil"
)

var today = civil.MustParse("2026-11-20") // a Friday

func row(n int) position.Position   { return position.Position{Kind: position.Row, Row: n - 1} }
func share(n int) position.Position { return position.Position{Kind: position.Share, Thousandths: n} }
func day(text string) position.Position {
	return position.Position{Kind: position.Day, Day: civil.MustParse(text)}
}

func TestPositionsAreReadAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]position.Position{
		"50%": share(500), "0%": share(0), " 12.5 %": share(125), "100%": share(1000),
		"row 1,200": row(1200), "Row 7": row(7), "#2024": row(2024), "120000": row(120_000), "7": row(7), "1,200": row(1200),
		"row 2024": row(2024),
		"2024":     day("2024-12-31"), "2024-03": day("2024-03-31"), "2024-03-05": day("2024-03-05"),
		"last year":        day("2025-12-31"),
		"since 2025-02-01": day("2025-02-01"), "90d": day("2026-11-20"), "October": day("2026-10-31"),
		"q2": day("2026-06-30"), "31 dec": day("2025-12-31"),
	} {
		if got, err := position.Parse(text, today); err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestPositionsThatCannotBeAreRefusedWithASentence(t *testing.T) {
	for text, want := range map[string]string{
		"": "unknown position", "101%": "the oldest row is at 100%", "100.1%": "the oldest row is at 100%",
		"-1%":   "unknown position",
		"1.25%": "one decimal", "%": "unknown position", "row": "unknown position", "row 0": "numbered from 1",
		"nowhere": "unknown position", "row 1,2": "unknown position",
		"2026-13": "unknown position", "row -4": "unknown position", "2026-03..2026-01": "the earlier date comes first",
		"03/04/2026": "3 Apr 2026",
	} {
		if got, err := position.Parse(text, today); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", text, got, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"50%", "12.5%", "row 1,200", "#7", "2024", "last year", "%", "9999-12-31", "oct"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := position.Parse(text, today)
		if err != nil {
			return
		}
		for _, total := range []int{0, 1, 200, 1_000_000} {
			if row, ok := p.RowIn(total); ok && (row < 0 || row > max(0, total-1)) {
				t.Fatalf("%q is row %d of %d", text, row, total)
			}
		}
		if p.Kind == position.Day && p.Day.IsZero() {
			t.Fatalf("%q is no date", text)
		}
	})
}

func TestAPositionIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"50%": "50%", "12.5 %": "12.5%", "row 1,200": "row 1,200", "row 1": "the newest", "2024": "2024-12-31",
		"october": "2026-10-31",
	} {
		if p, err := position.Parse(text, today); err != nil || p.String() != want {
			t.Errorf("%q: %s, %v; want %s", text, p, err, want)
		}
	}
	if got := position.Oldest.String(); got != "the oldest" {
		t.Errorf("the last row is called %q", got)
	}
}
