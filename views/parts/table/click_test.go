package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/theme"
	"tarmac/views/parts/table"
)

// At returns the row drawn at that position.
func TestTheRowAtAPlaceIsTheOneDrawnThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := table.New(columns, &ledger{loaded: 1 << 20})
		l.SetTheme(theme.New(true))
		width, height := rapid.IntRange(30, 120).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height")
		reach := rapid.IntRange(0, 50).Draw(t, "reach")
		l.SetSize(width, height)
		l.SetRows(reach, reach+rapid.IntRange(0, 9).Draw(t, "more"))
		l.SetCursor(rapid.IntRange(0, 50).Draw(t, "cursor"))
		for y, line := range l.Lines() {
			fields := strings.Fields(ansi.Strip(line))
			row, ok := l.At(rapid.IntRange(0, width-1).Draw(t, "x"), y)
			drawn := len(fields) > 1 && fields[0] == "2026-03-01"
			if ok && (!drawn || fields[1] != fmt.Sprint(row) || row >= reach) {
				t.Fatalf("line %d, %q, is taken for row %d of %d", y, line, row, reach)
			}
			if first, _ := l.Visible(); !ok && drawn && first+y < reach {
				t.Fatalf("line %d, %q, is taken for none", y, line)
			}
		}
		for _, place := range [][2]int{{-1, 1}, {width, 1}, {0, -1}, {0, height}} {
			if row, ok := l.At(place[0], place[1]); ok {
				t.Fatalf("row %d is said to be outside of the table", row)
			}
		}
	})
}
