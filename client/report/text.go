package report

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// TextWidth is the largest width of a line of the text form, which e-mail programs do not wrap.
const TextWidth = 78

// WriteText writes the report as text for mail, in lines of at most TextWidth cells. If masked is
// set, it hides amounts, percentages and numbers of months.
func (r *Report) WriteText(w io.Writer, masked bool) error { return r.document(masked).writeText(w) }

func (d document) writeText(w io.Writer) error {
	t := textWriter{bufio.NewWriter(w)}
	t.paragraph(d.Title)
	t.paragraph(d.Subtitle)
	for _, c := range d.Cards {
		t.paragraph("")
		t.paragraph(c.Label + ": " + c.Value)
		t.indented(c.Detail)
	}
	for _, s := range d.Sections {
		t.heading(s.Title)
		for i := range s.Tables {
			if i > 0 {
				t.paragraph("")
			}
			t.table(&s.Tables[i])
		}
		if len(s.Tables) > 0 {
			t.paragraph("")
		}
		for _, note := range s.Notes {
			t.paragraph(note)
		}
	}
	t.paragraph("\n" + strings.Repeat("-", TextWidth))
	for _, note := range d.Basis {
		t.paragraph(note)
	}
	return t.Flush()
}

// textWriter writes lines. A failure of an earlier line is returned by Flush.
type textWriter struct{ *bufio.Writer }

func (t textWriter) line(text string) {
	_, _ = t.WriteString(strings.TrimRight(text, " ") + "\n")
}

func (t textWriter) heading(text string) {
	t.line("\n" + text)
	t.line(strings.Repeat("-", termtext.Width(text)))
}

// paragraph writes text in lines of at most TextWidth cells.
func (t textWriter) paragraph(text string) { t.wrapped(text, "") }

// indented writes text in indented lines of at most TextWidth cells.
func (t textWriter) indented(text string) { t.wrapped(text, "  ") }

// wrapped writes text in indented lines. It breaks no amount after its minus, and no date.
func (t textWriter) wrapped(text, indent string) {
	const unbroken = "\u2011" // a hyphen at which ansi.Wrap does not break a line
	text = ansi.Wrap(strings.ReplaceAll(text, "-", unbroken), TextWidth-len(indent), "")
	for line := range strings.SplitSeq(strings.ReplaceAll(text, unbroken, "-"), "\n") {
		t.line(indent + line)
	}
}

// gap is the number of cells between two columns.
const gap = 2

// table writes a table. If it is too wide, the codes of currencies move from the cells to the
// titles of the columns, then the first column is cut, and then columns that narrow screens hide
// are left out.
func (t textWriter) table(of *table) {
	shown := make([]int, len(of.Columns))
	for i := range shown {
		shown[i] = i
	}
	widths := of.widths()
	if needed(widths, shown) > TextWidth {
		of = of.withCodesInTitles()
		widths = of.widths()
	}
	const least = 16 // width to which the first column may be cut
	for i := len(shown) - 1; i > 0 && needed(widths, shown)-widths[0]+min(widths[0], least) > TextWidth; i-- {
		if of.Columns[shown[i]].Wide {
			shown = append(shown[:i], shown[i+1:]...)
		}
	}
	widths[0] = min(widths[0], max(least, TextWidth-needed(widths, shown)+widths[0]))
	titles := make([]string, len(of.Columns))
	for i, c := range of.Columns {
		titles[i] = c.Title
	}
	t.cells(of, titles, shown, widths)
	for _, r := range of.Rows {
		t.cells(of, r.Cells, shown, widths)
	}
}

// withCodesInTitles returns the table with the code of a currency in the titles of those columns in
// which it follows all amounts.
func (t *table) withCodesInTitles() *table {
	moved := table{Title: t.Title, Columns: slices.Clone(t.Columns), Rows: slices.Clone(t.Rows), HasBars: t.HasBars}
	for i := range moved.Rows {
		moved.Rows[i].Cells = slices.Clone(t.Rows[i].Cells)
	}
	for i := range moved.Columns {
		code := t.codeOf(i)
		if code == "" {
			continue
		}
		moved.Columns[i].Title += code
		for j := range moved.Rows {
			cell := &moved.Rows[j].Cells[i]
			*cell = strings.TrimSuffix(*cell, code)
		}
	}
	return &moved
}

// codeOf returns the blank and the code of the currency with which all amounts of a column end, or
// "".
func (t *table) codeOf(column int) (code string) {
	for _, r := range t.Rows {
		cell := r.Cells[column]
		at := strings.LastIndexByte(cell, ' ')
		switch {
		case cell == "" || cell == money.Dash:
			continue
		case !t.Columns[column].Number || at < 0 || code != "" && cell[at:] != code:
			return ""
		}
		code = cell[at:]
	}
	if money.Symbol(strings.TrimSpace(code)) != "" || len(code) != len(" CHF") {
		return ""
	}
	return code
}

// widths returns the width of the widest cell of each column.
func (t *table) widths() []int {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = termtext.Width(c.Title)
		for _, r := range t.Rows {
			widths[i] = max(widths[i], termtext.Width(r.Cells[i]))
		}
	}
	return widths
}

// needed returns the width of a line with the shown columns.
func needed(widths, shown []int) int {
	sum := gap * (len(shown) - 1)
	for _, i := range shown {
		sum += widths[i]
	}
	return sum
}

func (t textWriter) cells(of *table, cells []string, shown, widths []int) {
	var b strings.Builder
	for n, i := range shown {
		if n > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		padding := strings.Repeat(" ", max(0, widths[i]-termtext.Width(cells[i])))
		if of.Columns[i].Number {
			b.WriteString(padding + cells[i])
			continue
		}
		b.WriteString(termtext.Fit(cells[i], widths[i]))
	}
	t.line(b.String())
}
