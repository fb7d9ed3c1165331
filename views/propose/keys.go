package propose

import (
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

// actions are the keys of the page, by what is open.
type actions struct {
	answers  views.Actions // of an open question
	typing   views.Actions // of the form while a field has the focus
	browsing views.Actions // of the form while no field has the focus
	twice    views.Actions // must be pressed twice: those that send or accept something
	review   views.Actions
	search   views.Actions // while it is unknown whether the invoice was created
	finished views.Actions
}

func (s *Screen) newActions() actions {
	return actions{
		answers: views.Actions{{Key: "y", Help: "yes", Do: s.answerYes}},
		typing:  s.typingActions(), browsing: s.browsingActions(), twice: s.twiceActions(),
		review: views.Actions{{Key: editKey, Help: "change", Do: views.Do(func() { s.step, s.offset = filling, 0 })}},
		search: views.Actions{{Key: "D", Help: "discard draft", Do: views.Do(func() { s.question = discardDraft })}},
		finished: views.Actions{
			{Key: "enter", Also: []string{"o"}, Help: "open invoice", Do: func() tea.Cmd {
				return views.Go(views.Invoices, views.InvoiceTarget{ID: s.invoice.ID})
			}},
			{Key: "n", Help: "new invoice", Do: s.startNew},
			{Key: "y", Help: "copy number", Do: func() tea.Cmd {
				return views.PutOnClipboard("the invoice's number", s.invoice.Number)
			}},
		},
	}
}

const editKey = "c"

func (s *Screen) typingActions() views.Actions {
	edit := func(change func()) func() tea.Cmd {
		return func() tea.Cmd { change(); return s.updateDraft(true) }
	}
	move := func(to func() int) func() tea.Cmd {
		return edit(func() {
			s.form.move(to(), s.today())
			s.continueTyping()
		})
	}
	return views.Actions{
		{Key: "esc", Help: "leave", Do: edit(func() { s.form.leave(s.today()) })},
		{Key: "tab", Also: []string{"enter"}, Help: "next field", Do: move(func() int { return s.form.at + 1 })},
		{Key: "down", Hidden: true, Do: move(func() int { return s.form.below() })},
		{Key: "ctrl+s", Help: "review", Do: s.review},
		{Key: "ctrl+n", Help: "net 15, 30, 60", When: func() bool { return s.form.at == atDue },
			Do: edit(func() { s.form.nextNet(s.today()) })},
		{Key: "ctrl+o", Help: "add line", When: s.hasRoom, Do: s.addLine},
		{Key: "ctrl+x", Help: "remove line", When: s.inLine, Do: s.askToRemove},
		{Key: "shift+tab", Help: "previous field", Do: move(func() int { return s.form.at - 1 })},
		{Key: "up", Hidden: true, Do: move(func() int { return s.form.above() })},
		{Key: "alt+up", Shown: "alt+↑", Help: "move line up", When: s.canRaise, Do: edit(func() { s.form.shift(-1) })},
		{Key: "alt+down", Shown: "alt+↓", Help: "move line down", When: s.canLower, Do: edit(func() { s.form.shift(1) })},
	}
}

func (s *Screen) browsingActions() views.Actions {
	move := func(change func()) func() tea.Cmd {
		return func() tea.Cmd { change(); return s.moved() }
	}
	// A new line and the review have a focus of their own.
	end := func(do func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { s.keepTyping = false; return do() }
	}
	onAdd := func() bool { return s.form.at == s.form.addButton() }
	onReview := func() bool { return s.form.at == s.form.reviewButton() }
	onField := func() bool { return !onAdd() && !onReview() }
	notFirst := func() bool { return s.form.at > 0 }
	notLast := func() bool { return !onReview() }
	return views.Actions{
		{Key: "enter", Also: []string{"i"}, Help: "add line", When: onAdd, Do: end(s.addLineByButton)},
		{Key: "enter", Also: []string{"i"}, Help: "review", When: onReview, Do: end(s.review)},
		{Key: "enter", Also: []string{"i"}, Help: "type", When: onField, Do: move(s.focus)},
		{Key: "ctrl+s", Help: "review", Do: end(s.review)},
		{Key: "a", Also: []string{"ctrl+o"}, Help: "add line", When: s.hasRoom, Do: end(s.addLine)},
		{Key: "x", Also: []string{"ctrl+x"}, Help: "remove line", When: s.inLine, Do: end(s.askToRemove)},
		{Key: "D", Help: "discard draft", When: func() bool { return !s.form.empty() },
			Do: move(func() { s.question = discardDraft })},
		{Key: "K", Also: []string{"alt+up"}, Help: "move line up", When: s.canRaise,
			Do: move(func() { s.form.shift(-1) })},
		{Key: "J", Also: []string{"alt+down"}, Help: "move line down", When: s.canLower,
			Do: move(func() { s.form.shift(1) })},
		{Key: "tab", Also: []string{"right", "l"}, Help: "next field", When: notLast, Do: move(func() { s.form.at++ })},
		{Key: "shift+tab", Also: []string{"left", "h"}, Help: "previous field", When: notFirst,
			Do: move(func() { s.form.at-- })},
		{Key: "up", Also: []string{"k", "ctrl+p"}, Shown: "↑/k", Help: "up", When: notFirst,
			Do: move(func() { s.form.at = s.form.above() })},
		{Key: "down", Also: []string{"j", "ctrl+n"}, Shown: "↓/j", Help: "down", When: notLast,
			Do: move(func() { s.form.at = s.form.below() })},
		{Key: "g", Also: []string{"home"}, Help: "first field", When: notFirst, Do: move(func() { s.form.at = 0 })},
		{Key: "G", Also: []string{"end"}, Help: "go to Review", When: notLast,
			Do: move(func() { s.form.at = s.form.reviewButton() })},
	}
}

func (s *Screen) twiceActions() views.Actions {
	confirm := func(a action) func() tea.Cmd {
		return func() tea.Cmd { return s.confirm(a) }
	}
	maySend := func() bool { return !s.env.Now().Before(s.attempt.notBefore) }
	unknown := func() bool { return s.step == uncertain && s.question == noQuestion }
	return views.Actions{
		{Key: "enter", Help: "create draft", When: func() bool { return s.step == reviewing && maySend() },
			Do: confirm(propose)},
		{Key: "enter", Help: "this is my draft", When: func() bool {
			_, chosen := s.search.chosen()
			return unknown() && chosen
		}, Do: confirm(adopt)},
		{Key: "s", Help: "resend, same key", When: func() bool { return unknown() && maySend() }, Do: confirm(resend)},
	}
}

// hasRoom reports whether the form can have another line item.
func (s *Screen) hasRoom() bool { return len(s.form.lines) < maxLines }

// inLine reports whether the cursor is in a line item.
func (s *Screen) inLine() bool {
	_, ok := s.form.lineAt()
	return ok
}

func (s *Screen) canRaise() bool {
	i, ok := s.form.lineAt()
	return ok && i > 0
}

func (s *Screen) canLower() bool {
	i, ok := s.form.lineAt()
	return ok && i < len(s.form.lines)-1
}

// active returns the keys of what is open, without those that must be pressed twice.
func (s *Screen) active() views.Actions {
	a := &s.actions
	switch {
	case s.closed():
	case s.question != noQuestion:
		return a.answers
	case s.typing():
		return a.typing
	case s.step == filling:
		return a.browsing
	case s.step == reviewing:
		return a.review
	case s.step == uncertain:
		return a.search
	case s.step == finished:
		return a.finished
	}
	return nil
}

// Help returns the keys that work now, starting with the page's own keys.
func (s *Screen) Help() []views.HelpGroup {
	keys, open := s.active().Help("Propose"), !s.closed()
	if open {
		keys.Bindings = append(s.actions.twice.Help("").Bindings, keys.Bindings...)
	}
	_, chosen := s.search.chosen()
	return []views.HelpGroup{keys, s.nav.Help("Move",
		open && (s.step == uncertain && chosen || s.scrolls() && s.hiddenLines() > 0))}
}

// scrolls reports whether the page shows the review or the created invoice, which scroll by lines.
func (s *Screen) scrolls() bool {
	return s.step == reviewing || s.step == sending || s.step == finished
}

// press handles a key press. A key without an effect cancels a confirmation that waits for its
// second press, and closes a question.
func (s *Screen) press(press tea.KeyPressMsg) tea.Cmd {
	if s.closed() {
		return nil
	}
	if cmd, handled := s.actions.twice.Press(press); handled {
		return cmd
	}
	if s.step == reviewing || s.step == uncertain {
		s.confirmation.cancel()
	}
	if cmd, handled := s.active().Press(press); handled {
		return cmd
	}
	switch {
	case s.question != noQuestion:
		s.question = noQuestion
	case s.typing():
		return s.write(press)
	case s.step == filling:
		return s.moved()
	case s.step == uncertain:
		s.search.table.Update(press, s.nav)
	case s.scrolls():
		if lines, ok := s.nav.LineMove(press, max(1, s.room())); ok {
			s.offset += lines
		}
	}
	return nil
}

// write passes a key press or a paste to the field that has the focus.
func (s *Screen) write(msg tea.Msg) tea.Cmd {
	t := s.form.text(s.form.at)
	if !t.Update(msg) {
		return nil
	}
	delete(s.form.refused, t)
	s.restored, s.problem = "", ""
	return s.updateDraft(false)
}

// moved lets the user type on in a field that the cursor has reached, and saves the draft.
func (s *Screen) moved() tea.Cmd {
	if s.keepTyping {
		s.continueTyping()
	}
	return s.updateDraft(true)
}

// answerYes closes the question and does what it asks.
func (s *Screen) answerYes() tea.Cmd {
	question := s.question
	s.question = noQuestion
	if question == discardDraft {
		return s.startNew()
	}
	return s.removeLine()
}
