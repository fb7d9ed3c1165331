// Package propose is the page that proposes an invoice: a form, a review of the request, the
// request itself, and its outcome (docs/api.md, Propose-only, Invoice proposal). The draft survives
// errors, restarts and lost connections.
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

// Source is the part of the API client that the page uses. *apiclient.Client implements it.
type Source interface {
	ProposeInvoice(ctx context.Context, p apiclient.InvoiceProposal, opts ...apiclient.ProposeOption) (*apiclient.Invoice, error)
	Invoices(ctx context.Context, filter apiclient.InvoiceFilter) ([]apiclient.Invoice, error)
}

// stage is the step from the form to the invoice.
type stage int

const (
	opening   stage = iota // the draft or its owner is not known yet
	filling                // the form is shown
	reviewing              // the review is shown
	sending                // the request is running
	uncertain              // the request's outcome is unknown
	finished               // the invoice was created
)

// question is the question that the page waits for an answer to.
type question int

const (
	nothing question = iota
	removeLine
	discardDraft
)

// Screen is the page that proposes an invoice.
type Screen struct {
	views.Base

	data *snapshot.Snapshot

	theme         theme.Theme
	width, height int
	keys          keyMap

	stage    stage
	form     *form
	question question
	through  bool   // the cursor reached a button from a focused field
	offset   int    // lines scrolled in the review
	problem  string // why the last request failed
	restored string // where the form's initial text comes from

	keeping keeping
	trigger trigger
	attempt attempt
	search  search
	invoice apiclient.Invoice // the created invoice

	after  func(time.Duration, tea.Msg) tea.Cmd // delivers a message after a delay
	env    views.Env
	source Source
}

// New returns the page with an empty form.
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

// Init returns the command that reads the saved draft.
func (s *Screen) Init() tea.Cmd {
	s.keeping.wanted = true
	return s.settled(s.load())
}

// Show continues the form at the current field. It starts a new form if the form is empty or its
// invoice was created.
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

// Refresh searches for the invoice again while the outcome is unknown.
func (s *Screen) Refresh() tea.Cmd {
	if s.stage == uncertain && !s.search.found.Waiting() {
		return s.look()
	}
	return nil
}

// Update handles a message.
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

// tick retries failed searches and saves when they are due.
func (s *Screen) tick() tea.Cmd {
	switch {
	case s.stage == uncertain && resource.Due(s.search.found.State(), s.env.Now(), resource.Policy{}):
		return s.look()
	case s.keeping.failure != nil && !s.keeping.waiting && s.stage == filling:
		return s.save()
	}
	return nil
}

// settled updates the enabled keys and returns cmd.
func (s *Screen) settled(cmd tea.Cmd) tea.Cmd {
	s.settle()
	return cmd
}

// key handles a key in the current stage. Any key but its own cancels a first press.
func (s *Screen) key(press tea.KeyPressMsg) tea.Cmd {
	if s.closed() {
		return nil
	}
	s.settle() // some keys depend on the time
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

// closed reports whether nothing can be proposed here.
func (s *Screen) closed() bool { return s.env.ReadOnly || s.stage == opening || s.lacksScope() }

// lacksScope reports whether the server said that the token may not propose.
func (s *Screen) lacksScope() bool {
	ping, known := s.data.Ping.Value()
	return known && ping.Scopes != nil && !slices.Contains(ping.Scopes, proposal.Scope)
}

// reply handles the answer to the question. Only y confirms it; the key that removes a line also
// confirms the removal.
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

// startAnew discards the form and its draft.
func (s *Screen) startAnew() tea.Cmd {
	forget := s.discard()
	s.form, s.stage, s.problem, s.restored, s.offset = newForm(), filling, "", "", 0
	s.attempt = attempt{number: s.attempt.number}
	s.form.name.Focus()
	return forget
}

// Typing reports whether a field takes the keys.
func (s *Screen) Typing() bool {
	if s.closed() || s.stage != filling || s.question != nothing {
		return false
	}
	t := s.form.text(s.form.at)
	return t != nil && t.Focused()
}

// Back closes the innermost open part: the question, the first press, the field, the review. It
// reports whether anything was open.
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

// SetVisible says whether the page is shown. Hiding it cancels a first press.
func (s *Screen) SetVisible(visible bool) {
	if !visible && !s.trigger.drawn {
		s.trigger.release()
	}
	s.settle()
}

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.settle()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.search.setTheme(t)
}

// state returns the state of the page for its frame. It has figures once the form is shown.
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
