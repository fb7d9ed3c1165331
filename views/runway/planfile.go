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

// rereadAfter is the time after which a visible page reads the plan again, which others may edit.
const rereadAfter = 3 * time.Second

// planText is the text of the plan, and what is known of its store.
type planText struct {
	store   plan.Store
	stored  string // as it is in the store; "" without one
	first   string // as it was in the store when it was read first; begun says that it was read
	begun   bool
	text    string // stored, with what-ifs of earlier versions that are not written yet
	of      *plan.Plan
	problem string // why the text cannot be read now; of is the last one that could
	reading bool
	readAt  time.Time
	carried bool   // the organization was known when it was read
	unsaved string // text that is being written; "" if none is
}

// planReadMsg is the text of the plan, or why it could not be read.
type planReadMsg struct {
	stored, text string
	of           *plan.Plan
	carried      bool
	err          error
}

// planWrittenMsg is the outcome of writing the plan. done is the notice of success.
type planWrittenMsg struct {
	planReadMsg
	done string
}

// readDue returns the command that reads the plan, if the page is visible and that is due. While a
// line is typed or a question is open, the plan stays as it is.
func (s *Screen) readDue() tea.Cmd {
	k := &s.file
	_, known := s.data.Ping.Value()
	isNew := k.readAt.IsZero() || known != k.carried || s.env.Now().Sub(k.readAt) >= rereadAfter
	if k.reading || k.unsaved != "" || !s.visible || s.layers.Open() || !isNew {
		return nil
	}
	return s.readPlan()
}

// readPlan returns the command that reads the plan. Without the ID of the organization, what-ifs of
// earlier versions are not known yet.
func (s *Screen) readPlan() tea.Cmd {
	s.file.reading, s.file.readAt = true, s.env.Now()
	org := ""
	if ping, known := s.data.Ping.Value(); known {
		org = ping.OrgID
	}
	store, folder, origin, currency := s.file.store, s.env.Drafts, s.env.Origin, s.data.Currency()
	return func() tea.Msg {
		of, stored, err := store.Read()
		msg := planReadMsg{stored: stored, text: stored, of: of, carried: org != "", err: err}
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

// storeRead shows a plan that was read. A text that is no plan leaves the last good one, which is
// marked as old.
func (s *Screen) storeRead(msg planReadMsg) {
	k := &s.file
	if !k.begun && msg.err == nil {
		k.begun, k.first = true, msg.stored
	}
	k.reading, k.carried = false, msg.carried
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

// write returns the command that writes a text in the place of the one that was read, and tells of
// its success.
func (s *Screen) write(text, done string) tea.Cmd {
	k := &s.file
	k.unsaved = text
	store, was, carried := k.store, k.stored, k.carried
	return func() tea.Msg {
		err := store.Replace(was, text)
		msg := planReadMsg{stored: text, text: text, carried: carried, err: err}
		if err == nil {
			msg.of, _, msg.err = store.Read()
		}
		return planWrittenMsg{msg, done}
	}
}

// storeWritten shows a plan that was written. If it could not be, what was typed stays, and the
// store is read again.
func (s *Screen) storeWritten(msg planWrittenMsg) tea.Cmd {
	s.file.unsaved = ""
	if msg.err != nil {
		return tea.Batch(views.Warn(termtext.Line("not written: "+msg.err.Error())), s.readPlan())
	}
	s.form.finish()
	s.storeRead(msg.planReadMsg)
	return views.Tell(msg.done)
}

// Work returns how many lines of a plan are gone at the end, unless the plan is as it came.
func (s *Screen) Work() []string {
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
