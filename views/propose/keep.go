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

// saveAfter is how long what was typed may be unsaved.
const saveAfter = 400 * time.Millisecond

// keeping is the draft as it is to be kept, and how far that has come.
type keeping struct {
	store   *draft.Store // nil keeps nothing
	origin  string       // of the server
	org     string       // whose the draft is, as the store names it
	wanted  bool         // the page was opened
	asked   bool         // the draft is being read, or was
	draft   draft.Draft
	turn    uint64
	settled uint64    // the last turn whose outcome is known
	dirty   bool      // the draft has changed since it was last saved
	waiting bool      // for the moment to save it
	failure error     // of the last save
	onDisk  time.Time // when the draft that is on the disk was saved; zero where none is
}

// loaded is the draft that was kept.
type loaded struct {
	draft  draft.Draft
	beside bool // another program is writing one too
	err    error
}

// saveDue says that what was typed is to be saved.
type saveDue struct{}

// kept is the outcome of saving or discarding.
type kept struct {
	turn    uint64
	savedAt time.Time // zero of one that was discarded
	err     error
}

// load returns the command that reads the draft, once the page is open and it is
// known whose it is.
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

// opened puts the draft into the form. One that was sent without an answer leads to
// the search for what became of it.
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

// resume goes on with a draft at the first field that keeps it from being sent, or
// before the review.
func (s *Screen) resume() {
	r := s.form.read(s.today())
	at, found := s.form.firstProblem(&r)
	if !found {
		at = s.form.reviewButton()
	}
	s.form.at = at
	s.follow()
}

// changed notes what was typed. What was sent before has another text now, and a key
// stands for one text only.
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

// save returns the command that saves the draft, nil when it is saved already.
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

// turn takes the next turn to write the draft.
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

// discard returns the command that removes the draft, and begins one with a key of
// its own.
func (s *Screen) discard() tea.Cmd {
	store, org, turn, d := s.turn()
	key, err := proposal.NewKey(s.env.Entropy)
	if err != nil {
		s.problem = sentence(err)
	}
	s.keeping.draft = draft.Draft{Key: key}
	return func() tea.Msg { return kept{turn: turn, err: write(store, org, turn, d, true)} }
}

// Flush saves what was typed since the last save, for when the program ends. What is
// still being saved is saved again: nobody waits for that any more.
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

// settle notes how saving went; an older attempt says nothing about a newer one.
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

// sentence writes an error as one line of its own.
func sentence(err error) string {
	text := termtext.Line(err.Error())
	if text == "" {
		return ""
	}
	return text + "."
}
