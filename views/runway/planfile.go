package runway

import (
	"errors"
	"io/fs"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/plan"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// rereadAfter is how often a visible page reads the plan, which other programs may edit.
const rereadAfter = 3 * time.Second

// planText is the text of the plan and the state of its store.
type planText struct {
	store   plan.Store
	stored  string // as it is in the store; "" if it is missing there
	first   string // as it was in the store at first, if hasRead is set
	hasRead bool
	text    string // stored, with unwritten what-ifs of earlier versions
	of      *plan.Plan
	problem string // why the stored text is invalid; of is the last valid plan
	reading bool
	readAt  time.Time
	hasOrg  bool   // the organization was known when it was read
	unsaved string // text that is being written; otherwise ""
}

// planReadMsg is the text of the plan, or why it could not be read.
type planReadMsg struct {
	stored, text string
	of           *plan.Plan
	hasOrg       bool
	err          error
}

// planWrittenMsg is the outcome of writing the plan. done is the notice of success.
type planWrittenMsg struct {
	planReadMsg
	done string
}

// readDue returns the command that reads the plan if it is due and the user is not typing.
func (s *Screen) readDue() tea.Cmd {
	k := &s.file
	_, known := s.Snapshot.Ping.Value()
	isNew := k.readAt.IsZero() || known != k.hasOrg || s.Now().Sub(k.readAt) >= rereadAfter
	if k.reading || k.unsaved != "" || s.Typing() || !isNew {
		return nil
	}
	return s.readPlan()
}

// readPlan returns the command that reads the plan. It adds what-ifs of earlier versions only if
// the organization is known.
func (s *Screen) readPlan() tea.Cmd {
	s.file.reading, s.file.readAt = true, s.Now()
	org := ""
	if ping, known := s.Snapshot.Ping.Value(); known {
		org = ping.OrgID
	}
	store, folder, origin, currency := s.file.store, s.Drafts, s.Origin, s.Snapshot.Currency()
	return func() tea.Msg {
		of, stored, err := store.Read()
		msg := planReadMsg{stored: stored, text: stored, of: of, hasOrg: org != "", err: err}
		if errors.Is(err, fs.ErrNotExist) {
			msg.err = nil
		}
		if msg.err != nil || org == "" || currency == "" {
			return msg
		}
		if msg.text = plan.CarryOver(stored, folder, origin, org, currency); msg.text != stored {
			msg.of, msg.err = plan.Parse(msg.text)
		}
		return msg
	}
}

// storeRead shows a plan that was read. If its text is invalid, the last valid plan stays, marked
// as old.
func (s *Screen) storeRead(msg planReadMsg) {
	k := &s.file
	if !k.hasRead && msg.err == nil {
		k.hasRead, k.first = true, msg.stored
	}
	k.reading, k.hasOrg = false, msg.hasOrg
	same := msg.text == k.text && (msg.err != nil) == (k.problem != "")
	k.problem = ""
	if msg.err != nil {
		k.problem = termtext.Line(msg.err.Error())
		return
	}
	k.stored = msg.stored
	if !same || k.of == nil {
		k.text, k.of = msg.text, msg.of
		s.column = s.knownColumn(s.column)
		s.form.relocate()
	}
}

// write returns the command that replaces the text of the plan. done is the notice of success.
func (s *Screen) write(text, done string) tea.Cmd {
	k := &s.file
	k.unsaved = text
	store, before, hasOrg := k.store, k.stored, k.hasOrg
	return func() tea.Msg {
		err := store.Replace(before, text)
		msg := planReadMsg{stored: text, text: text, hasOrg: hasOrg, err: err}
		if err == nil {
			msg.of, _, msg.err = store.Read()
		}
		return planWrittenMsg{msg, done}
	}
}

// storeWritten shows a plan that was written. After a failure the typed text stays, and the store
// is read again.
func (s *Screen) storeWritten(msg planWrittenMsg) tea.Cmd {
	s.file.unsaved = ""
	if msg.err != nil {
		return tea.Batch(views.Warn(termtext.Line("not written: "+msg.err.Error())), s.readPlan())
	}
	s.form.finish()
	s.storeRead(msg.planReadMsg)
	return views.Tell(msg.done)
}

// work returns how many lines of a plan that isn't saved would be lost.
func (s *Screen) work() []string {
	if s.file.store.IsKept() || !s.hasLines() || s.file.stored == s.file.first {
		return nil
	}
	return []string{plural.Count(len(s.file.of.Lines), "line") + " of a plan"}
}

// Flush writes a text that is being written and returns the error if that fails. The root model
// calls it before the program ends.
func (s *Screen) Flush() error {
	k := &s.file
	if k.unsaved == "" {
		return nil
	}
	err := k.store.Replace(k.stored, k.unsaved)
	if errors.Is(err, plan.ErrChanged) {
		if _, text, readErr := k.store.Read(); readErr == nil && text == k.unsaved {
			return nil // the command has written it
		}
	}
	return err
}

// Release returns nil: a plan isn't locked.
func (s *Screen) Release() error { return nil }
