// Package welcome is the page shown while there is no connection to a server. It offers the demo,
// the user's own books and a form for a server, and shows the progress of connecting. During a
// session, Ask opens the same form to change the server.
package welcome

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/problem"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/panel"
)

// Attempt numbers the attempts to connect that the page waited for. Messages carry it, because a
// message may arrive after the user has chosen something else.
type Attempt uint64

// ChooseDemo is sent when the user chooses the demo: the built-in service with a generated
// organization.
type ChooseDemo struct{ Attempt Attempt }

// ChooseServer is sent when the user has entered a server. The token is meant for this session only
// and must not be stored.
type ChooseServer struct {
	BaseURL, Token string
	Attempt        Attempt
}

// ChooseBooks is sent when the user opens their own books, which are made if there are none.
// Connect says that a bank shall be connected to them.
type ChooseBooks struct {
	Attempt Attempt
	Connect bool
}

// GiveUp is sent when the user cancels connecting.
type GiveUp struct{ Attempt Attempt }

// Leave is sent when the user closes the form that Ask opened.
type Leave struct{}

type stage int

const (
	choosing stage = iota // the user chooses between the demo, a server and own books
	typing                // the user enters the base URL and token of a server
	waiting               // the program is connecting
	stages                // number of stages
)

// Options configure the page. Starting says that connecting has already begun. Books says that the
// user has own books. Selected is the choice that enter makes first; if connecting fails, keys that
// were typed ahead may make it.
//
// If there are Organizations, the user chooses among them alone.
type Options struct {
	Starting, Books bool
	Selected        Choice
	Organizations   []Organization
	Quit            func() tea.Cmd // what q does
	Profiles        func() tea.Cmd // opens the list of saved profiles; nil if there is none
}

// Choice is what the user chooses on the page.
type Choice int

// The choices in the order of the page.
const (
	Demo Choice = iota
	OwnBooks
	Bank
	Server
	choices // number of choices
)

// Screen is the welcome page.
type Screen struct {
	theme         theme.Theme
	width, height int
	actions       [stages]views.Actions
	stage, back   stage // back is the stage to which the page returns if connecting fails
	asked         bool  // Ask opened the form, so esc closes it
	books         bool  // the user has own books
	organizations []Organization
	choice        Choice // an index of organizations if there are any
	attempt       Attempt
	fields        [2]textinput.Model // base URL, token
	field         int
	problem       string
	progress      string
}

// New returns the page. Call SetTheme and SetSize before drawing it.
func New(o Options) *Screen {
	s := &Screen{books: o.Books, choice: o.Selected, organizations: o.Organizations}
	s.actions = s.newActions(o)
	if o.Starting {
		s.stage = waiting
	}
	for i, placeholder := range [...]string{"https://finance.example.com", "svc_org_…"} {
		in := textinput.New()
		in.Placeholder = placeholder
		in.Prompt = ""
		in.CharLimit = 2048
		s.fields[i] = in
	}
	s.fields[1].EchoMode = textinput.EchoPassword
	s.fields[1].EchoCharacter = '*'
	return s
}

// Typing reports whether the form is open, so that letters are text rather than commands.
func (s *Screen) Typing() bool { return s.stage == typing }

// Choosing reports whether the page shows the choice between demo, server and own books.
func (s *Screen) Choosing() bool { return s.stage == choosing }

// Ask opens the form for another server and clears the token typed before. In this form, esc sends
// Leave.
func (s *Screen) Ask() tea.Cmd {
	s.asked, s.stage, s.problem = true, typing, ""
	s.fields[1].Reset()
	return s.focus(0)
}

// Awaits reports whether the page waits for the result of this attempt to connect, which the user
// has neither cancelled nor replaced by another choice.
func (s *Screen) Awaits(a Attempt) bool { return s.stage == waiting && s.attempt == a }

// Cancelled reports whether the user has cancelled this attempt to connect and begun no other one.
func (s *Screen) Cancelled(a Attempt) bool { return s.stage != waiting && s.attempt == a }

// Wait shows that the program is connecting when something other than this page started it.
func (s *Screen) Wait() { s.wait(s.stage) }

// SetSize sets the size of the page in cells.
func (s *Screen) SetSize(width, height int) {
	s.width, s.height = width, height
	for i := range s.fields {
		s.fields[i].SetWidth(max(1, min(60, width-16)))
	}
}

// SetTheme sets the colours and styles.
func (s *Screen) SetTheme(t theme.Theme) {
	s.theme = t
	state := textinput.StyleState{Text: t.Text, Placeholder: t.Faint, Suggestion: t.Faint, Prompt: t.Text}
	for i := range s.fields {
		s.fields[i].SetStyles(textinput.Styles{Focused: state, Blurred: state})
	}
}

// SetProgress sets the line that says how far connecting has progressed.
func (s *Screen) SetProgress(text string) { s.progress = termtext.Line(text) }

// Failed says why connecting failed and returns to the previous stage. The form keeps its values.
func (s *Screen) Failed(err error) {
	s.problem = problem.Sentence(problem.Of(err).Text())
	s.stage = s.back
}

// Update handles a message. Messages other than key presses matter only to the form.
func (s *Screen) Update(msg tea.Msg) (cmd tea.Cmd) {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		if cmd, taken := s.actions[s.stage].Press(press); taken {
			return cmd
		}
	}
	if s.stage == typing {
		s.fields[s.field], cmd = s.fields[s.field].Update(msg)
	}
	return cmd
}

func (s *Screen) choose() tea.Cmd {
	switch {
	case len(s.organizations) > 0:
		s.wait(choosing)
		return send(ChooseOrganization{Index: int(s.choice), Attempt: s.attempt})
	case s.choice == Demo:
		s.wait(choosing)
		return send(ChooseDemo{Attempt: s.attempt})
	case s.choice == OwnBooks, s.choice == Bank:
		s.wait(choosing)
		return send(ChooseBooks{Attempt: s.attempt, Connect: s.choice == Bank})
	}
	s.problem, s.stage = "", typing
	return s.focus(0)
}

func (s *Screen) submit() tea.Cmd {
	baseURL, token := strings.TrimSpace(s.fields[0].Value()), strings.TrimSpace(s.fields[1].Value())
	switch {
	case baseURL == "":
		s.problem = "Enter the server's base URL first."
		return s.focus(0)
	case token == "":
		s.problem = ""
		return s.focus(1)
	}
	s.wait(typing)
	return send(ChooseServer{BaseURL: baseURL, Token: token, Attempt: s.attempt})
}

func (s *Screen) wait(back stage) {
	s.attempt++
	s.stage, s.back, s.problem, s.progress = waiting, back, "", ""
}

func (s *Screen) focus(field int) tea.Cmd {
	s.fields[1-field].Blur()
	s.field = field
	return s.fields[field].Focus()
}

// View draws the page in exactly its height, no line wider than the page.
func (s *Screen) View() string {
	lines := panel.Box(s.lines(), s.width, s.height)
	return strings.Join(lines, "\n")
}

func (s *Screen) lines() []string {
	const margin = 4
	var out []string
	say := func(line string) { out = append(out, strings.Repeat(" ", min(margin, s.width/12))+line) }
	if s.height >= 16 {
		out = append(out, "", "")
	}
	say(s.theme.Accent.Render("tarmac") + s.theme.Faint.Render("  a company's finances in a terminal"))
	say("")
	switch s.stage {
	case waiting:
		say(s.theme.Faint.Render("Connecting…"))
		if s.progress != "" {
			say(s.theme.Faint.Render(s.progress))
		}
		say("")
		say(s.hints())
	case choosing:
		for _, line := range s.choiceLines() {
			say(line)
		}
	case typing:
		for _, line := range s.formLines() {
			say(line)
		}
	}
	if s.problem != "" {
		say("")
		for _, line := range strings.Split(ansi.Wrap(s.problem, max(10, s.width-2*margin), ""), "\n") {
			say(s.theme.Critical.Render(line))
		}
	}
	return out
}

func (s *Screen) formLines() []string {
	labels := [...]string{"Base URL", "Token"}
	var out []string
	for i, label := range labels {
		mark := "  "
		if i == s.field {
			mark = s.theme.Accent.Render("> ")
		}
		out = append(out, mark+label+strings.Repeat(" ", 10-len(label))+s.fields[i].View())
	}
	return append(out, "",
		s.theme.Faint.Render("The token is used for this session and not saved."),
		s.theme.Faint.Render("To save both, run `tarmac login` in a shell."),
		"", s.hints())
}

// hints draws the keys of the stage.
func (s *Screen) hints() string {
	var parts []string
	for _, b := range s.actions[s.stage].Help("").Bindings {
		if b.Enabled() {
			parts = append(parts, s.theme.KeyName.Render(b.Help().Key)+" "+s.theme.KeyDesc.Render(b.Help().Desc))
		}
	}
	return strings.Join(parts, "  ")
}
