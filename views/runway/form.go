package runway

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/client/resource"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/views/parts/field"
	"tarmac/views/parts/mark"
	"tarmac/views/parts/panel"
)

// formLabel is the maximum width, in cells, of a field's label. typedWidth is the maximum width of
// the typed text when its interpretation is shown beside it.
const formLabel, typedWidth = 32, 36

func labels() [scenario.FieldCount]string {
	return [scenario.FieldCount]string{
		"Name", "Net burn change, %", "Monthly change", "  starting", "One-off amount", "  in month",
		"Overdue invoices paid now", "Lost customer: monthly revenue", "  leaves in",
	}
}

// lastField is the form's last field.
const lastField = scenario.CustomerLostField

// form is the form in which the user edits a scenario.
type form struct {
	slot     int
	isNew    bool // the scenario has not been stored yet
	texts    [scenario.FieldCount]field.Text
	overdue  bool
	at       scenario.Field
	problems scenario.Problems
}

func newForm(slot int, isNew bool) form {
	const limit = 30
	f := form{slot: slot, isNew: isNew}
	for i, hint := range [scenario.FieldCount]string{
		"optional", "+10 or -25", "+5,000 income, -5k cost", "January, 2027-01 or +3; default now",
		"+250k income, -40,000 cost", "January, 2027-01 or +3; default now", "",
		"e.g. 12,000", "January, 2027-01 or +3; default now",
	} {
		f.texts[i] = field.NewText(hint, limit)
	}
	return f
}

// fill sets the fields to the values of a scenario, in the notation of a user.
func (f *form) fill(one scenario.Scenario, currency string) {
	in := scenario.InputOf(one, currency)
	for i, text := range in.Texts {
		f.texts[i].Set(text)
	}
	f.overdue = in.Overdue
}

// input returns the content of the fields as typed.
func (f *form) input() scenario.Input {
	in := scenario.Input{Overdue: f.overdue}
	for i := range f.texts {
		in.Texts[i] = f.texts[i].Value()
	}
	return in
}

// interpreted returns a field's text as the program understands it, for example "-24,000.00" for
// "-24k".
func (f *form) interpreted(at scenario.Field, today civil.Date, currency string) string {
	return scenario.StandardText(at, f.texts[at].Value(), today, currency)
}

// leave replaces the text of the focused field with the text that interpreted returns, and focuses
// the field target.
func (f *form) leave(target scenario.Field, today civil.Date, currency string) {
	if text := f.interpreted(f.at, today, currency); text != f.texts[f.at].Value() {
		f.texts[f.at].Set(text)
	}
	f.focus(target)
}

func (f *form) focus(at scenario.Field) {
	f.texts[f.at].Blur()
	f.at = (at + lastField + 1) % (lastField + 1)
	if f.at != scenario.OverdueField {
		f.texts[f.at].Focus()
	}
}

// read parses the form into a scenario and stores the problems of its fields. It returns false if a
// field has a problem.
func (f *form) read(today civil.Date, currency string) (one scenario.Scenario, ok bool) {
	one, f.problems = f.input().Read(today, currency)
	return one, !f.problems.Any()
}

// formPanel draws the form. It scrolls the form so that the focused field is visible.
func (s *Screen) formPanel(width, height int) []string {
	frame := panel.Frame{
		Title: "Scenario " + string(scenario.Letter(s.form.slot)) + " · hypothetical",
		Width: width, Height: height, Focused: true,
		Body: func(width, rows int) []string {
			lines, at := s.formLines(width)
			return lines[max(0, min(at-rows+1+(rows-1)/2, len(lines)-rows)):]
		},
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}

func (s *Screen) formLines(width int) (lines []string, at int) {
	f, t := s.form, s.theme
	label := min(formLabel, width/2)
	for n, name := range labels() {
		i := scenario.Field(n)
		if i == f.at {
			at = len(lines)
		}
		value := ""
		if i == scenario.OverdueField {
			value = s.overdueCheckbox(width - label)
		} else {
			room, interpretation := width-label, s.interpretation(i)
			if interpretation != "" {
				room = min(room-termtext.Width(interpretation), typedWidth)
			}
			value = s.formValue(i, room) + t.Faint.Render(interpretation)
		}
		lines = append(lines, t.Faint.Render(termtext.Fit(name, label))+value)
		lines = append(lines, s.problemLines(f.problems.Fields[i], width)...)
	}
	lines = append(lines, s.problemLines(f.problems.Whole, width)...)
	if t.Masked {
		hidden := "Amounts are hidden: a value shows only while the cursor is in its field."
		lines = append(lines, t.Faint.Render(termtext.Fit(hidden, width)))
	}
	return append(append(lines, ""), s.preview(width)...), at
}

// interpretation returns "= " followed by the interpreted text of the focused field. It returns ""
// for other fields, while amounts are hidden, and if both texts are equal.
func (s *Screen) interpretation(at scenario.Field) string {
	text := s.form.interpreted(at, civil.Of(s.env.Now()), s.data.Currency())
	if at != s.form.at || s.theme.Masked || text == s.form.texts[at].Value() {
		return ""
	}
	return "= " + text
}

// formValue draws the text of a field. While amounts are hidden, an amount is readable only while
// its field has the focus.
func (s *Screen) formValue(at scenario.Field, width int) string {
	f := &s.form.texts[at]
	switch {
	case !s.theme.Masked || !at.IsAmount() || f.Value() == "":
		return f.Draw(s.theme, width)
	case f.Focused():
		return mask.Exempt(f.Draw(s.theme, width))
	}
	return s.theme.Text.Render(termtext.Fit(mask.Dots, width))
}

// overdueCheckbox draws the checkbox "Overdue invoices paid now" and the sum of those invoices.
func (s *Screen) overdueCheckbox(width int) string {
	text := "[ ] no"
	if s.form.overdue {
		text = "[x] yes"
	}
	rest := "  overdue total unknown"
	if overdue := s.overdue(); !overdue.Unknown {
		rest = "  " + mark.Sentence(overdue.String())
		if ansi.StringWidth(text+rest) > width {
			rest = "  " + mark.Sentence(overdue.Short())
		}
	}
	style := s.theme.Text
	if s.form.at == scenario.OverdueField {
		style = s.theme.Selected
	}
	return style.Render(ansi.Truncate(text, max(0, width), "")) +
		s.theme.Faint.Render(ansi.Truncate(rest, max(0, width-len(text)), "…"))
}

// preview returns the runway and zero-cash month of the scenario as typed so far. It returns a hint
// if the form is invalid or the cash position is missing.
func (s *Screen) preview(width int) []string {
	typed := s.form.form
	start, able := s.start()
	style := s.theme.Faint
	text := "There are no figures for a scenario to start from."
	if one, ok := typed.read(civil.Of(s.env.Now()), s.data.Currency()); able && ok {
		text, style = "Hypothetical: "+mark.Sentence(one.Outlook(start).Sentence(s.outlooks[0].Outlook)), s.theme.Strong
	} else if able {
		text = "All fields are optional. The API does not say what a customer pays: enter your own figure."
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width), ""), "\n") {
		lines = append(lines, style.Render(line))
	}
	return lines
}

// problemLines returns the text of a problem as styled lines, wrapped to width. It returns nil for
// "".
func (s *Screen) problemLines(text string, width int) []string {
	if text == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap("! "+text, max(1, width), ""), "\n") {
		lines = append(lines, s.theme.Critical.Render(line))
	}
	return lines
}
