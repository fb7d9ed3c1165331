package propose

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/client/proposal"
	"tarmac/internal/termtext"
)

// Widths of the form, in cells.
const (
	// maxWidth is the maximum width of the form. In a wider form, amounts would be too far from
	// their labels.
	maxWidth      = 130
	cursorWidth   = 2
	labelWidth    = 11
	numberWidth   = 4
	quantityWidth = 10
	priceWidth    = 13
	amountWidth   = 15
	columnGap     = 2
	// gridWidth is the minimum width of a line item in one row. Below it, the item takes three.
	gridWidth = cursorWidth + numberWidth + quantityWidth + priceWidth + amountWidth + 3*columnGap + 10
)

var labels = [atLines]string{"Recipient", "E-mail", "For", "Due date", "Notes"}

// rowWriter collects the rows of the form. first and last are the indexes of the rows with the
// field or button under the cursor.
type rowWriter struct {
	rows        []string
	first, last int
}

func (w *rowWriter) add(focused bool, rows ...string) {
	if focused {
		w.first, w.last = len(w.rows), len(w.rows)+len(rows)-1
	}
	w.rows = append(w.rows, rows...)
}

// formRows draws the form. first and last are the indexes of the rows with the field or button
// under the cursor.
func (s *Screen) formRows(width int) (rows []string, first, last int) {
	width = min(width, maxWidth)
	f, w := s.form, &rowWriter{}
	r := f.parse(s.today())
	for at, label := range labels {
		w.add(f.at == at, s.fieldRows(at, label, &r, width)...)
	}
	w.add(false, "")
	if width >= gridWidth {
		w.add(false, s.theme.Faint.Render(gridRow(width, "  ", "  # ", "Description", "Quantity", "Unit price", "Amount")))
	}
	at, inside := f.lineAt()
	for i := range f.lines {
		w.add(inside && at == i, s.lineRows(i, &r, width)...)
	}
	total, style := proposal.Total(r.proposal), s.theme.Unknown
	if total.Known() {
		style = s.theme.Strong
	}
	sum := s.theme.Faint.Render("Total ") + style.Render(total.String())
	w.add(f.at == f.addButton(), ends(s.button(f.addButton(), "add line"), sum, width))
	if r.general != "" && f.checked {
		w.add(false, s.problemRows(r.general, 0, width)...)
	}
	w.add(f.at == f.reviewButton(), s.button(f.reviewButton(), "review"))
	if s.theme.Masked {
		w.add(false, s.theme.Faint.Render(termtext.Fit("  Amounts are hidden: a price shows only while you type it.", width)))
	}
	return w.rows, w.first, w.last
}

// ends returns a line of width cells with leftText at its left end and rightText at its right end.
func ends(leftText, rightText string, width int) string {
	between := max(1, width-ansi.StringWidth(leftText)-ansi.StringWidth(rightText))
	return leftText + strings.Repeat(" ", between) + rightText
}

func (s *Screen) button(at int, label string) string {
	if s.form.at == at {
		return s.theme.Accent.Render("> ") + s.theme.Selected.Render("[ "+label+" ]")
	}
	return "  [ " + label + " ]"
}

func (s *Screen) cursor(focused bool) string {
	if focused {
		return s.theme.Accent.Render("> ")
	}
	return "  "
}

// cell draws the field at a cursor position in exactly width cells. While amounts are hidden, a
// price is readable only while its field has the focus.
func (s *Screen) cell(position, width int) string {
	t := s.form.text(position)
	if s.theme.Masked && s.form.priceAt(position) && t.Value() != "" {
		if !t.Focused() {
			style := s.theme.Text
			if s.form.at == position {
				style = s.theme.Selected
			}
			return style.Render(termtext.Fit(mask.Dots, width))
		}
		return mask.Exempt(t.Draw(s.theme, width))
	}
	if s.form.at == position && !t.Focused() {
		return s.theme.Selected.Render(ansi.Strip(t.Draw(s.theme, width)))
	}
	return t.Draw(s.theme, width)
}

// fieldRows draws a field with its label. A problem is shown next to the field if it fits,
// otherwise below.
func (s *Screen) fieldRows(at int, label string, r *parsedForm, width int) []string {
	f := s.form
	style := s.theme.Faint
	if f.at == at {
		style = s.theme.Accent
	}
	room := max(1, width-cursorWidth-labelWidth)
	fieldWidth := min(room, max(38, min(64, width/2)))
	row := s.cursor(f.at == at) + style.Render(termtext.Fit(label, labelWidth)) + s.cell(at, fieldWidth)
	left := room - fieldWidth - columnGap
	if problem := f.problem(f.text(at), r); problem != "" {
		if ansi.StringWidth(problem)+2 <= left {
			return []string{row + "  " + s.theme.Critical.Render("! "+problem)}
		}
		return append([]string{row}, s.problemRows(problem, cursorWidth+labelWidth, width)...)
	}
	if about, style := s.interpretation(at, r); about != "" && ansi.StringWidth(about) <= left {
		row += "  " + style.Render(about)
	}
	return []string{row}
}

// interpretation returns how a valid due date was understood, such as "Fri, in 30 days", and the
// style of that text. It returns "" for other fields.
func (s *Screen) interpretation(at int, r *parsedForm) (string, lipgloss.Style) {
	if at != atDue || r.proposal.DueDate.IsZero() {
		return "", s.theme.Faint
	}
	day := r.proposal.DueDate
	switch days := day.DaysSince(s.today()); {
	case days < 0:
		return "in the past", s.theme.Caution
	case s.form.due.Value() != day.String():
		return day.String(), s.theme.Faint
	default:
		return fmt.Sprintf("%s, in %d days", day.Weekday().String()[:3], days), s.theme.Faint
	}
}

// problemRows draws a problem on rows of its own, indented.
func (s *Screen) problemRows(problem string, indent, width int) []string {
	indent = min(indent, width/4)
	var out []string
	for _, line := range wrap("! "+problem, width-indent) {
		out = append(out, strings.Repeat(" ", indent)+s.theme.Critical.Render(line))
	}
	return out
}

// gridRow joins the cells of one line item, or the column titles, to a row of width cells.
func gridRow(width int, cursor, number, description, quantity, price, amount string) string {
	gap := strings.Repeat(" ", columnGap)
	return cursor + number + fill(description, descriptionWidth(width)) + gap + fill(quantity, quantityWidth) + gap +
		fill(price, priceWidth) + right(amount, amountWidth)
}

func descriptionWidth(width int) int {
	return width - cursorWidth - numberWidth - quantityWidth - priceWidth - amountWidth - 2*columnGap
}

func fill(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

func right(text string, width int) string {
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(text))) + text
}

// lineRows draws a line item, with its problems below. On a narrow page, the line item takes three
// rows instead of one.
func (s *Screen) lineRows(i int, r *parsedForm, width int) []string {
	f, at := s.form, atLines+cells*i
	in, inside := f.lineAt()
	sum, style := proposal.DraftAmount(f.lines[i].typed()), s.theme.Unknown
	if sum.Known() {
		style = s.theme.Text
	}
	amount := style.Render(sum.String())
	cursor, number := s.cursor(inside && in == i), s.theme.Faint.Render(fmt.Sprintf("%3d ", i+1))
	var rows []string
	if width >= gridWidth {
		description := s.cell(at, descriptionWidth(width))
		quantity, price := s.cell(at+1, quantityWidth), s.cell(at+2, priceWidth)
		rows = []string{gridRow(width, cursor, number, description, quantity, price, amount)}
	} else {
		cellWidth := max(1, (width-cursorWidth-numberWidth-3)/2)
		rows = []string{
			cursor + number + s.cell(at, max(1, width-cursorWidth-numberWidth)),
			strings.Repeat(" ", cursorWidth+numberWidth) + s.cell(at+1, min(quantityWidth, cellWidth)) +
				" × " + s.cell(at+2, min(priceWidth, cellWidth)),
			right("= "+amount, width),
		}
	}
	for c, t := range f.lines[i].texts() {
		if problem := f.problem(t, r); problem != "" {
			rows = append(rows, s.problemRows(cellLabels[c]+": "+problem, cursorWidth+numberWidth, width)...)
		}
	}
	return rows
}

// cellLabels holds the names of a line item's fields for messages about problems.
var cellLabels = [cells]string{"description", "quantity", "unit price"}
