// Package propose is the page that proposes an invoice. It shows a form, then a review, then the
// outcome of the request (docs/api.md, Propose-only, Invoice proposal). The draft survives errors,
// restarts and lost connections.
package propose

import (
	"net/http"
	"slices"
	"time"

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

// Source lists the API requests of the page. *apiclient.Client implements it.
type Source interface {
	proposal.Proposer
	proposal.Lister
}

// stage is the step of the proposal that the page shows.
type stage int

const (
	opening   stage = iota // the draft is being loaded
	filling                // the form is shown
	reviewing              // the review is shown
	sending                // the request that proposes the invoice is running
	uncertain              // the request may have created the invoice or not
	finished               // the invoice was created
)

// question is the yes-or-no question that is open, if any.
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
	nav           views.Navigation // used in the review and the list of drafts
	actions       actions

	stage      stage
	form       *form
	question   question
	keepTyping bool   // true if the user can type into the next field as soon as the cursor is on it
	offset     int    // number of lines by which the review or the created invoice is scrolled
	problem    string // why the last request failed
	restored   string // says where the form's initial texts come from

	saving       saving
	confirmation confirmation
	attempt      attempt
	search       search
	invoice      apiclient.Invoice         // the created invoice
	sent         apiclient.InvoiceProposal // the proposal from which it was created
	created      int                       // number of invoices created in this session

	after  func(time.Duration, tea.Msg) tea.Cmd // returns the command that sends a message after a delay
	env    views.Env
	source Source
}

// New returns the page with an empty form.
func New(env views.Env, source Source) *Screen {
	s := &Screen{
		env: env, source: source, data: env.Snapshot, nav: views.NewNavigation(), form: newForm(), after: afterDelay,
	}
	if env.Drafts != nil {
		s.saving.Store, s.saving.origin = draft.NewStore(env.Drafts), env.Origin
	}
	s.search.table = table.New(searchColumns(), &s.search)
	s.actions = s.newActions()
	s.SetTheme(env.Theme)
	s.arrange()
	return s
}

func afterDelay(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// Init returns the command that loads the saved draft. It returns nil while the organization is
// unknown.
func (s *Screen) Init() tea.Cmd {
	s.saving.opened = true
	return s.arranged(s.load())
}

// Show opens the form with the focus in the current field. If the previous invoice was created, the
// form starts empty.
func (s *Screen) Show(target any) tea.Cmd {
	if _, ok := target.(views.ProposeTarget); !ok || s.closed() || s.question != nothing {
		return nil
	}
	switch s.stage {
	case filling:
		if s.form.empty() {
			s.form = newForm()
		}
		s.continueTyping()
	case finished:
		return s.arranged(s.startNew())
	}
	return s.arranged(nil)
}

// Refresh returns the command that searches for the invoice again. It returns nil unless the
// outcome of the proposal is unknown.
func (s *Screen) Refresh() tea.Cmd {
	if s.stage == uncertain && !s.search.found.Waiting() {
		return s.searchDrafts()
	}
	return nil
}

// Update handles keys, pastes, ticks, responses, and outcomes of saving.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return s.arranged(s.key(msg))
	case tea.PasteMsg:
		if s.Typing() {
			return s.arranged(s.write(msg))
		}
	case snapshot.Result:
		return s.arranged(s.load())
	case draftLoaded:
		return s.arranged(s.draftOpened(msg))
	case saveDue:
		s.saving.waiting = false
		return s.arranged(s.save())
	case saveResult:
		s.saving.record(msg)
	case confirmDue:
		if s.confirmation.accept(msg.number) {
			return s.arranged(s.runAction(msg.action))
		}
	case response:
		return s.arranged(s.handleResponse(msg))
	case searchResult:
		s.showResult(msg)
		s.arrange()
	case views.Tick:
		return s.arranged(s.tick())
	}
	return nil
}

// tick returns the command that repeats a due search or a failed save.
func (s *Screen) tick() tea.Cmd {
	switch {
	case s.stage == uncertain && resource.Due(s.search.found.State(), s.env.Now(), resource.Policy{}):
		return s.searchDrafts()
	case s.saving.failure != nil && !s.saving.waiting && s.stage == filling:
		return s.save()
	}
	return nil
}

// arranged lays out the page and returns cmd unchanged. Call it last when handling a message.
func (s *Screen) arranged(cmd tea.Cmd) tea.Cmd {
	s.arrange()
	return cmd
}

// closed reports whether the page cannot propose: the session is read-only, the token lacks the
// scope, or the draft is not loaded yet.
func (s *Screen) closed() bool { return s.env.ReadOnly || s.stage == opening || s.lacksScope() }

// lacksScope reports whether the credential is known to lack the scope for proposing invoices.
func (s *Screen) lacksScope() bool {
	ping, known := s.data.Ping.Value()
	return known && ping.Scopes != nil && !slices.Contains(ping.Scopes, proposal.Scope)
}

// startNew clears the form and returns the command that discards the draft.
func (s *Screen) startNew() tea.Cmd {
	forget := s.discard()
	s.form, s.stage, s.problem, s.restored, s.offset = newForm(), filling, "", "", 0
	s.attempt = attempt{number: s.attempt.number}
	s.form.name.Focus()
	return forget
}

// Typing reports whether a field has the focus, so that key presses belong to the field.
func (s *Screen) Typing() bool {
	if s.closed() || s.stage != filling || s.question != nothing {
		return false
	}
	t := s.form.text(s.form.at)
	return t != nil && t.Focused()
}

// Back closes the innermost of these that is open: a question, a confirmation, typing in a field,
// the review. It reports whether it closed any.
func (s *Screen) Back() bool {
	defer s.arrange()
	s.keepTyping = false
	switch {
	case s.closed():
		return false
	case s.question != nothing:
		s.question = nothing
	case s.confirmation.waiting(s.env.Now()):
		s.confirmation.cancel()
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

// SetVisible tells the page whether it is shown. Hiding the page cancels a confirmation that still
// waits for its second press.
func (s *Screen) SetVisible(visible bool) {
	if !visible && !s.confirmation.pending {
		s.confirmation.cancel()
	}
	s.arrange()
}

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	s.arrange()
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	s.search.setTheme(t)
}

// state returns the state shown by the page's frame: Ready once the form can be shown, otherwise
// why it cannot.
func (s *Screen) state() resource.State {
	switch {
	case s.env.ReadOnly:
		return resource.State{Status: resource.Empty}
	case s.lacksScope():
		return resource.State{Status: resource.NotAllowed, Err: &apiclient.Error{
			Status: http.StatusForbidden, Scope: proposal.Scope, Credential: s.env.Credential,
		}}
	case s.stage == opening && s.data.Ping.Err() != nil:
		return s.data.Ping.State()
	case s.stage == opening:
		return resource.State{Status: resource.Loading}
	}
	return resource.State{Status: resource.Ready}
}
