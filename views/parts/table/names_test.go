package table_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views/parts/table"
)

// people provides rows with a name, a sum and a bar as wide as its column.
type people struct {
	names []string
	table *table.Table
}

func (p *people) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	bar := "\x1b[31m" + strings.Repeat("█", p.table.Room(2)/2) + "\x1b[0m"
	return append(dst, table.Cell{Text: p.names[i]}, table.Cell{Text: "12"}, table.Cell{Drawn: bar},
		table.Cell{Text: "2026"}), true
}

func peopleTable(width int, names ...string) *table.Table {
	p := &people{names: names}
	p.table = table.New([]table.Column{
		{Title: "Who", Name: true, Min: 10, Tight: 8, Flex: 1},
		{Title: "Sum", Min: 5, Ideal: 9, Align: table.Right},
		{Title: "Share of all", Brief: "Share", Bar: true, Min: 6, Ideal: 40, Priority: 2},
		{Title: "Last", Min: 4, Ideal: 4, Priority: 1},
	}, p)
	p.table.SetTheme(theme.New(true))
	p.table.SetSize(width, 2+len(names))
	p.table.WidenNames(len(names), func(i int) string { return names[i] })
	p.table.SetRows(len(names), len(names))
	return p.table
}

func rooms(tab *table.Table) (widths []int) {
	for column := range 4 {
		widths = append(widths, tab.Room(column))
	}
	return widths
}

func TestWidthGoesToNamesThenToColumnsThenToBars(t *testing.T) {
	const name = "Harbour Lane Properties" // 23 cells
	for width, want := range map[int][]int{
		24:  {11, 5, 0, 4}, // the bar goes before the other columns
		31:  {10, 5, 6, 4},
		40:  {19, 5, 6, 4},
		44:  {23, 5, 6, 4},
		48:  {23, 9, 6, 4},
		60:  {23, 9, 18, 4},
		82:  {23, 9, 40, 4},
		100: {41, 9, 40, 4}, // nothing else needs the rest
	} {
		if got := rooms(peopleTable(width, "Zoë", name)); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", width, got, want)
		}
	}
}

func TestALongNameDoesNotTakeTheRoomOfAll(t *testing.T) {
	endless := strings.Repeat("n", 400)
	if got, want := rooms(peopleTable(80, endless)), []int{40, 9, 21, 4}; !slices.Equal(got, want) {
		t.Errorf("beside a name of 400 cells the columns have %v, want %v", got, want)
	}
	want := rooms(peopleTable(40, "Harbour Lane Properties"))
	if got := rooms(peopleTable(40, endless)); !slices.Equal(got, want) {
		t.Errorf("in a narrow table the columns have %v, want %v", got, want)
	}
}

func TestATitleThatDoesNotFitHasABriefOne(t *testing.T) {
	for width, want := range map[int]string{44: "Share", 60: "Share of all"} {
		header := ansi.Strip(peopleTable(width, "Harbour Lane Properties").Lines()[0])
		if !strings.Contains(header+" ", " "+want+" ") {
			t.Errorf("at %d the header is %q, without %q", width, header, want)
		}
	}
}

func TestADrawnCellKeepsItsColoursAndThoseOfTheCursor(t *testing.T) {
	tab := peopleTable(60, "Ada", "Zoë")
	lines := slices.Clone(tab.Lines())
	if !strings.Contains(lines[2], "\x1b[31m█████") || strings.Contains(lines[1], "\x1b[31m") {
		t.Errorf("the bar under the cursor is %q, the other one %q", lines[1], lines[2])
	}
	for _, line := range lines {
		if width := ansi.StringWidth(line); width != 60 {
			t.Errorf("a line has %d cells: %q", width, line)
		}
	}
}

func TestATableCountsTheRowsThatDoNotFit(t *testing.T) {
	tab := peopleTable(60, "Ada", "Zoë", "Kai")
	if more := tab.More(); more != "" {
		t.Errorf("all rows are visible, and it says %q", more)
	}
	tab.SetSize(60, 3)
	if more := tab.More(); more != " (1 more)" {
		t.Errorf("one row is hidden, and it says %q", more)
	}
}
