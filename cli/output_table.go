package cli

import (
	"io"
	"strings"

	"tarmac/internal/termtext"
)

// gap is what stands between two columns; batch is how many rows are looked at
// together before they are written.
const (
	gap   = "  "
	batch = 200
)

// grid writes rows in columns, a batch at a time. Columns only grow, so that a long
// list stays in line, or nearly, and takes the memory of one batch.
type grid struct {
	w      io.Writer
	right  []bool
	widths []int
	rows   [][]string
}

// newGrid begins with the headings of the record's columns.
func newGrid(w io.Writer, sample object) *grid {
	g := &grid{w: w}
	var headings []string
	for _, f := range sample {
		if f.column {
			headings = append(headings, strings.ToUpper(f.label))
			g.right = append(g.right, f.right)
		}
	}
	g.widths = make([]int, len(headings))
	g.rows = append(g.rows, headings)
	return g
}

func (g *grid) add(o object) error {
	cells := make([]string, 0, len(g.widths))
	for _, f := range o {
		if f.column {
			cells = append(cells, f.shown())
		}
	}
	g.rows = append(g.rows, cells)
	if len(g.rows) < batch {
		return nil
	}
	return g.flush()
}

func (g *grid) flush() error {
	for _, row := range g.rows {
		for i, cell := range row {
			g.widths[i] = max(g.widths[i], termtext.Width(cell))
		}
	}
	var line strings.Builder
	for _, row := range g.rows {
		for i, cell := range row {
			blank := strings.Repeat(" ", g.widths[i]-termtext.Width(cell))
			switch {
			case g.right[i]:
				line.WriteString(blank + cell)
			case i == len(row)-1:
				line.WriteString(cell)
			default:
				line.WriteString(cell + blank)
			}
			if i < len(row)-1 {
				line.WriteString(gap)
			}
		}
		line.WriteByte('\n')
	}
	g.rows = g.rows[:0]
	_, err := io.WriteString(g.w, line.String())
	return err
}

// writeTable writes a list that is all there.
func writeTable(w io.Writer, all []object) error {
	g := newGrid(w, all[0])
	for _, o := range all {
		if err := g.add(o); err != nil {
			return err
		}
	}
	return g.flush()
}
