package runway

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/mask"
	"tarmac/client/plan"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/views"
	"tarmac/views/parts/fact"
	"tarmac/views/parts/field"
	"tarmac/views/parts/panel"
)

// lineForm is the field for a line of the plan, a views.Layer. If it is closed without saving, the
// text of a new line is still there when it opens again.
type lineForm struct {
	views.BaseLayer
	screen  *Screen
	open    bool
	number  int    // of the edited line; 0 for a new line
	before  string // the edited line before the changes
	text    field.Text
	unsaved string // text of a new line
	actions views.Actions
}

func newLineForm(s *Screen) *lineForm {
	f := &lineForm{screen: s}
	f.actions = views.Actions{
		{Key: "enter", Help: "save", Do: f.save},
		{Key: "ctrl+x", Help: "clear", Do: views.Do(func() { f.text.Set("") })},
		{Key: "esc", Help: "cancel", Do: views.Do(f.Cancel)},
	}
	return f
}

// show opens the field for the line with a number, or for a new line if it is 0.
func (f *lineForm) show(number int) {
	f.text, f.number, f.open = field.NewText(`hire 2 "engineer" 9k/month from March`, 300), number, true
	f.text.Set(f.unsaved)
	if number != 0 {
		at := slices.IndexFunc(f.screen.file.of.Lines, func(l *plan.Line) bool { return l.Number == number })
		f.before = f.screen.file.of.Lines[at].Text(f.screen.file.of)
		f.text.Set(f.before)
	}
	f.text.Focus()
}

// relocate finds the edited line in a plan that was read again. If it is gone, the typed text
// becomes a new line.
func (f *lineForm) relocate() {
	if !f.open || f.number == 0 {
		return
	}
	f.number = 0
	if of := f.screen.file.of; of != nil {
		for _, l := range of.Lines {
			if l.Text(of) == f.before {
				f.number = l.Number
			}
		}
	}
}

// Open reports whether the field is open.
func (f *lineForm) Open() bool { return f.open }

// Cancel closes the field.
func (f *lineForm) Cancel() {
	if f.open && f.number == 0 {
		f.unsaved = f.text.Value()
	}
	f.open = false
}

// finish closes the field after its line was written.
func (f *lineForm) finish() {
	if f.open && f.number == 0 {
		f.unsaved = ""
	}
	f.open = false
}

// Press handles a key press: a key of the form, or else a letter.
func (f *lineForm) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, handled := f.actions.Press(press)
	if !handled {
		f.text.Update(press)
	}
	return cmd
}

// Paste inserts pasted text.
func (f *lineForm) Paste(paste tea.PasteMsg) { f.text.Update(paste) }

// Help returns the keys of the field.
func (f *lineForm) Help() []views.HelpGroup { return []views.HelpGroup{f.actions.Help("Plan")} }

// next returns the text of the plan with the typed line, and the line as it was parsed.
func (f *lineForm) next() (text, reading string, err error) {
	k, today := &f.screen.file, civil.Of(f.screen.Now())
	text = k.text
	if k.of == nil {
		text = plan.Begin(today, f.screen.Snapshot.Currency())
	}
	if f.number != 0 {
		text = plan.WithLine(text, f.number, f.text.Value())
		p, err := plan.Parse(text)
		if err != nil {
			return "", "", ofLine(err, f.number)
		}
		at := slices.IndexFunc(p.Lines, func(l *plan.Line) bool { return l.Number == f.number })
		if at < 0 {
			return "", "", errors.New("the line is empty; D deletes it from the plan")
		}
		return text, p.Lines[at].Text(p), nil
	}
	p, err := plan.Parse(text)
	if err != nil {
		return "", "", err
	}
	_, lines, err := p.With(f.text.Value(), "", today)
	if err != nil {
		return "", "", err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + strings.Join(lines, "\n") + "\n", strings.Join(lines, "; "), nil
}

// ofLine returns an error without the number of the edited line.
func ofLine(err error, number int) error {
	if wrong, ok := errors.AsType[*plan.Error](err); ok && wrong.Line == number {
		return errors.New(wrong.Text)
	}
	return err
}

func (f *lineForm) save() tea.Cmd {
	text, reading, err := f.next()
	if err != nil {
		return nil // the field says why
	}
	done := "added to the plan: " + reading
	if f.number != 0 {
		done = "changed in the plan: " + reading
	}
	if f.screen.Theme.Masked {
		done = "the plan is written"
	}
	return f.screen.write(text, done)
}

// Draw draws the field with the parsed line.
func (f *lineForm) Draw() string {
	s := f.screen
	title := "New line of the plan"
	if f.number != 0 {
		title = "Line of the plan"
	}
	return strings.Join(panel.Draw(s.Theme, panel.Frame{
		Title: title, Width: s.Width, Height: s.Height - len(s.footnotes), Focused: true, Body: f.body,
	}, resource.State{Status: resource.Ready}, s.Now()), "\n")
}

func (f *lineForm) body(width, height int) []string {
	t := f.screen.Theme
	typed := f.text.Draw(t, width)
	if t.Masked {
		typed = mask.Exempt(typed)
	}
	lines := []string{typed, ""}
	_, reading, err := f.next()
	switch {
	case strings.TrimSpace(f.text.Value()) == "":
	case err != nil:
		lines = append(lines, fact.Wrap(t, "! "+err.Error(), width)...)
	case !t.Masked:
		lines = append(lines, fact.Wrap(t, "= "+reading, width)...)
	}
	place := "Saved to " + f.screen.file.store.Place() + "."
	if !f.screen.file.store.IsKept() {
		place = "Kept until you quit."
	}
	lines = append(lines, "")
	for _, help := range [...]string{
		"Words: budget, hire, tax, cost, income, raise, lose, burn, overdue, floor, case. Names behind a colon replace " +
			"what these counterparties cost or brought; lines without names add.",
		`budget "Payroll" 62k/month on 15 and last: Gusto`, `tax "IRS" 12k every quarter on 15 from January`,
		`cost "Office move" 20k on 2027-02-10`, `raise "Seed" 1.5M on 2027-06-15, takes 10 weeks`,
		`case "Lean": burn -10%`, "monthly -8k from January; once +5k in March; customer 12k from April",
		place,
	} {
		lines = append(lines, fact.Wrap(t, help, width)...)
	}
	return fact.FirstLines(t, lines, height)
}

// confirmation asks which payments belong to lines of the plan, a views.Layer.
type confirmation struct {
	views.BaseLayer
	screen  *Screen
	open    bool
	at      int
	actions views.Actions
}

func newConfirmation(s *Screen) *confirmation {
	c := &confirmation{screen: s}
	c.actions = views.Actions{
		{Key: "y", Help: "yes, write it", Do: c.yes},
		{Key: "n", Help: "no, next", Do: views.Do(c.no)},
		{Key: "esc", Help: "cancel", Do: views.Do(c.Cancel)},
	}
	return c
}

func (c *confirmation) show() {
	c.open, c.at = true, 0
}

// Open reports whether a payment is left to ask about.
func (c *confirmation) Open() bool { return c.open && c.at < len(c.screen.confirmable()) }

// Cancel closes the question.
func (c *confirmation) Cancel() { c.open = false }

// Press handles an answer.
func (c *confirmation) Press(press tea.KeyPressMsg) tea.Cmd {
	cmd, _ := c.actions.Press(press)
	return cmd
}

// Help returns the answers.
func (c *confirmation) Help() []views.HelpGroup { return []views.HelpGroup{c.actions.Help("Confirm")} }

func (c *confirmation) no() {
	c.at++
	c.open = c.at < len(c.screen.candidates)
}

func (c *confirmation) yes() tea.Cmd {
	one, k := &c.screen.candidates[c.at], &c.screen.file
	c.open = false
	return c.screen.write(plan.WithLine(k.text, one.Line.Number, one.Confirmed(k.of)), "confirmed in the plan")
}

// Draw draws the question.
func (c *confirmation) Draw() string {
	s := c.screen
	one := &s.candidates[c.at]
	body := func(width, height int) []string {
		lines := fact.Wrap(s.Theme, s.lineText(one.Line), width)
		question := "Is it " + one.Name + ", " + one.Rise.String() + " since " + one.Day.String() +
			"? y writes that into the plan."
		return append(append(lines, ""), fact.Wrap(s.Theme, question, width)...)
	}
	return strings.Join(panel.Draw(s.Theme, panel.Frame{
		Title: "Confirm", Width: s.Width, Height: s.Height - len(s.footnotes), Focused: true, Body: body,
	}, resource.State{Status: resource.Ready}, s.Now()), "\n")
}
