// Package propose is the page on which an invoice is proposed: a form, a review of
// exactly what will be sent, one request, and what became of it (docs/api.md,
// Propose-only, Invoice proposal). What was typed outlives errors, the program and
// the connection.
package propose

import (
	"context"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/proposal"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/civil"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/table"
)

// Source is what the page asks of a server; *apiclient.Client is one.
type Source interface {
	ProposeInvoice(ctx context.Context, p apiclient.InvoiceProposal, opts ...apiclient.ProposeOption) (*apiclient.Invoice, error)
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
}

// stage is where the page is on the way from a form to an invoice.
type stage int

const (
	opening   stage = iota // whose draft it is, or the draft, is not known yet
	filling                // the form
	reviewing              // what will be sent
	sending                // the one request is under way
	uncertain              // it may have been carried out, or not
	finished               // the invoice is there
)

// question is what the page waits for an answer to before it does it.
type question int

const (
	nothing question = iota
	removeLine
	discardDraft
)

// Screen is the page.
type Screen struct {
	views.Base

	data *snapshot.Snapshot

	theme         theme.Theme
	width, height int
	keys          keyMap

	stage    stage
	form     *form
	question question
	through  bool   // the cursor came to a button from a field that was typed in
	offset   int    // lines of the review that are scrolled away
	problem  string // why the last attempt came to nothing
	restored string // what the form began with

	keeping keeping
	trigger trigger
	attempt attempt
	search  search
	invoice apiclient.Invoice // that was made

	after  func(time.Duration, tea.Msg) tea.Cmd // brings a message later
	env    views.Env
	source Source
}

// New returns the page.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, keys: newKeyMap(), form: newForm(), after: later,
	}
	if env.Drafts != "" {
		s.keeping.store, s.keeping.origin = draft.NewStore(env.Drafts), env.Origin
	}
	s.search.table = table.New(searchColumns(), &s.search)
	s.SetTheme(env.Theme)
	s.settle()
	return s
}

func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// Init reads the draft that was kept.
func (s *Screen) Init() tea.Cmd {
	s.keeping.wanted = true
	return s.settled(s.load())
}

// Show makes the form ready to be typed into where it was left. An empty form, and one whose
// proposal is done, is a new one.
func (s *Screen) Show(target any) tea.Cmd {
	if _, ok := target.(views.ProposeTarget); !ok || s.closed() || s.question != nothing {
		return nil
	}
	switch s.stage {
	case filling:
		if s.form.empty() {
			s.form = newForm()
		}
		s.follow()
	case finished:
		return s.settled(s.startAnew())
	}
	return s.settled(nil)
}

// Refresh looks for the invoice again while it is not known whether it is there.
func (s *Screen) Refresh() tea.Cmd {
	if s.stage == uncertain && !s.search.found.Waiting() {
		return s.look()
	}
	return nil
}

// Update takes a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return s.settled(s.key(msg))
	case tea.PasteMsg:
		if s.Typing() {
			return s.settled(s.typed(msg))
		}
	case snapshot.Answer:
		return s.settled(s.load())
	case loaded:
		return s.settled(s.opened(msg))
	case saveDue:
		s.keeping.waiting = false
		return s.settled(s.save())
	case kept:
		s.keeping.settle(msg)
	case fired:
		if s.trigger.goesOff(msg.shot) {
			return s.settled(s.fire(msg.what))
		}
	case answered:
		return s.settled(s.answered(msg))
	case looked:
		s.looked(msg)
		s.settle()
	case views.Tick:
		return s.settled(s.tick())
	}
	return nil
}

// tick does what is due: a look that failed is tried again, and so is saving.
func (s *Screen) tick() tea.Cmd {
	switch {
	case s.stage == uncertain && resource.Due(s.search.found.State(), s.env.Now(), resource.Policy{}):
		return s.look()
	case s.keeping.failure != nil && !s.keeping.waiting && s.stage == filling:
		return s.save()
	}
	return nil
}

// settled brings the keys up to date and passes the command on.
func (s *Screen) settled(cmd tea.Cmd) tea.Cmd {
	s.settle()
	return cmd
}

// key takes a key to whatever is in front. Any key but its own takes the finger off
// the trigger.
func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if s.closed() {
		return nil
	}
	s.settle() // some keys go by the time
	if s.stage == reviewing || s.stage == uncertain {
		what, ok := s.aim(press)
		if ok {
			return s.pull(what)
		}
		s.trigger.release()
	}
	switch {
	case s.question != nothing:
		return s.reply(press)
	case s.stage == filling && s.Typing():
		return s.typed(press)
	case s.stage == filling:
		return s.moved(press)
	case s.stage == reviewing:
		return s.reviewed(press)
	case s.stage == uncertain:
		return s.searched(press)
	case s.stage == finished:
		return s.concluded(press)
	}
	return nil
}

// closed reports whether nothing can be proposed here at all.
func (s *Screen) closed() bool { return s.env.ReadOnly || s.stage == opening || s.lacksScope() }

// lacksScope reports whether the server said that the token may not propose.
func (s *Screen) lacksScope() bool {
	ping, known := s.data.Ping.Value()
	return known && ping.Scopes != nil && !slices.Contains(ping.Scopes, proposal.Scope)
}

// reply takes the answer to a question: y, or the key that asked it, does it, every
// other key does not.
func (s *Screen) reply(press tea.KeyPressMsg) tea.Cmd {
	asked := s.question
	s.question = nothing
	switch {
	case asked == removeLine && key.Matches(press, s.keys.Yes, s.keys.Remove, s.keys.RemoveHere):
		return s.removeLine()
	case asked == discardDraft && key.Matches(press, s.keys.Yes):
		return s.startAnew()
	}
	return nil
}

// startAnew drops the form and its draft.
func (s *Screen) startAnew() tea.Cmd {
	forget := s.discard()
	s.form, s.stage, s.problem, s.restored, s.offset = newForm(), filling, "", "", 0
	s.attempt = attempt{number: s.attempt.number}
	s.form.name.Focus()
	return forget
}

// Typing reports whether the cursor is in a field.
func (s *Screen) Typing() bool {
	if s.closed() || s.stage != filling || s.question != nothing {
		return false
	}
	t := s.form.text(s.form.at)
	return t != nil && t.Focused()
}

// Back closes what is open: a question, the trigger, the field, the review.
func (s *Screen) Back() bool {
	defer s.settle()
	s.through = false
	switch {
	case s.closed():
		return false
	case s.question != nothing:
		s.question = nothing
	case s.trigger.armed(s.env.Now()):
		s.trigger.release()
	case s.Typing():
		s.form.leave(s.today())
	case s.stage == reviewing:
		s.stage, s.offset = filling, 0
	default:
		return false
	}
	return true
}

func (s *Screen) today() civil.Date { return civil.Of(s.env.Now()) }

// SetVisible takes the finger off the trigger when the page goes out of sight.
func (s *Screen) SetVisible(visible bool) {
	if !visible && !s.trigger.drawn {
		s.trigger.release()
	}
	s.settle()
}

// SetSize sets the room for the page.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.settle()
}

// SetTheme sets the looks.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.search.setTheme(t)
}

// state returns the state of the page for its frame: figures are there once there
// is a form.
func (s *Screen) state() resource.State {
	switch {
	case s.env.ReadOnly:
		return resource.State{Status: resource.Empty}
	case s.lacksScope():
		return resource.State{Status: resource.NotAllowed, Err: &apiclient.Error{Status: 403, Scope: proposal.Scope}}
	case s.stage == opening && s.data.Ping.Err() != nil:
		return s.data.Ping.State()
	case s.stage == opening:
		return resource.State{Status: resource.Loading}
	}
	return resource.State{Status: resource.Ready}
}
