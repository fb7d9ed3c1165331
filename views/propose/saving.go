package propose

import (
	"errors"
	"io/fs"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/internal/termtext"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// saveAfter is the delay between a change in the form and the saving of the draft.
const saveAfter = 400 * time.Millisecond

// saving is the current draft and the state of its file.
type saving struct {
	proposal.Saved
	origin    string // the server's origin, one part of Org
	opened    bool
	requested bool      // loading the draft from the store has begun
	completed uint64    // highest Sequence whose write has ended
	dirty     bool      // the draft has unsaved changes
	waiting   bool      // a saveDue message is scheduled
	failure   error     // error of the latest write; nil if it succeeded
	onDisk    time.Time // when the draft on disk was saved; zero without one
}

// draftLoaded delivers the saved draft. Without a saved draft, it delivers a new one with a new
// idempotency key.
type draftLoaded struct {
	draft         draft.Draft
	openElsewhere bool // another running tarmac program edits a draft for this organization
	err           error
}

// saveDue is sent when saveAfter has passed since a change in the form.
type saveDue struct{}

// saveResult is the outcome of saving or discarding the draft.
type saveResult struct {
	sequence uint64
	savedAt  time.Time // zero if the draft was discarded
	err      error
}

// load returns the command that reads the saved draft once the page has been opened and the
// organization is known. It returns that command only once.
func (s *Screen) load() tea.Cmd {
	k := &s.saving
	if k.requested || !k.opened || s.env.ReadOnly {
		return nil
	}
	ping, known := s.data.Ping.Value()
	if !known {
		return nil
	}
	k.requested, k.Org = true, draft.OrgKey(k.origin, ping.OrgID)
	org, store, entropy, now := k.Org, k.Store, s.env.Entropy, s.env.Now()
	return func() tea.Msg {
		d, openElsewhere, err := proposal.OpenDraft(store, org, entropy, now)
		return draftLoaded{d, openElsewhere, err}
	}
}

// draftOpened fills the form with the loaded draft. If the draft was sent and the outcome is
// unknown, it returns the command that searches for the invoice.
func (s *Screen) draftOpened(msg draftLoaded) tea.Cmd {
	s.step, s.saving.Draft = filling, msg.draft
	if msg.err == nil {
		s.saving.onDisk = msg.draft.SavedAt
	}
	s.form.fill(msg.draft)
	switch {
	case !msg.draft.SentAt.IsZero():
		s.attempt.sent = s.form.parse(s.today())
		return s.outcomeUnknown(proposal.Interrupted)
	case msg.err == nil:
		s.restored = "Draft from " + panel.Age(s.env.Now().Sub(msg.draft.SavedAt)) + " ago restored."
		s.resume()
		return nil
	case !errors.Is(msg.err, fs.ErrNotExist):
		s.problem = sentence(msg.err)
	case msg.openElsewhere:
		s.restored = proposal.OpenElsewhere
	}
	s.form.name.Focus()
	return nil
}

// resume moves the cursor to the first invalid field, or to the review button if all fields are
// valid.
func (s *Screen) resume() {
	r := s.form.parse(s.today())
	at, found := s.form.firstProblem(&r)
	if !found {
		at = s.form.reviewButton()
	}
	s.form.at = at
	s.continueTyping()
}

// draftChanged copies the form into the draft and schedules a save.
func (s *Screen) draftChanged() tea.Cmd {
	k := &s.saving
	if err := k.Change(s.env.Entropy); err != nil {
		return views.Warn(sentence(err))
	}
	s.form.copyTo(&k.Draft)
	k.dirty = true
	if k.waiting || k.Store == nil {
		return nil
	}
	k.waiting = true
	return s.after(saveAfter, saveDue{})
}

// save returns the command that saves the draft, or that deletes its file if the form is empty. It
// returns nil if the draft is unchanged since the last save.
func (s *Screen) save() tea.Cmd {
	k := &s.saving
	if !k.dirty || k.Store == nil {
		return nil
	}
	write, savedAt := s.beginWrite(), k.Draft.SavedAt
	if s.form.empty() && k.Draft.SentAt.IsZero() {
		write, savedAt = k.Remove(), time.Time{}
	}
	sequence := k.Sequence
	return func() tea.Msg { return saveResult{sequence, savedAt, write()} }
}

// beginWrite returns the function that writes the draft to its file. From now on, the draft counts
// as saved.
func (s *Screen) beginWrite() func() error {
	s.saving.dirty = false
	return s.saving.Write(s.env.Now())
}

// discard replaces the draft with an empty one that has a new idempotency key. It returns the
// command that deletes the draft's file.
func (s *Screen) discard() tea.Cmd {
	s.saving.dirty = false
	remove, err := s.saving.Discard(s.env.Entropy)
	if err != nil {
		s.problem = sentence(err)
	}
	sequence := s.saving.Sequence
	return func() tea.Msg { return saveResult{sequence: sequence, err: remove()} }
}

// Flush saves all unsaved changes before the program ends. If a save is still running, Flush saves
// again, because the outcome of that save could no longer be reported.
func (s *Screen) Flush() error {
	s.saving.dirty = s.saving.dirty || s.saving.completed < s.saving.Sequence
	if s.step == filling {
		s.form.leave(s.today())
		if s.form.differsFrom(s.saving.Draft) {
			s.form.copyTo(&s.saving.Draft)
			s.saving.dirty = true
		}
	}
	cmd := s.save()
	if cmd == nil {
		return nil
	}
	result, _ := cmd().(saveResult)
	return result.err
}

// record stores the outcome of a write. Writes may end out of order, and only the outcome of the
// newest sets failure.
func (k *saving) record(msg saveResult) {
	if msg.err == nil && msg.sequence > k.completed {
		k.onDisk = msg.savedAt
	}
	k.completed = max(k.completed, msg.sequence)
	if msg.sequence != k.Sequence {
		return
	}
	k.failure = msg.err
	if msg.err != nil {
		k.dirty = true
	}
}

// sentence returns the text of an error as one line that ends with a period.
func sentence(err error) string {
	text := termtext.Line(err.Error())
	if text == "" {
		return ""
	}
	return text + "."
}

// Release unlocks the draft for other running tarmac programs. Call Flush first, which saves the
// draft.
func (s *Screen) Release() error { return s.saving.Store.Close() }
