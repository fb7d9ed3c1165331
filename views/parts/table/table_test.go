package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/table"
)

var columns = []table.Column{
	{Title: "Date", Min: 10, Ideal: 10},
	{Title: "Amount", Min: 8, Ideal: 12, Align: table.Right},
	{Title: "Who", Min: 6, Ideal: 20, Flex: 1},
	{Title: "Memo", Min: 8, Ideal: 20, Flex: 2, Priority: 1},
	{Title: "Source", Min: 6, Ideal: 10, Priority: 2},
}

// ledger generates rows from their index. Rows with an index of at least loaded are not in memory.
type ledger struct {
	loaded int
	asked  int
	who    string
}

func (l *ledger) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	l.asked++
	if i >= l.loaded {
		return dst, false
	}
	return append(dst, table.Cell{Text: "2026-03-01"}, table.Cell{Text: fmt.Sprint(i)},
		table.Cell{Text: l.who}, table.Cell{Text: "株式会社 memo"}, table.Cell{Text: "Linked bank"}), true
}

func newTable(l *ledger, total, width, height int) *table.Table {
	t := table.New(columns, l)
	t.SetTheme(theme.New(true))
	t.SetSize(width, height)
	t.SetRows(l.loaded, total)
	return t
}

func TestColumnsAreDroppedByPriority(t *testing.T) {
	for width, want := range map[int][]int{
		0:  {0, 0, 0, 0, 0},
		5:  {5, 0, 0, 0, 0},
		20: {10, 8, 0, 0, 0},
		28: {10, 8, 6, 0, 0},
		38: {10, 8, 6, 8, 0},
		46: {10, 8, 6, 8, 6},
		80: {10, 12, 20, 20, 10},
		// The two columns with Flex share the remaining width in the ratio one to two.
		110: {10, 12, 30, 40, 10},
	} {
		got := table.Layout(columns, width)
		if width == 80 {
			if sum(got)+8 != 80 {
				t.Errorf("at 80 the columns %v do not fill the table", got)
			}
			continue
		}
		if !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", width, got, want)
		}
	}
}

func TestAColumnShrinksBeforeANeededOneIsDropped(t *testing.T) {
	columns := []table.Column{{Min: 10, Ideal: 10}, {Min: 18, Tight: 8, Ideal: 20}, {Min: 20, Ideal: 20, Priority: 1}}
	for width, want := range map[int][]int{
		52: {10, 18, 20},
		51: {10, 20, 0}, // the less important column is dropped first
		30: {10, 18, 0},
		29: {10, 17, 0},
		20: {10, 8, 0},
		19: {10, 0, 0},
	} {
		if got := table.Layout(columns, width); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", width, got, want)
		}
	}
}

func sum(widths []int) (n int) {
	for _, w := range widths {
		n += w
	}
	return n
}

func TestAFlexibleTableFillsItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 300).Draw(t, "width")
		used, kept := 0, 0
		for _, w := range table.Layout(columns, width) {
			used += w
			if w > 0 {
				kept++
			}
		}
		used += 2 * (kept - 1)
		if kept == 0 || used > width {
			t.Fatalf("%d columns take %d of %d cells", kept, used, width)
		}
	})
}

func TestTheTableFillsItsRoomExactly(t *testing.T) {
	for width := range 130 {
		for height := range 20 {
			l := &ledger{loaded: 7, who: "株式会社トラベル é 👩"}
			tab := newTable(l, 40, width, height)
			tab.Highlight("トラ")
			tab.SetCursor(3)
			lines := tab.Lines()
			if len(lines) != height {
				t.Fatalf("%dx%d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if w := ansi.StringWidth(line); w != width {
					t.Fatalf("%dx%d: a line of %d cells: %q", width, height, w, line)
				}
			}
		}
	}
}

func TestRowsThatAreNotInMemoryAreDrawnAsSuch(t *testing.T) {
	tab := newTable(&ledger{loaded: 2, who: "Acme"}, 1_000_000, 80, 6)
	lines := tab.Lines()
	for i, want := range []string{"Date", "Acme", "Acme", "·", "·", "·"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d has no %q: %q", i, want, lines[i])
		}
	}
	tab.SetCursor(999)
	if got := tab.Position(); got != "row 2 of 1,000,000" {
		t.Errorf("position %q: the cursor cannot leave what is loaded", got)
	}
}

func TestEveryKeyMovesAsItSays(t *testing.T) {
	for name, c := range map[string]struct {
		press tea.KeyPressMsg
		want  int
	}{
		"down":           {tea.KeyPressMsg{Code: 'j', Text: "j"}, 51},
		"up":             {tea.KeyPressMsg{Code: tea.KeyUp}, 49},
		"a page down":    {tea.KeyPressMsg{Code: tea.KeyPgDown}, 59},
		"a page up":      {tea.KeyPressMsg{Code: tea.KeyPgUp}, 41},
		"half down":      {tea.KeyPressMsg{Code: 'd', Mod: tea.ModCtrl}, 55},
		"half up":        {tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl}, 45},
		"top":            {tea.KeyPressMsg{Code: 'g', Text: "g"}, 0},
		"bottom":         {tea.KeyPressMsg{Code: 'G', Text: "G"}, 199},
		"something else": {tea.KeyPressMsg{Code: 'z', Text: "z"}, 50},
	} {
		tab := newTable(&ledger{loaded: 200}, 200, 80, 11)
		tab.SetCursor(50)
		moved := tab.Update(c.press, views.NewNavigation())
		if tab.Cursor() != c.want || moved != (c.want != 50) {
			t.Errorf("%s: row %d, moved %v", name, tab.Cursor(), moved)
		}
	}
}

func TestAStepAsksForTheRowsThatChangedOnly(t *testing.T) {
	l := &ledger{loaded: 1000, who: "Acme"}
	tab := newTable(l, 1000, 120, 37)
	tab.Lines()
	l.asked = 0
	tab.Update(tea.KeyPressMsg{Code: tea.KeyDown}, views.NewNavigation())
	tab.Lines()
	if l.asked > 2 {
		t.Errorf("a step down asked for %d rows", l.asked)
	}
}

func TestInvalidateShowsWhatChanged(t *testing.T) {
	l := &ledger{loaded: 3, who: "Acme"}
	tab := newTable(l, 3, 80, 5)
	tab.Lines()
	l.who = "Globex"
	tab.Invalidate()
	if text := strings.Join(tab.Lines(), "\n"); strings.Contains(text, "Acme") || strings.Count(text, "Globex") != 3 {
		t.Errorf("old rows are still drawn:\n%s", text)
	}
}

func TestADetailFillsItsRoomAndScrolls(t *testing.T) {
	var d table.Detail
	d.SetTheme(theme.New(true))
	fields := []table.Field{{Label: "Counterparty", Text: strings.Repeat("株式会社 long ", 20)},
		{Text: "{\n  \"a\": 1\n}"}}
	d.Highlight("long")
	for width := 1; width < 70; width++ {
		for height := 1; height < 14; height++ {
			d.SetSize(width, height)
			d.Show("Transaction", fields)
			d.Scroll(3)
			lines := d.Lines()
			if len(lines) != height {
				t.Fatalf("%dx%d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if w := ansi.StringWidth(line); w != width {
					t.Fatalf("%dx%d: a line of %d cells", width, height, w)
				}
			}
		}
	}
	d.SetSize(40, 6)
	d.Top()
	before := strings.Join(d.Lines(), "\n")
	d.Scroll(1000)
	after := strings.Join(d.Lines(), "\n")
	if before == after || !strings.Contains(after, `"a": 1`) {
		t.Errorf("the end is not reached:\n%s", after)
	}
}

func BenchmarkStepAndDraw(b *testing.B) {
	tab := newTable(&ledger{loaded: 1_000_000, who: "Acme Incorporated"}, 1_000_000, 120, 37)
	nav, down := views.NewNavigation(), tea.KeyPressMsg{Code: tea.KeyDown}
	b.ReportAllocs()
	for b.Loop() {
		tab.Update(down, nav)
		if len(strings.Join(tab.Lines(), "\n")) == 0 {
			b.Fatal("nothing drawn")
		}
	}
}

func TestADetailKeepsTheIndentOfWhatItWraps(t *testing.T) {
	var d table.Detail
	d.SetTheme(theme.New(true))
	d.SetSize(34, 10)
	d.Show("Event", []table.Field{{Text: "{\n  \"payment_intent_id\": \"pi_01M7VRXTP8JX41\",\n  \"deep\": 1\n}"}})
	text := ansi.Strip(strings.Join(d.Lines(), "\n"))
	for _, want := range []string{"│   \"payment_intent_id\":", "│   \"pi_01M7VRXTP8JX41\",", "│   \"deep\": 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestADetailKeepsAnIdWholeWhereItsLabelLeavesTheRoom(t *testing.T) {
	const id, mail = "inv_01M7ZDCRD8YT9PEMHE2HBD2CD7", "billing@cardinalrow.example"
	var d table.Detail
	d.SetTheme(theme.New(true))
	d.SetSize(48, 12)
	d.Show("Invoice", []table.Field{
		{Label: "Last changed at", Text: "2026-11-21 16:00"}, {Label: "Id", Text: id}, {Label: "E-mail", Text: mail},
		{Label: "Description", Text: "two words that are wrapped, as they can be"}, {Label: "A label too long", Text: id},
	})
	text := ansi.Strip(strings.Join(d.Lines(), "\n"))
	for _, want := range []string{
		"│ Last changed at   2026-11-21 16:00           │", "│ Id            " + id + " │",
		"│ E-mail           " + mail + " │",
		"│ Description       two words that are", "│ A label too long  inv_01M7ZDCRD8YT9PEMHE2HBD │",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// numbers provides rows with invoice numbers that differ only at the end.
type numbers []string

func (n numbers) Row(i int, dst []table.Cell) ([]table.Cell, bool) {
	return append(dst, table.Cell{Text: n[i], KeepEnd: true}, table.Cell{Text: "a customer with a long name"}), true
}

func TestNumbersAreWholeOrKeepTheirEnd(t *testing.T) {
	rows := numbers{"INV-2026-00041", "INV-2026-00042", "A-7"}
	columns := []table.Column{
		{Title: "Number", Min: 8, Whole: table.WidestNumber, Tight: 6, Ideal: 8},
		{Title: "Who", Min: 12, Tight: 8, Ideal: 12},
	}
	for width, want := range map[int]string{60: "INV-2026-00042  a customer …", 24: "INV-2026-00042  a custo…",
		20: "…026-00042  a custo…", 16: "…00042  a custo…"} {
		l := table.New(columns, rows)
		l.SetTheme(theme.New(true))
		l.SetSize(width, 4)
		l.SetRows(len(rows), len(rows))

		l.Widen(0, len("INV-2026-00042"))

		if got := strings.TrimRight(ansi.Strip(l.Lines()[2]), " "); got != want {
			t.Errorf("%d cells wide: %q, want %q", width, got, want)
		}
	}
}

func TestAnEndlessNumberLeavesRoomForTheOthers(t *testing.T) {
	rows := numbers{strings.Repeat("9", 80) + "END"}
	columns := []table.Column{
		{Title: "Number", Min: 8, Whole: table.WidestNumber, Ideal: 8},
		{Title: "Who", Min: 12, Ideal: 12},
	}
	l := table.New(columns, rows)
	l.SetTheme(theme.New(true))
	l.SetSize(40, 4)
	l.SetRows(1, 1)

	l.Widen(0, 83)

	if got, want := strings.TrimRight(ansi.Strip(l.Lines()[1]), " "),
		"…"+strings.Repeat("9", 20)+"END  a customer …"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAColumnShrinksBeforeAnotherOfItsPriorityIsDropped(t *testing.T) {
	shrinking := []table.Column{
		{Min: 10, Priority: 1}, {Min: 10, Tight: 4, Priority: 1}, {Min: 10, Priority: 2},
	}
	for width, want := range map[int][]int{
		34: {10, 10, 10}, 33: {10, 10, 0}, 21: {10, 9, 0}, 16: {10, 4, 0}, 15: {10, 0, 0},
	} {
		if got := table.Layout(shrinking, width); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", width, got, want)
		}
	}
}

func TestTheOtherColumnsShareTheWidthOfAHiddenOne(t *testing.T) {
	d := newTable(&ledger{loaded: 1, who: "Ann"}, 1, 80, 4)
	before := ansi.Strip(strings.Join(d.Lines(), "\n"))

	d.Hide(1, true)
	without := ansi.Strip(strings.Join(d.Lines(), "\n"))
	d.Hide(1, false)
	after := ansi.Strip(strings.Join(d.Lines(), "\n"))

	if !strings.Contains(before, "Amount") || strings.Contains(without, "Amount") || after != before {
		t.Errorf("it draws\n%s\n%s\n%s", before, without, after)
	}
	for line := range strings.SplitSeq(without, "\n") {
		if ansi.StringWidth(line) != 80 {
			t.Errorf("%q is %d cells wide", line, ansi.StringWidth(line))
		}
	}
}

func TestADetailLinksAddressesWhereTheTerminalOpensThem(t *testing.T) {
	const page = "https://hooks.example.com/a-rather-long-address-of-an-endpoint"
	var d table.Detail
	looks := theme.New(true)
	draw := func(links, masked bool) string {
		looks.Links, looks.Masked = links, masked
		d.SetTheme(looks)
		d.SetSize(44, 8)
		d.Show("Endpoint", []table.Field{{Label: "URL", Text: page, Link: page}, {Label: "Id", Text: "wh_1"}})
		return strings.Join(d.Lines(), "\n")
	}

	linked, plain := draw(true, false), draw(false, false)

	if n := strings.Count(linked, ansi.SetHyperlink(page)); n < 2 || strings.Count(linked, ansi.ResetHyperlink()) != n {
		t.Errorf("%d of the address's lines are links:\n%q", n, linked)
	}
	if strings.Contains(plain, "\x1b]8") || strings.Contains(draw(true, true), "\x1b]8") {
		t.Error("there are links without a terminal that opens them, or while amounts are hidden")
	}
	if ansi.Strip(linked) != ansi.Strip(plain) {
		t.Errorf("links change the text:\n%s\n%s", ansi.Strip(linked), ansi.Strip(plain))
	}
}
