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

// saveAfter is the delay between typing and saving.
const saveAfter = 400 * time.Millisecond

// keeping is the current draft and the state of saving it.
type keeping struct {
	store   *draft.Store // nil if drafts are not saved
	origin  string       // the server's origin
	org     string       // the owner of the draft in the store
	wanted  bool         // the page was opened
	asked   bool         // the draft was requested from the store
	draft   draft.Draft
	turn    uint64
	settled uint64    // the last turn with a known outcome
	dirty   bool      // the draft has unsaved changes
	waiting bool      // a save is scheduled
	failure error     // the error of the last save
	onDisk  time.Time // when the draft on disk was saved; zero if there is none
}

// loaded is the saved draft, or a new one with a fresh key.
type loaded struct {
	draft  draft.Draft
	beside bool // another running program has a draft too
	err    error
}

// saveDue says that the delay before a save has passed.
type saveDue struct{}

// kept is the outcome of saving or discarding the draft.
type kept struct {
	turn    uint64
	savedAt time.Time // zero if the draft was discarded
	err     error
}

// load returns the command that reads the saved draft, once the page is open and its owner is
// known.
func (s *Screen) load() tea.Cmd {
	k := &s.keeping
	if k.asked || !k.wanted || s.env.ReadOnly {
		return nil
	}
	ping, known := s.data.Ping.Value()
	if !known {
		return nil
	}
	k.asked, k.org = true, draft.Owner(k.origin, ping.OrgID)
	org, store, entropy, now := k.org, k.store, s.env.Entropy, s.env.Now()
	return func() tea.Msg {
		answer := loaded{err: fs.ErrNotExist}
		if store != nil {
			answer.draft, answer.beside, answer.err = store.Open(org, now)
		}
		if answer.draft.Key == "" {
			key, err := proposal.NewKey(entropy)
			answer.draft.Key = key
			answer.err = errors.Join(answer.err, err)
		}
		return answer
	}
}

// opened fills the form with the draft. If the draft was sent without a response, it starts the
// search for its invoice.
func (s *Screen) opened(msg loaded) tea.Cmd {
	s.stage, s.keeping.draft = filling, msg.draft
	if msg.err == nil {
		s.keeping.onDisk = msg.draft.SavedAt
	}
	s.form.fill(msg.draft)
	switch {
	case !msg.draft.SentAt.IsZero():
		s.attempt.sent = s.form.read(s.today())
		return s.doubt(proposal.Interrupted)
	case msg.err == nil:
		s.restored = "Draft from " + panel.Age(s.env.Now().Sub(msg.draft.SavedAt)) + " ago restored."
		s.resume()
		return nil
	case !errors.Is(msg.err, fs.ErrNotExist):
		s.problem = sentence(msg.err)
	case msg.beside:
		s.restored = "Another tarmac has a draft open for this organization; this draft is saved separately."
	}
	s.form.name.Focus()
	return nil
}

// resume moves the cursor to the first invalid field, or to the review button if the draft is
// valid.
func (s *Screen) resume() {
	r := s.form.read(s.today())
	at, found := s.form.firstProblem(&r)
	if !found {
		at = s.form.reviewButton()
	}
	s.form.at = at
	s.follow()
}

// changed updates the draft and schedules a save. If the draft was sent before, it gets a new key,
// since a key stands for one text only.
func (s *Screen) changed() tea.Cmd {
	k := &s.keeping
	if s.attempt.made {
		key, err := proposal.NewKey(s.env.Entropy)
		if err != nil {
			return views.Warn(sentence(err))
		}
		k.draft.Key, s.attempt.made = key, false
	}
	s.form.copyTo(&k.draft)
	k.dirty = true
	if k.waiting || k.store == nil {
		return nil
	}
	k.waiting = true
	return s.after(saveAfter, saveDue{})
}

// save returns the command that saves the draft, or nil if nothing changed.
func (s *Screen) save() tea.Cmd {
	k := &s.keeping
	if !k.dirty || k.store == nil {
		return nil
	}
	store, org, turn, d := s.turn()
	discard := s.form.empty() && d.SentAt.IsZero()
	savedAt := d.SavedAt
	if discard {
		savedAt = time.Time{}
	}
	return func() tea.Msg { return kept{turn, savedAt, write(store, org, turn, d, discard)} }
}

// turn starts the next write of the draft and returns its arguments.
func (s *Screen) turn() (*draft.Store, string, uint64, draft.Draft) {
	k := &s.keeping
	k.dirty = false
	k.turn++
	k.draft.SavedAt = s.env.Now().UTC()
	return k.store, k.org, k.turn, k.draft
}

func write(store *draft.Store, org string, turn uint64, d draft.Draft, discard bool) error {
	switch {
	case store == nil:
		return nil
	case discard:
		return store.Discard(org, turn)
	}
	return store.Save(org, turn, d)
}

// discard returns the command that deletes the draft, and starts a new draft with its own key.
func (s *Screen) discard() tea.Cmd {
	store, org, turn, d := s.turn()
	key, err := proposal.NewKey(s.env.Entropy)
	if err != nil {
		s.problem = sentence(err)
	}
	s.keeping.draft = draft.Draft{Key: key}
	return func() tea.Msg { return kept{turn: turn, err: write(store, org, turn, d, true)} }
}

// Flush saves all unsaved changes before the program ends. It repeats a save that is still running,
// whose outcome would be lost.
func (s *Screen) Flush() error {
	s.keeping.dirty = s.keeping.dirty || s.keeping.settled < s.keeping.turn
	if s.stage == filling {
		s.form.leave(s.today())
		if s.form.stale(s.keeping.draft) {
			s.form.copyTo(&s.keeping.draft)
			s.keeping.dirty = true
		}
	}
	cmd := s.save()
	if cmd == nil {
		return nil
	}
	if done, ok := cmd().(kept); ok {
		return done.err
	}
	return nil
}

// settle records the outcome of a save. It ignores outcomes older than the newest.
func (k *keeping) settle(msg kept) {
	if msg.err == nil && msg.turn > k.settled {
		k.onDisk = msg.savedAt
	}
	k.settled = max(k.settled, msg.turn)
	if msg.turn != k.turn {
		return
	}
	k.failure = msg.err
	if msg.err != nil {
		k.dirty = true
	}
}

// sentence returns an error as one line that reads as a sentence.
func sentence(err error) string {
	text := termtext.Line(err.Error())
	if text == "" {
		return ""
	}
	return text + "."
}
