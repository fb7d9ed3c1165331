package propose

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/views"
)

type keyMap struct {
	views.Navigation // used in the review and the list of drafts

	// Keys of the form while a field has the focus.
	Next, Previous, Leave, Net, AddHere, RemoveHere, MoveUp, MoveDown, Review key.Binding
	// Keys of the form while no field has the focus.
	Above, Below, Forward, Backward, First, Last, Type, Add, Remove, Raise, Lower, Discard, Yes key.Binding
	// Keys of the review and of the pages after it.
	Propose, Edit, Adopt, Resend key.Binding
	Show, New, CopyNumber        key.Binding
}

func newKeyMap() keyMap {
	bind := func(shown, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
	}
	return keyMap{
		Navigation: views.NewNavigation(),

		Next:       bind("tab", "next field", "tab", "enter", "down"),
		Previous:   bind("shift+tab", "previous field", "shift+tab", "up"),
		Leave:      bind("esc", "leave", "esc"),
		Net:        bind("ctrl+n", "net 15, 30, 60", "ctrl+n"),
		AddHere:    bind("ctrl+o", "add line", "ctrl+o"),
		RemoveHere: bind("ctrl+x", "remove line", "ctrl+x"),
		MoveUp:     bind("alt+↑", "move line up", "alt+up"),
		MoveDown:   bind("alt+↓", "move line down", "alt+down"),
		Review:     bind("ctrl+s", "review", "ctrl+s"),

		Above:    bind("↑/k", "up", "up", "k", "ctrl+p"),
		Below:    bind("↓/j", "down", "down", "j", "ctrl+n"),
		Forward:  bind("tab", "next field", "tab", "right", "l"),
		Backward: bind("shift+tab", "previous field", "shift+tab", "left", "h"),
		First:    bind("g", "first field", "g", "home"),
		Last:     bind("G", "go to Review", "G", "end"),
		Type:     bind("enter", "type", "enter", "i"),
		Add:      bind("a", "add line", "a", "ctrl+o"),
		Remove:   bind("x", "remove line", "x", "ctrl+x"),
		Raise:    bind("K", "move line up", "K", "alt+up"),
		Lower:    bind("J", "move line down", "J", "alt+down"),
		Discard:  bind("D", "discard draft", "D"),
		Yes:      bind("y", "yes", "y"),

		Propose: bind("enter", "create draft", "enter"),
		Edit:    bind("c", "change", "c"),
		Adopt:   bind("enter", "this is my draft", "enter"),
		Resend:  bind("s", "resend, same key", "s"),

		Show:       bind("enter", "open invoice", "enter", "o"),
		New:        bind("n", "new invoice", "n"),
		CopyNumber: bind("y", "copy number", "y"),
	}
}

// updateKeys enables the keys that have an effect now and disables all others. It also lays out the
// page, because the movement keys depend on whether the page scrolls.
func (s *Screen) updateKeys() {
	k, f := &s.keys, s.form
	open := !s.closed()
	form := open && s.stage == filling && s.question == nothing
	typing := s.Typing()
	i, inLine := f.lineAt()
	room := len(f.lines) < maxLines

	enable(typing, &k.Next, &k.Previous, &k.Leave)
	enable(typing && f.at == atDue, &k.Net)
	enable(typing && room, &k.AddHere)
	enable(typing && inLine, &k.RemoveHere)
	enable(typing && inLine && i > 0, &k.MoveUp)
	enable(typing && inLine && i < len(f.lines)-1, &k.MoveDown)
	enable(form, &k.Review)

	between := form && !typing
	enable(between, &k.Type)
	enable(between && f.at > 0, &k.Above, &k.Backward, &k.First)
	enable(between && f.at < f.reviewButton(), &k.Below, &k.Forward, &k.Last)
	enable(between && room, &k.Add)
	enable(between && inLine, &k.Remove)
	enable(between && inLine && i > 0, &k.Raise)
	enable(between && inLine && i < len(f.lines)-1, &k.Lower)
	enable(between && !f.empty() || open && s.question == nothing && s.stage == uncertain, &k.Discard)
	enable(open && s.question != nothing, &k.Yes)
	k.Type.SetHelp("enter", map[int]string{f.addButton(): "add line", f.reviewButton(): "review"}[f.at])
	if k.Type.Help().Desc == "" {
		k.Type.SetHelp("enter", "type")
	}

	enable(open && s.stage == reviewing && !s.env.Now().Before(s.attempt.notBefore), &k.Propose)
	enable(open && s.stage == reviewing, &k.Edit)
	_, chosen := s.search.chosen()
	enable(open && s.stage == uncertain && s.question == nothing && chosen, &k.Adopt)
	enable(open && s.stage == uncertain && s.question == nothing && !s.env.Now().Before(s.attempt.notBefore), &k.Resend)
	enable(open && s.stage == finished, &k.Show, &k.New, &k.CopyNumber)

	s.arrange()
	k.EnableMoves(open && (s.stage == uncertain && chosen || s.scrolls() && s.hiddenLines() > 0))
}

// scrolls reports whether the page shows the review or the created invoice, which scroll by lines.
func (s *Screen) scrolls() bool {
	return s.stage == reviewing || s.stage == sending || s.stage == finished
}

func enable(on bool, bindings ...*key.Binding) {
	for _, b := range bindings {
		b.SetEnabled(on)
	}
}

// Help returns the keys that work now, starting with the page's own keys.
func (s *Screen) Help() []views.HelpGroup {
	k := s.keys
	bindings := []key.Binding{
		k.Yes, k.Propose, k.Adopt, k.Resend, k.Show, k.New, k.CopyNumber, k.Edit,
		k.Type, k.Leave, k.Next, k.Review, k.Net, k.AddHere, k.RemoveHere, k.Previous, k.MoveUp, k.MoveDown,
		k.Add, k.Remove, k.Discard, k.Raise, k.Lower, k.Forward, k.Backward, k.Above, k.Below, k.First, k.Last,
	}
	return []views.HelpGroup{{Title: "Propose", Bindings: bindings}, {Title: "Move", Bindings: k.Moves()}}
}

// actionFor returns the action of a key that must be pressed twice. For other keys, ok is false.
func (s *Screen) actionFor(press tea.KeyPressMsg) (a action, ok bool) {
	switch {
	case key.Matches(press, s.keys.Propose):
		return propose, true
	case key.Matches(press, s.keys.Adopt):
		return adopt, true
	case key.Matches(press, s.keys.Resend):
		return resend, true
	}
	return 0, false
}

// handleTyping handles a key press or a paste while a field has the focus.
func (s *Screen) handleTyping(msg tea.Msg) tea.Cmd {
	press, _ := msg.(tea.KeyPressMsg)
	k, f := s.keys, s.form
	switch {
	case key.Matches(press, k.Leave):
		f.leave(s.today())
	case key.Matches(press, k.Next):
		f.move(f.next(press), s.today())
		s.continueTyping()
	case key.Matches(press, k.Previous):
		f.move(f.previous(press), s.today())
		s.continueTyping()
	case key.Matches(press, k.Net):
		f.nextNet(s.today())
	case key.Matches(press, k.Review):
		return s.review()
	case key.Matches(press, k.AddHere):
		return s.addLine()
	case key.Matches(press, k.RemoveHere):
		return s.askToRemove()
	case key.Matches(press, k.MoveUp):
		f.shift(-1)
	case key.Matches(press, k.MoveDown):
		f.shift(1)
	default:
		if t := f.text(f.at); t.Update(msg) {
			delete(f.refused, t)
			s.restored, s.problem = "", ""
			return s.updateDraft(false)
		}
		return nil
	}
	return s.updateDraft(true)
}

// handleBrowsing handles a key press in the form while no field has the focus.
func (s *Screen) handleBrowsing(press tea.KeyPressMsg) tea.Cmd {
	k, f := s.keys, s.form
	keepTyping := s.keepTyping
	s.keepTyping = false
	switch {
	case key.Matches(press, k.Type) && f.at == f.addButton():
		return s.addLineByButton()
	case key.Matches(press, k.Add):
		return s.addLine()
	case key.Matches(press, k.Type) && f.at == f.reviewButton(), key.Matches(press, k.Review):
		return s.review()
	case key.Matches(press, k.Type):
		s.focus()
	case key.Matches(press, k.Above):
		f.at = f.above()
	case key.Matches(press, k.Below):
		f.at = f.below()
	case key.Matches(press, k.Backward):
		f.at--
	case key.Matches(press, k.Forward):
		f.at++
	case key.Matches(press, k.First):
		f.at = 0
	case key.Matches(press, k.Last):
		f.at = f.reviewButton()
	case key.Matches(press, k.Remove):
		return s.askToRemove()
	case key.Matches(press, k.Raise):
		f.shift(-1)
	case key.Matches(press, k.Lower):
		f.shift(1)
	case key.Matches(press, k.Discard):
		s.question = discardDraft
	}
	if keepTyping {
		s.continueTyping()
	}
	return s.updateDraft(true)
}

// handleReview handles a key press on the review.
func (s *Screen) handleReview(press tea.KeyPressMsg) tea.Cmd {
	if key.Matches(press, s.keys.Edit) {
		s.stage, s.offset = filling, 0
	} else {
		s.scroll(press)
	}
	return nil
}

// scroll handles a key press that scrolls the review or the created invoice.
func (s *Screen) scroll(press tea.KeyPressMsg) {
	if lines, ok := s.keys.LineMove(press, max(1, s.room())); ok {
		s.offset += lines
	}
}

// handleSearch handles a key press while the outcome of the proposal is unknown.
func (s *Screen) handleSearch(press tea.KeyPressMsg) tea.Cmd {
	if key.Matches(press, s.keys.Discard) {
		s.question = discardDraft
		return nil
	}
	s.search.table.Update(press, s.keys.Navigation)
	return nil
}

// handleFinished handles a key press after the invoice was created.
func (s *Screen) handleFinished(press tea.KeyPressMsg) tea.Cmd {
	k := s.keys
	switch {
	case key.Matches(press, k.Show):
		return views.Go(views.Invoices, views.InvoiceTarget{ID: s.invoice.ID})
	case key.Matches(press, k.New):
		return s.startNew()
	case key.Matches(press, k.CopyNumber):
		return views.PutOnClipboard("the invoice's number", s.invoice.Number)
	default:
		s.scroll(press)
	}
	return nil
}
