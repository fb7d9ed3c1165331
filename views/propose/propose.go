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
	"tarmac/internal/plural"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
	"tarmac/views/parts/table"
)

// Page returns the name, title, required figures and constructor of this page for the root model.
func Page() views.Page {
	return views.Page{
		Name: views.Propose, Title: "Propose", Action: "Propose an invoice", Target: views.ProposeTarget{}, Writes: true,
		Background: true,                           // saves the draft and searches for the invoice while hidden
		Needs:      []snapshot.Part{snapshot.Ping}, // for the organization and the token's scopes
		New:        func(env views.Env) views.Screen { return New(env, env.Client) },
	}
}

// Source lists the API requests of the page. *apiclient.Client implements it.
type Source interface {
	proposal.Proposer
	proposal.Lister
}

// step is the step of the proposal that the page shows.
type step int

const (
	opening   step = iota // the draft is being loaded
	filling               // the form is shown
	reviewing             // the review is shown
	sending               // the request that proposes the invoice is running
	uncertain             // the request may have created the invoice
	finished              // the invoice was created
)

// question is the yes-or-no question that is open, if any.
type question int

const (
	noQuestion question = iota
	removeLine
	discardDraft
)

// Screen is the page that proposes an invoice.
type Screen struct {
	data *snapshot.Snapshot

	theme         theme.Theme
	width, height int
	nav           views.Navigation // used in the review and the list of drafts
	actions       actions

	step       step
	form       *form
	question   question
	keepTyping bool   // true if the user can type into the next field as soon as the cursor is on it
	offset     int    // lines of the review or the created invoice above the visible ones
	problem    string // why the last request failed
	restored   string // says where the form's initial texts come from

	saving       saving
	confirmation confirmation
	attempt      attempt
	search       search
	invoice      apiclient.Invoice         // the created invoice
	sent         apiclient.InvoiceProposal // the proposal for it
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
	cmd := s.load()
	s.arrange()
	return cmd
}

// Update handles a message.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	cmd := s.handle(msg)
	s.arrange()
	return cmd
}

func (s *Screen) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return s.press(msg)
	case tea.PasteMsg:
		if s.typing() {
			return s.write(msg)
		}
	case views.Click:
		s.click(msg.X, msg.Y)
	case views.Refresh:
		if s.step == uncertain && !s.search.found.Waiting() {
			return s.searchDrafts()
		}
	case views.Visible:
		if !bool(msg) && !s.confirmation.pending {
			s.confirmation.cancel()
		}
	case views.Tick:
		return s.tick()
	case snapshot.Result:
		return s.load()
	case draftLoaded:
		return s.draftOpened(msg)
	case saveDue:
		s.saving.waiting = false
		return s.save()
	case saveResult:
		s.saving.record(msg)
	case confirmDue:
		if s.confirmation.accept(msg.number) {
			return s.runAction(msg.action)
		}
	case response:
		return s.handleResponse(msg)
	case searchResult:
		s.showResult(msg)
	}
	return nil
}

// tick returns the command that repeats a due search or a failed save.
func (s *Screen) tick() tea.Cmd {
	switch {
	case s.step == uncertain && resource.Due(s.search.found.State(), s.env.Now(), resource.Policy{}):
		return s.searchDrafts()
	case s.saving.failure != nil && !s.saving.waiting && s.step == filling:
		return s.save()
	}
	return nil
}

// click moves the cursor to the clicked draft in the list of possible invoices.
func (s *Screen) click(x, y int) {
	if s.step != uncertain || s.question != noQuestion || !s.search.found.State().HasFigures() {
		return
	}
	width, height := panel.Inner(s.width, s.height)
	y -= min(1, s.height-height)
	x -= (s.width - width) / 2
	room := height - len(s.remarkLines(width, height))
	list := s.search.table.Lines()
	if row, ok := s.search.table.At(x, y-min(len(s.explanationRows(width)), max(0, room-len(list)))); ok && y < room {
		s.confirmation.cancel() // the first press was meant for another draft
		s.search.table.SetCursor(row)
	}
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

// Show opens the form with the focus in the current field. If the previous invoice was created, the
// form starts empty.
func (s *Screen) Show(target any) tea.Cmd {
	if _, ok := target.(views.ProposeTarget); !ok || s.closed() || s.question != noQuestion {
		return nil
	}
	defer s.arrange()
	switch s.step {
	case filling:
		if s.form.empty() {
			s.form = newForm()
		}
		s.continueTyping()
	case finished:
		return s.startNew()
	}
	return nil
}

// Back closes the innermost of these that is open: a question, a confirmation, typing in a field,
// the review. It returns false if none was open.
func (s *Screen) Back() bool {
	defer s.arrange()
	s.keepTyping = false
	switch {
	case s.closed():
		return false
	case s.question != noQuestion:
		s.question = noQuestion
	case s.confirmation.waiting(s.env.Now()):
		s.confirmation.cancel()
	case s.typing():
		s.form.leave(s.today())
	case s.step == reviewing:
		s.step, s.offset = filling, 0
	default:
		return false
	}
	return true
}

// State returns the state of the search for the proposed invoice while the outcome of the proposal
// is unknown, and what the user would lose by quitting. Quitting while the proposal is being sent
// is safe: the draft on disk is marked as sent, so the next start searches for the invoice.
func (s *Screen) State() views.State {
	state := views.State{Typing: s.typing()}
	switch s.step {
	case uncertain:
		state.Fetched = []resource.State{s.search.found.State()}
	case sending:
		state.Unfinished = "a proposal is still being sent"
	}
	if s.created > 0 {
		state.Work = append(state.Work, plural.Count(s.created, "proposed invoice"))
	}
	if s.step != finished && !s.form.empty() {
		state.Work = append(state.Work, "1 unsent invoice")
	}
	return state
}

// closed reports whether the page can't propose: the session is read-only, the token lacks the
// scope, or the draft isn't loaded yet.
func (s *Screen) closed() bool { return s.env.ReadOnly || s.step == opening || s.lacksScope() }

// lacksScope reports whether the credential is known to lack the scope for proposing invoices.
func (s *Screen) lacksScope() bool {
	ping, known := s.data.Ping.Value()
	return known && ping.Scopes != nil && !slices.Contains(ping.Scopes, proposal.Scope)
}

// startNew clears the form and returns the command that deletes the draft.
func (s *Screen) startNew() tea.Cmd {
	remove := s.discard()
	s.form, s.step, s.problem, s.restored, s.offset = newForm(), filling, "", "", 0
	s.attempt = attempt{number: s.attempt.number}
	s.form.name.Focus()
	return remove
}

// typing reports whether a field has the focus, so that key presses belong to the field.
func (s *Screen) typing() bool {
	if s.closed() || s.step != filling || s.question != noQuestion {
		return false
	}
	t := s.form.text(s.form.at)
	return t != nil && t.Focused()
}

func (s *Screen) today() civil.Date { return civil.Of(s.env.Now()) }

// formState returns the state of the form for the page's frame. It is Ready once the draft is
// loaded.
func (s *Screen) formState() resource.State {
	switch {
	case s.env.ReadOnly:
		return resource.State{Status: resource.Empty}
	case s.lacksScope():
		return resource.State{Status: resource.NotAllowed, Err: &apiclient.Error{
			Status: http.StatusForbidden, Scope: proposal.Scope, Credential: s.env.Credential,
		}}
	case s.step == opening && s.data.Ping.Err() != nil:
		return s.data.Ping.State()
	case s.step == opening:
		return resource.State{Status: resource.Loading}
	}
	return resource.State{Status: resource.Ready}
}
