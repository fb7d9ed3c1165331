package runway

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/client/resource"
	"tarmac/client/scenario"
	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/field"
	"tarmac/views/parts/panel"
)

// formLabel and typedWidth are the maximum widths of a label and of the typed text in cells.
const formLabel, typedWidth = 32, 36

func labels() [scenario.Fields]string {
	return [scenario.Fields]string{
		"Name", "Net burn change, %", "Monthly change", "  starting", "One-off amount", "  in month",
		"Overdue invoices paid now", "Lost customer: monthly revenue", "  leaves in",
	}
}

// lastField is the form's last field.
const lastField = scenario.CustomerGoneField

// form is the form of a scenario.
type form struct {
	open     bool
	slot     int
	fresh    bool // for a new scenario
	texts    [scenario.Fields]field.Text
	overdue  bool
	at       scenario.Field
	problems scenario.Problems
}

func newForm(slot int, fresh bool) form {
	const limit = 30
	f := form{slot: slot, fresh: fresh}
	for i, hint := range [scenario.Fields]string{
		"optional", "+10 or -25", "+5,000 income, -5k cost", "January, 2027-01 or +3; default now",
		"+250k income, -40,000 cost", "January, 2027-01 or +3; default now", "",
		"e.g. 12,000", "January, 2027-01 or +3; default now",
	} {
		f.texts[i] = field.NewText(hint, limit)
	}
	return f
}

// openForm opens the form for a slot. The form of a new scenario keeps the text from when it was
// last left.
func (s *Screen) openForm(slot int) {
	one := s.scenarios.Slots[slot]
	switch {
	case one != nil:
		s.form = newForm(slot, false)
		s.form.fill(*one)
	case !s.form.fresh:
		s.form = newForm(slot, true)
	}
	s.form.slot, s.form.open = slot, true
	s.form.focus(scenario.NameField)
	s.settle()
}

// fill sets the fields to a scenario, written as a user would type it.
func (f *form) fill(one scenario.Scenario) {
	in := scenario.InputOf(one)
	for i, text := range in.Texts {
		f.texts[i].Set(text)
	}
	f.overdue = in.Overdue
}

// input returns the texts of the fields.
func (f *form) input() scenario.Input {
	in := scenario.Input{Overdue: f.overdue}
	for i := range f.texts {
		in.Texts[i] = f.texts[i].Value()
	}
	return in
}

// understood returns how a field's text is understood.
func (f *form) understood(at scenario.Field, today civil.Date) string {
	return scenario.Understood(at, f.texts[at].Value(), today)
}

// leave moves to another field and writes out the value of the current one.
func (f *form) leave(to scenario.Field, today civil.Date) {
	if text := f.understood(f.at, today); text != f.texts[f.at].Value() {
		f.texts[f.at].Set(text)
	}
	f.focus(to)
}

func (f *form) focus(at scenario.Field) {
	f.texts[f.at].Blur()
	f.at = (at + lastField + 1) % (lastField + 1)
	if f.at != scenario.OverdueField {
		f.texts[f.at].Focus()
	}
}

// read parses the form and records the problems of its fields. It returns false if there are any.
func (f *form) read(today civil.Date) (one scenario.Scenario, ok bool) {
	one, f.problems = f.input().Read(today)
	return one, !f.problems.Any()
}

func (s *Screen) keyInForm(msg tea.KeyPressMsg) tea.Cmd {
	k, f := &s.keys, &s.form
	switch {
	case key.Matches(msg, k.Leave):
		s.Back()
	case key.Matches(msg, k.Done), f.at == lastField && key.Matches(msg, k.Advance):
		return s.compare()
	case key.Matches(msg, k.Next, k.Advance):
		f.leave(f.at+1, civil.Of(s.env.Now()))
	case key.Matches(msg, k.Previous):
		f.leave(f.at-1, civil.Of(s.env.Now()))
	case key.Matches(msg, k.Erase):
		s.form = newForm(f.slot, f.fresh)
		s.form.open = true
		s.form.focus(scenario.NameField)
	case f.at == scenario.OverdueField:
		if key.Matches(msg, k.Tick) {
			f.overdue, f.problems.Whole = !f.overdue, ""
		}
	default:
		s.typed(msg)
	}
	s.settle()
	return nil
}

// typed passes a key or a paste to the current field.
func (s *Screen) typed(msg tea.Msg) {
	f := &s.form
	if f.at != scenario.OverdueField && f.texts[f.at].Update(msg) {
		f.problems.Fields[f.at], f.problems.Whole = "", ""
	}
	s.settle()
}

// compare stores the scenario and closes the form, or moves to the first invalid field.
func (s *Screen) compare() tea.Cmd {
	f := &s.form
	one, ok := f.read(civil.Of(s.env.Now()))
	if !ok {
		for at, problem := range f.problems.Fields {
			if problem != "" {
				f.focus(scenario.Field(at))
				break
			}
		}
		s.settle()
		return nil
	}
	s.scenarios.Put(f.slot, one)
	s.form = form{}
	s.recount()
	long := "kept until you quit"
	if s.keeping.directory != "" {
		long = "saved"
	}
	return tea.Batch(views.Tell("scenario "+string(scenario.Letter(s.scenarios.Chosen))+" (hypothetical) "+long), s.save())
}

// formPanel draws the form over the whole page and keeps the line with the cursor visible.
func (s *Screen) formPanel(width, height int) []string {
	frame := panel.Frame{
		Title: "Scenario " + string(scenario.Letter(s.form.slot)) + " · hypothetical", Width: width, Height: height, Focused: true,
		Body: func(width, rows int) []string {
			lines, at := s.formLines(width)
			return lines[max(0, min(at-rows+1+(rows-1)/2, len(lines)-rows)):]
		},
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now())
}

func (s *Screen) formLines(width int) (lines []string, at int) {
	f, t := &s.form, s.theme
	label := min(formLabel, width/2)
	for n, name := range labels() {
		i := scenario.Field(n)
		if i == f.at {
			at = len(lines)
		}
		value := ""
		if i == scenario.OverdueField {
			value = s.tick(width - label)
		} else {
			room, aside := width-label, s.aside(i)
			if aside != "" {
				room = min(room-termtext.Width(aside), typedWidth)
			}
			value = s.formValue(i, room) + t.Faint.Render(aside)
		}
		lines = append(lines, t.Faint.Render(termtext.Fit(name, label))+value)
		lines = append(lines, s.alarm(f.problems.Fields[i], width)...)
	}
	lines = append(lines, s.alarm(f.problems.Whole, width)...)
	if t.Masked {
		lines = append(lines, t.Faint.Render(termtext.Fit("Amounts are hidden: a value shows only while the cursor is in its field.", width)))
	}
	return append(append(lines, ""), s.preview(width)...), at
}

// aside returns how the current field's text is understood, or "" if the field shows the same.
func (s *Screen) aside(at scenario.Field) string {
	text := s.form.understood(at, civil.Of(s.env.Now()))
	if at != s.form.at || s.theme.Masked || text == s.form.texts[at].Value() {
		return ""
	}
	return "= " + text
}

// formValue draws a field's text. A masked amount shows only while its field is current.
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

// tick draws the checkbox for overdue receivables with their sum.
func (s *Screen) tick(width int) string {
	text := "[ ] no"
	if s.form.overdue {
		text = "[x] yes"
	}
	rest := "  overdue total unknown"
	if overdue := s.overdue(); !overdue.Unknown {
		rest = "  " + overdue.String()
	}
	looks := s.theme.Text
	if s.form.at == scenario.OverdueField {
		looks = s.theme.Selected
	}
	return looks.Render(ansi.Truncate(text, max(0, width), "")) + s.theme.Faint.Render(ansi.Truncate(rest, max(0, width-len(text)), "…"))
}

// preview describes where the scenario typed so far leads.
func (s *Screen) preview(width int) []string {
	typed := s.form
	start, able := s.start()
	looks := s.theme.Faint
	text := "The server gives no figures for a scenario to start from."
	if one, ok := typed.read(civil.Of(s.env.Now())); able && ok {
		text, looks = "Hypothetical: "+one.Outlook(start).Sentence(s.outlooks[0].Outlook), s.theme.Strong
	} else if able {
		text = "All fields are optional. The API does not say what a customer pays: enter your own figure."
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width), ""), "\n") {
		lines = append(lines, looks.Render(line))
	}
	return lines
}

// alarm returns a problem as wrapped lines, or nil for "".
func (s *Screen) alarm(text string, width int) []string {
	if text == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap("! "+text, max(1, width), ""), "\n") {
		lines = append(lines, s.theme.Critical.Render(line))
	}
	return lines
}
