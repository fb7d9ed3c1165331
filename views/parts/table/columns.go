package table

// Align is the side of its column that a cell's text stands on.
type Align int

// The sides.
const (
	Left Align = iota
	Right
)

// Column is one column of a table. Widths are in cells.
type Column struct {
	Title      string
	Field      string // of the record that a row shows; "" for a column of another kind (see Titled and Table.Cells)
	Min, Ideal int
	// Whole is how wide the column gets so that its texts stand in it whole; 0 for
	// one whose width does not depend on them. See Table.Widen.
	Whole int
	// Tight is the width that the column shrinks to before one of priority 0 is
	// dropped; 0 for a column that does not shrink.
	Tight int
	// Flex is the share that the column takes of the room that is left when all
	// have their ideal width; 0 for none.
	Flex int
	// Priority says what goes first when there is no room: 0 stays, a greater one
	// is dropped before a smaller, and the right one of equals before the left.
	Priority int
	Align    Align
}

// WidestNumber is how wide a column gets so that invoice numbers stand in it whole.
const WidestNumber = 24

// gap is the room between two columns.
const gap = 2

// Layout returns the width of each column in a table of the given width, 0 for
// those that are dropped. At least one column is kept, however narrow it gets.
func Layout(columns []Column, width int) []int {
	widths := make([]int, len(columns))
	if len(columns) == 0 || width <= 0 {
		return widths
	}
	kept := make([]bool, len(columns))
	count, need := 0, -gap
	for i, c := range columns {
		kept[i] = true
		count++
		need += max(1, c.Min) + gap
	}
	least := make([]int, len(columns))
	for i, c := range columns {
		least[i] = max(1, c.Min)
	}
	for need > width && count > 1 {
		i := leastImportant(columns, kept)
		if columns[i].Priority == 0 {
			if saved := tighten(columns, kept, least, need-width); saved > 0 {
				need -= saved
				continue
			}
		}
		kept[i] = false
		count--
		need -= least[i] + gap
	}
	for i := range columns {
		if kept[i] {
			widths[i] = least[i]
		}
	}
	if need > width {
		for i := range widths {
			widths[i] = min(widths[i], width)
		}
		return widths
	}
	spread(columns, widths, width-need)
	return widths
}

// tighten takes up to wanted cells from the columns that can shrink, last from those
// that are to be whole, and returns how many it got.
func tighten(columns []Column, kept []bool, least []int, wanted int) (saved int) {
	for _, whole := range [...]bool{false, true} {
		for i, c := range columns {
			if kept[i] && c.Tight > 0 && (c.Whole > 0) == whole {
				take := min(wanted-saved, max(0, least[i]-c.Tight))
				least[i] -= take
				saved += take
			}
		}
	}
	return saved
}

func leastImportant(columns []Column, kept []bool) int {
	worst := -1
	for i, c := range columns {
		if kept[i] && (worst < 0 || c.Priority >= columns[worst].Priority) {
			worst = i
		}
	}
	return worst
}

// spread gives out the room that is left: first up to the ideal widths, the
// important columns before the others, then by the shares.
func spread(columns []Column, widths []int, left int) {
	highest, shares := 0, 0
	for i, c := range columns {
		highest = max(highest, c.Priority)
		if widths[i] > 0 {
			shares += c.Flex
		}
	}
	for priority := 0; priority <= highest; priority++ {
		for i, c := range columns {
			if widths[i] > 0 && c.Priority == priority {
				more := min(left, max(0, c.Ideal-widths[i]))
				widths[i] += more
				left -= more
			}
		}
	}
	for i, c := range columns {
		if widths[i] > 0 && c.Flex > 0 {
			more := left * c.Flex / shares
			widths[i] += more
			left -= more
			shares -= c.Flex
		}
	}
}
