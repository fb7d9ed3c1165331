package runway

import (
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/mask"
	"tarmac/client/resource"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/field"
	"tarmac/views/parts/panel"
)

// The fields of the form, in their order.
const (
	nameField = iota
	burnField
	monthlyField
	monthlyFromField
	onceField
	onceInField
	overdueField // nothing to type: yes or no
	customerField
	customerGoneField
	fields
)

// formLabel is how wide a label is at most; typedWidth what is typed, which on a wide
// page has how it is understood beside it.
const formLabel, typedWidth = 28, 36

func labels() [fields]string {
	return [fields]string{
		"Name", "Net burn, change in %", "More or less a month", "  from the month on", "Once more or less", "  in the month",
		"All overdue is paid now", "The biggest customer pays", "  a month, and leaves in",
	}
}

// form is a scenario as it is typed.
type form struct {
	open     bool
	slot     int
	fresh    bool // for a new scenario
	texts    [fields]field.Text
	overdue  bool
	at       int
	problems [fields]string
	problem  string // of the whole
}

func newForm(slot int, fresh bool) form {
	const limit = 30
	f := form{slot: slot, fresh: fresh}
	for i, hint := range [fields]string{
		"as you like", "+10 or -25", "+5,000 comes in, -5k goes out", "January, 2027-01 or +3; empty: now",
		"+250k comes in, -40,000 goes out", "January, 2027-01 or +3; empty: now", "",
		"12,000, as you know it", "January, 2027-01 or +3; empty: now",
	} {
		f.texts[i] = field.NewText(hint, limit)
	}
	return f
}

// openForm opens the form of a slot. A new scenario has what was typed when the form
// was left.
func (s *Screen) openForm(slot int) {
	one := s.scenarios.slots[slot]
	switch {
	case one != nil:
		s.form = newForm(slot, false)
		s.form.fill(one)
	case !s.form.fresh:
		s.form = newForm(slot, true)
	}
	s.form.slot, s.form.open = slot, true
	s.form.focus(nameField)
	s.settle()
}

// fill writes a scenario as somebody would type it.
func (f *form) fill(one *scenario) {
	w := one.what
	f.texts[nameField].Set(one.name)
	if w.BurnPercent != 0 {
		f.texts[burnField].Set(signed(w.BurnPercent))
	}
	change := func(at int, cents int64, month civil.Date) {
		if cents == 0 {
			return
		}
		f.texts[at].Set(sumText(at, cents))
		f.texts[at+1].Set(figures.YearMonth(month))
	}
	change(monthlyField, w.Monthly, w.MonthlyFrom)
	change(onceField, w.Once, w.OnceIn)
	change(customerField, w.Customer, w.CustomerGone)
	f.overdue = w.Overdue
}

// sumText is an amount as the field of it has it.
func sumText(at int, cents int64) string {
	text := money.Format(cents, "USD")
	if cents > 0 && at != customerField {
		text = "+" + text
	}
	return text
}

// understood returns what was typed into a field as it is understood: -24,000.00 for
// -24k, 2027-01 for January. What needs no reading stays as it is.
func (f *form) understood(at int, today civil.Date) string {
	text := f.texts[at].Value()
	switch at {
	case monthlyField, onceField, customerField:
		cents, err := parsers[at](text)
		if err == nil && strings.ContainsFunc(text, unicode.IsLetter) {
			return sumText(at, cents)
		}
	case monthlyFromField, onceInField, customerGoneField:
		month, err := civil.ParseMonth(text, today)
		if err == nil && strings.TrimSpace(text) != "" {
			return figures.YearMonth(month)
		}
	}
	return text
}

// leave goes to another field, and writes out what was understood of the one before.
func (f *form) leave(to int, today civil.Date) {
	if text := f.understood(f.at, today); text != f.texts[f.at].Value() {
		f.texts[f.at].Set(text)
	}
	f.focus(to)
}

// parsers read the fields that are amounts.
var parsers = map[int]func(string) (int64, error){monthlyField: parseChange, onceField: parseChange, customerField: parsePays}

func (f *form) focus(at int) {
	f.texts[f.at].Blur()
	f.at = (at + fields) % fields
	if f.at != overdueField {
		f.texts[f.at].Focus()
	}
}

// read returns what was typed, and notes what is wrong with it.
func (f *form) read(today civil.Date) (one scenario, ok bool) {
	f.problems, f.problem = [fields]string{}, ""
	ok = true
	note := func(at int, err error) {
		if err != nil {
			f.problems[at], ok = err.Error(), false
		}
	}
	w := &one.what
	var err error
	w.BurnPercent, err = parsePercent(f.texts[burnField].Value())
	note(burnField, err)
	amount := func(at int, cents *int64, month *civil.Date) {
		*cents, err = parsers[at](f.texts[at].Value())
		note(at, err)
		first, err := civil.ParseMonth(f.texts[at+1].Value(), today)
		// A month that nothing happens in is no mistake yet.
		if *cents != 0 {
			note(at+1, err)
			*month = first
		}
	}
	amount(monthlyField, &w.Monthly, &w.MonthlyFrom)
	amount(onceField, &w.Once, &w.OnceIn)
	amount(customerField, &w.Customer, &w.CustomerGone)
	w.Overdue = f.overdue
	if ok && *w == (figures.WhatIf{}) {
		f.problem, ok = "suppose something: a change of the burn, an amount, the overdue paid, or a customer who leaves", false
	}
	if one.name = strings.TrimSpace(f.texts[nameField].Value()); one.name == "" && ok {
		one.name = words(*w)
	}
	return one, ok
}

func (s *Screen) keyInForm(msg tea.KeyPressMsg) tea.Cmd {
	k, f := &s.keys, &s.form
	switch {
	case key.Matches(msg, k.Leave):
		s.Back()
	case key.Matches(msg, k.Done), f.at == fields-1 && key.Matches(msg, k.Advance):
		return s.compare()
	case key.Matches(msg, k.Next, k.Advance):
		f.leave(f.at+1, civil.Of(s.now()))
	case key.Matches(msg, k.Previous):
		f.leave(f.at-1, civil.Of(s.now()))
	case key.Matches(msg, k.Erase):
		s.form = newForm(f.slot, f.fresh)
		s.form.open = true
		s.form.focus(nameField)
	case f.at == overdueField:
		if key.Matches(msg, k.Tick) {
			f.overdue, f.problem = !f.overdue, ""
		}
	default:
		s.typed(msg)
	}
	s.settle()
	return nil
}

// typed hands a key or a paste to the field with the cursor.
func (s *Screen) typed(msg tea.Msg) {
	f := &s.form
	if f.at != overdueField && f.texts[f.at].Update(msg) {
		f.problems[f.at], f.problem = "", ""
	}
	s.settle()
}

// compare keeps the scenario and closes the form, or goes to what is wrong.
func (s *Screen) compare() tea.Cmd {
	f := &s.form
	one, ok := f.read(civil.Of(s.now()))
	if !ok {
		for at, problem := range f.problems {
			if problem != "" {
				f.focus(at)
				break
			}
		}
		s.settle()
		return nil
	}
	s.scenarios.slots[f.slot], s.scenarios.chosen = &one, f.slot
	s.form = form{}
	s.recount()
	long := "until you quit"
	if s.keeping.directory != "" {
		long = "for the next time"
	}
	return tea.Batch(views.Tell("what-if "+string(letter(s.scenarios.chosen))+" is compared; hypothetical, and kept "+long), s.save())
}

// formPanel draws the form in the whole page; the line with the cursor stays in view.
func (s *Screen) formPanel(width, height int) []string {
	frame := panel.Frame{
		Title: "What if " + string(letter(s.form.slot)) + " · hypothetical", Width: width, Height: height, Focused: true,
		Body: func(width, rows int) []string {
			lines, at := s.formLines(width)
			return lines[max(0, min(at-rows+1+(rows-1)/2, len(lines)-rows)):]
		},
	}
	return panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.now())
}

func (s *Screen) formLines(width int) (lines []string, at int) {
	f, t := &s.form, s.theme
	label := min(formLabel, width/2)
	for i, name := range labels() {
		if i == f.at {
			at = len(lines)
		}
		value := ""
		if i == overdueField {
			value = s.tick(width - label)
		} else {
			room, aside := width-label, s.aside(i)
			if aside != "" {
				room = min(room-termtext.Width(aside), typedWidth)
			}
			value = s.formValue(i, room) + t.Faint.Render(aside)
		}
		lines = append(lines, t.Faint.Render(termtext.Fit(name, label))+value)
		lines = append(lines, s.alarm(f.problems[i], width)...)
	}
	lines = append(lines, s.alarm(f.problem, width)...)
	if t.Masked {
		lines = append(lines, t.Faint.Render(termtext.Fit("Amounts are masked: one shows only while the cursor is in it.", width)))
	}
	return append(append(lines, ""), s.preview(width)...), at
}

// aside returns what was understood of the text in the field under the cursor; "" where
// the field shows the same.
func (s *Screen) aside(at int) string {
	text := s.form.understood(at, civil.Of(s.now()))
	if at != s.form.at || s.theme.Masked || text == s.form.texts[at].Value() {
		return ""
	}
	return "= " + text
}

// formValue draws what was typed into a field. A masked amount shows only while the
// cursor is in it.
func (s *Screen) formValue(at, width int) string {
	f := &s.form.texts[at]
	sum := at == monthlyField || at == onceField || at == customerField
	switch {
	case !s.theme.Masked || !sum || f.Value() == "":
		return f.Draw(s.theme, width)
	case f.Focused():
		return mask.Keep(f.Draw(s.theme, width))
	}
	return s.theme.Text.Render(termtext.Fit(mask.Dots, width))
}

// tick draws the field that is yes or no, with what is overdue.
func (s *Screen) tick(width int) string {
	text := "[ ] no"
	if s.form.overdue {
		text = "[x] yes"
	}
	rest := "  what is overdue is not known"
	if overdue := s.overdue(); !overdue.Unknown {
		rest = "  " + overdue.String()
	}
	looks := s.theme.Text
	if s.form.at == overdueField {
		looks = s.theme.Selected
	}
	return looks.Render(ansi.Truncate(text, max(0, width), "")) + s.theme.Faint.Render(ansi.Truncate(rest, max(0, width-len(text)), "…"))
}

// preview says where what was typed so far leads to.
func (s *Screen) preview(width int) []string {
	typed := s.form
	start, able := s.start()
	looks := s.theme.Faint
	text := "The server does not give what a scenario starts from."
	if one, ok := typed.read(civil.Of(s.now())); able && ok {
		o := supposing(one.what, start)
		o.letter = letter(typed.slot)
		text, looks = "Hypothetical: "+o.sentence(s.outlooks()[0]), s.theme.Strong
	} else if able {
		text = "Each field may stay empty. What a customer pays is not in the API: it is what you type."
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width), ""), "\n") {
		lines = append(lines, looks.Render(line))
	}
	return lines
}

// sentence says where a scenario leads to.
func (o outlook) sentence(asItIs outlook) string {
	switch {
	case !o.known:
		return "where this leads to is not known."
	case !o.path.Ends:
		return "the cash lasts for over a hundred years."
	}
	text := o.months() + " months, zero-cash in " + o.zero() + " (est.)"
	if asItIs.path.Ends {
		text += ", " + o.against(asItIs) + " months against as it is"
	}
	return text + "."
}

// alarm draws what is wrong, wrapped; nothing for "".
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
