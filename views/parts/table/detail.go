package table

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/resource"
	"tarmac/internal/fold"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/panel"
)

// Field is a label and a value in a Detail. Long values are wrapped. A long value of one word, such
// as an ID, starts more to the left if the label leaves room. A field without a label is text
// across the whole width, after its Lead if it has one.
type Field struct {
	Label, Text string
	Ink         Ink
	Link        string // address that the text links to; "" for none
	Lead        *Lead  // of a field without a label; usually nil
}

// Lead is the beginning of a line. Further lines of the text are indented by its width.
type Lead struct {
	Text string
	Ink  Ink
	Cut  bool // the field's text is cut instead of wrapped: a wrapped number would read as two
}

// Detail is a scrolling pane that shows all fields of one row.
type Detail struct {
	title         string
	fields        []Field
	offset        int
	width, height int
	looks         theme.Theme
	highlight     Ink
	needle        string
	unfocused     bool
	open          bool     // the pane lacks its sides
	text          []string // lines wrapped to the width inside the frame
	drawn         []string
}

// SetTheme sets the colours and styles.
func (d *Detail) SetTheme(looks theme.Theme) {
	d.looks, d.highlight = looks, NewInk(looks.Highlight)
	d.text, d.drawn = nil, nil
}

// SetSize sets the size in cells, including the frame.
func (d *Detail) SetSize(width, height int) {
	if width != d.width || height != d.height {
		d.width, d.height = width, height
		d.text, d.drawn = nil, nil
	}
}

// Show sets the title and the fields, and keeps the scroll offset.
func (d *Detail) Show(title string, fields []Field) {
	d.title, d.fields = title, fields
	d.text, d.drawn = nil, nil
}

// Top scrolls to the beginning of the text.
func (d *Detail) Top() { d.offset, d.drawn = 0, nil }

// Highlight sets the search text that is highlighted in the fields; "" means none.
func (d *Detail) Highlight(text string) {
	d.needle = text
	d.text, d.drawn = nil, nil
}

// SetFocused sets whether the navigation keys move in the pane, which its frame shows. A new pane
// has the focus.
func (d *Detail) SetFocused(focused bool) {
	if d.unfocused == focused {
		d.unfocused, d.drawn = !focused, nil
	}
}

// SetOpen sets whether the pane is drawn without sides, as panels of low pages are.
func (d *Detail) SetOpen(open bool) {
	if d.open != open {
		d.open = open
		d.text, d.drawn = nil, nil
	}
}

// inner returns the size of the text.
func (d *Detail) inner() (width, height int) {
	return panel.InnerOf(d.open, d.width, d.height)
}

// Rows returns how many lines of text are visible, at least 1.
func (d *Detail) Rows() int {
	_, rows := d.inner()
	return max(1, rows)
}

// Scroll scrolls down by a number of lines, or up if it is negative. It stops at the ends of the
// text.
func (d *Detail) Scroll(lines int) {
	d.wrap()
	d.offset = max(0, min(d.offset+lines, len(d.text)-d.Rows()))
	d.drawn = nil
}

// Full returns the height in cells, including the frame, that shows all text.
func (d *Detail) Full() int {
	d.wrap()
	_, rows := d.inner()
	return len(d.text) + d.height - rows
}

// Lines returns the pane drawn in exactly the size given to SetSize.
func (d *Detail) Lines() []string {
	if d.drawn != nil || d.width <= 0 || d.height <= 0 {
		return d.drawn
	}
	d.wrap()
	d.offset = max(0, min(d.offset, len(d.text)-d.Rows()))
	note := ""
	if below := len(d.text) - d.offset - d.Rows(); below > 0 {
		note = money.Count(int64(below)) + " more below"
	}
	frame := panel.Frame{
		Title: d.title, Note: note, Width: d.width, Height: d.height, Focused: !d.unfocused,
		Open: d.open,
		Body: func(int, int) []string { return d.text[d.offset:] },
	}
	d.drawn = panel.Draw(d.looks, frame, resource.State{Status: resource.Ready}, time.Time{})
	return d.drawn
}

func (d *Detail) wrap() {
	if d.text != nil {
		return
	}
	width, _ := d.inner()
	label := 0
	for _, f := range d.fields {
		label = max(label, termtext.Width(f.Label))
	}
	// If values got less than half of the width, each is placed on the lines below its label.
	beside := label+2 <= width/2
	d.text = []string{}
	for _, f := range d.fields {
		switch {
		case f.Lead != nil:
			d.addAfterLead(f, width)
		case f.Label == "":
			d.add(f, "", width)
		case beside:
			column := label
			if word := termtext.Width(f.Text); !strings.ContainsAny(f.Text, " \n") && termtext.Width(f.Label)+2+word <= width {
				column = min(label, width-2-word)
			}
			d.add(f, d.looks.Faint.Render(termtext.Fit(f.Label, column))+"  ", width-column-2)
		default:
			d.text = append(d.text, d.looks.Faint.Render(f.Label))
			d.add(f, "  ", width-2)
		}
	}
}

// add appends the wrapped text of a field. The first line starts with lead; the other lines are
// indented by the width of lead.
func (d *Detail) add(f Field, lead string, width int) {
	blanks := strings.Repeat(" ", ansi.StringWidth(lead))
	begin, end := "", ""
	if f.Link != "" && d.looks.Links && !d.looks.Masked {
		begin, end = ansi.SetHyperlink(f.Link), ansi.ResetHyperlink()
	}
	for i, line := range wrapped(f.Text, width) {
		if i > 0 {
			lead = blanks
		}
		from, to := fold.Find(line, d.needle)
		if from < 0 {
			d.text = append(d.text, lead+begin+f.Ink.Render(line)+end)
			continue
		}
		marked := f.Ink.Render(line[:from]) + d.highlight.Render(line[from:to]) + f.Ink.Render(line[to:])
		d.text = append(d.text, lead+begin+marked+end)
	}
}

// addAfterLead appends the lines of a field with a Lead. If the lead takes more than half of the
// width, the text begins on the next line.
func (d *Detail) addAfterLead(f Field, width int) {
	lead := *f.Lead
	hang := func(text string, ink Ink, first Lead, indent int) {
		for part := range strings.SplitSeq(ansi.Wrap(text, max(1, width-indent), ""), "\n") {
			d.text = append(d.text, d.lineAfterLead(first, part, ink))
			first = Lead{Text: strings.Repeat(" ", indent)}
		}
	}
	switch wide := termtext.Width(lead.Text); {
	case lead.Cut || wide+termtext.Width(f.Text) <= width:
		d.text = append(d.text, d.lineAfterLead(lead, f.Text, f.Ink))
	case wide <= width/2:
		hang(f.Text, f.Ink, lead, wide)
	default:
		indent := min(len(lead.Text)-len(strings.TrimLeft(lead.Text, " ")), width/2)
		hang(strings.Trim(lead.Text, " "), lead.Ink, Lead{Text: strings.Repeat(" ", indent)}, indent)
		indent = min(indent+2, width/2)
		hang(f.Text, f.Ink, Lead{Text: strings.Repeat(" ", indent)}, indent)
	}
}

// lineAfterLead returns a line that begins with a Lead. The first match of the search text is
// highlighted, even if it begins in the Lead.
func (d *Detail) lineAfterLead(lead Lead, text string, ink Ink) string {
	line, n := lead.Text+text, len(lead.Text)
	from, to := fold.Find(line, d.needle)
	if from < 0 {
		from, to = len(line), len(line)
	}
	var b strings.Builder
	write := func(ink Ink, from, to int) {
		if from < to {
			ink.write(&b, line[from:to])
		}
	}
	write(lead.Ink, 0, min(n, from))
	write(ink, n, from)
	write(d.highlight, from, to)
	write(lead.Ink, to, n)
	write(ink, max(n, to), len(line))
	return b.String()
}

// wrapped breaks a text into lines of at most width cells. The parts of a broken line keep its
// indentation, which matters for JSON.
func wrapped(text string, width int) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		if indent > width/2 {
			indent = 0
		}
		blanks := strings.Repeat(" ", indent)
		for part := range strings.SplitSeq(ansi.Wrap(rest, max(1, width-indent), ""), "\n") {
			out = append(out, blanks+part)
		}
	}
	return out
}
