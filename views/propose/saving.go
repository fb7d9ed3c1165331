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
	store     *draft.Store // nil if drafts are not saved
	origin    string       // the server's origin, one part of org
	org       string       // key of the draft in the store, made from origin and organization ID
	opened    bool
	requested bool // loading the draft from the store has begun
	draft     draft.Draft
	revision  uint64    // number of the latest write of the draft
	completed uint64    // highest revision whose write has ended
	dirty     bool      // the draft has unsaved changes
	waiting   bool      // a saveDue message is scheduled
	failure   error     // error of the latest write; nil if it succeeded
	onDisk    time.Time // when the draft on disk was saved; zero if there is none
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
	revision uint64
	savedAt  time.Time // zero if the draft was discarded
	err      error
}

// load returns the command that reads the saved draft. It returns nil until the page has been
// opened and the organization is known. It also returns nil after the first call that returned a
// command.
func (s *Screen) load() tea.Cmd {
	k := &s.saving
	if k.requested || !k.opened || s.env.ReadOnly {
		return nil
	}
	ping, known := s.data.Ping.Value()
	if !known {
		return nil
	}
	k.requested, k.org = true, draft.OrgKey(k.origin, ping.OrgID)
	org, store, entropy, now := k.org, k.store, s.env.Entropy, s.env.Now()
	return func() tea.Msg {
		answer := draftLoaded{err: fs.ErrNotExist}
		if store != nil {
			answer.draft, answer.openElsewhere, answer.err = store.Open(org, now)
		}
		if answer.draft.Key == "" {
			key, err := proposal.NewKey(entropy)
			answer.draft.Key = key
			answer.err = errors.Join(answer.err, err)
		}
		return answer
	}
}

// opened fills the form with the loaded draft. If the draft was sent and the outcome is unknown, it
// returns the command that searches for the invoice.
func (s *Screen) opened(msg draftLoaded) tea.Cmd {
	s.stage, s.saving.draft = filling, msg.draft
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
		s.restored = "Another tarmac has a draft open for this organization; this draft is saved separately."
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

// changed copies the form into the draft and schedules a save. A draft that was already sent gets a
// new idempotency key, because each key stands for one request body.
func (s *Screen) changed() tea.Cmd {
	k := &s.saving
	if s.attempt.keyUsed {
		key, err := proposal.NewKey(s.env.Entropy)
		if err != nil {
			return views.Warn(sentence(err))
		}
		k.draft.Key, s.attempt.keyUsed = key, false
	}
	s.form.copyTo(&k.draft)
	k.dirty = true
	if k.waiting || k.store == nil {
		return nil
	}
	k.waiting = true
	return s.after(saveAfter, saveDue{})
}

// save returns the command that saves the draft, or that deletes its file if the form is empty. It
// returns nil if nothing has changed since the last save.
func (s *Screen) save() tea.Cmd {
	k := &s.saving
	if !k.dirty || k.store == nil {
		return nil
	}
	store, org, revision, d := s.beginWrite()
	discard := s.form.empty() && d.SentAt.IsZero()
	savedAt := d.SavedAt
	if discard {
		savedAt = time.Time{}
	}
	return func() tea.Msg { return saveResult{revision, savedAt, write(store, org, revision, d, discard)} }
}

// beginWrite starts a new revision of the draft and returns the arguments for write.
func (s *Screen) beginWrite() (*draft.Store, string, uint64, draft.Draft) {
	k := &s.saving
	k.dirty = false
	k.revision++
	k.draft.SavedAt = s.env.Now().UTC()
	return k.store, k.org, k.revision, k.draft
}

func write(store *draft.Store, org string, revision uint64, d draft.Draft, discard bool) error {
	switch {
	case store == nil:
		return nil
	case discard:
		return store.Discard(org, revision)
	}
	return store.Save(org, revision, d)
}

// discard replaces the draft with an empty one that has a new idempotency key. It returns the
// command that deletes the draft's file.
func (s *Screen) discard() tea.Cmd {
	store, org, revision, d := s.beginWrite()
	key, err := proposal.NewKey(s.env.Entropy)
	if err != nil {
		s.problem = sentence(err)
	}
	s.saving.draft = draft.Draft{Key: key}
	return func() tea.Msg { return saveResult{revision: revision, err: write(store, org, revision, d, true)} }
}

// Flush saves all unsaved changes before the program ends. If a save is still running, Flush saves
// again, because the outcome of that save could no longer be reported.
func (s *Screen) Flush() error {
	s.saving.dirty = s.saving.dirty || s.saving.completed < s.saving.revision
	if s.stage == filling {
		s.form.leave(s.today())
		if s.form.differsFrom(s.saving.draft) {
			s.form.copyTo(&s.saving.draft)
			s.saving.dirty = true
		}
	}
	cmd := s.save()
	if cmd == nil {
		return nil
	}
	if done, ok := cmd().(saveResult); ok {
		return done.err
	}
	return nil
}

// record stores the outcome of a write. Writes may end out of order, and only the outcome of the
// newest sets failure.
func (k *saving) record(msg saveResult) {
	if msg.err == nil && msg.revision > k.completed {
		k.onDisk = msg.savedAt
	}
	k.completed = max(k.completed, msg.revision)
	if msg.revision != k.revision {
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
