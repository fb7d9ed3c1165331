package table

// Align is the alignment of text in a column.
type Align int

const (
	Left Align = iota
	Right
)

// Column is one column of a table. Widths are in cells.
type Column struct {
	Title      string
	Brief      string // title that replaces one that does not fit; "" cuts it
	Field      string // name of the record's field; "" if the column shows something else (see Titled and Table.Cells)
	Min, Ideal int
	// Whole is the maximum width to which Table.Widen may widen the column, so that no text is
	// truncated. If it is 0, Widen has no effect.
	Whole int
	// Name says that the column shows names. Table.Widen makes room for the widest of them, up to
	// WidestName, before any column grows beyond Min.
	Name bool
	// Bar says that the column shows bars. Such a column grows once all others have their ideal
	// widths.
	Bar bool
	// Tight is the width to which the column may shrink before a column of the same or a lower
	// Priority number is dropped. If it is 0, the column does not shrink.
	Tight int
	// Flex is the column's weight when width beyond the sum of all ideal widths is distributed. A
	// column of weight 0 gets none.
	Flex int
	// Priority decides which columns are dropped if space is short: the column with the highest
	// number first. Among equal numbers, the rightmost column goes first.
	Priority int
	Align    Align
	// Marks reserves the last two cells of the column for the mark of a figure that leaves
	// something out. Marked says that all figures of the column do, so that its title has the mark.
	Marks, Marked bool
}

// WidestName is the maximum width, in cells, that names get before other columns: a longer name
// does not take the room of bars and amounts.
const WidestName = 40

// WidestNumber is the maximum width, in cells, of a column that shows whole invoice numbers.
const WidestNumber = 24

// WidestCategory is the width, in cells, of the longest category that the service gives,
// "office_supplies".
const WidestCategory = 15

// gap is the width, in cells, between two columns.
const gap = 2

// Layout returns the width in cells of each column in a table of the given width. A width of 0
// means that the column is dropped; at least one column remains.
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
		if saved := tighten(columns, kept, least, columns[i].Priority, need-width); saved > 0 {
			need -= saved
			continue
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
	spread(columns, widths, restore(columns, widths, width-need))
	return widths
}

// restore brings columns that were tightened for a column that was then dropped back to their least
// widths, in the reverse order of tighten. It returns the cells that are left of spare.
func restore(columns []Column, widths []int, spare int) int {
	for _, whole := range [...]bool{true, false} {
		for i, c := range columns {
			if widths[i] > 0 && (c.Whole > 0) == whole {
				more := min(spare, max(0, c.Min-widths[i]))
				widths[i] += more
				spare -= more
			}
		}
	}
	return spare
}

// tighten narrows the columns that may shrink and have at least the given Priority, by up to excess
// cells in total. It starts with columns that have no Whole width. It returns the number of cells
// saved.
func tighten(columns []Column, kept []bool, least []int, priority, excess int) (saved int) {
	for _, whole := range [...]bool{false, true} {
		for i, c := range columns {
			if kept[i] && c.Priority >= priority && c.Tight > 0 && (c.Whole > 0) == whole {
				take := min(excess-saved, max(0, least[i]-c.Tight))
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

// spread distributes spare cells over the columns. It first brings columns to their ideal widths:
// names, then others in ascending order of Priority, then bars. It then divides the remaining cells
// by Flex.
func spread(columns []Column, widths []int, spare int) {
	highest, shares := 0, 0
	for i, c := range columns {
		highest = max(highest, c.Priority)
		if widths[i] > 0 {
			shares += c.Flex
		}
	}
	grow := func(grows func(Column) bool) {
		for priority := 0; priority <= highest; priority++ {
			for i, c := range columns {
				if widths[i] > 0 && c.Priority == priority && grows(c) {
					more := min(spare, max(0, c.Ideal-widths[i]))
					widths[i] += more
					spare -= more
				}
			}
		}
	}
	grow(func(c Column) bool { return c.Name })
	grow(func(c Column) bool { return !c.Name && !c.Bar })
	grow(func(c Column) bool { return c.Bar })
	for i, c := range columns {
		if widths[i] > 0 && c.Flex > 0 {
			more := spare * c.Flex / shares
			widths[i] += more
			spare -= more
			shares -= c.Flex
		}
	}
}
