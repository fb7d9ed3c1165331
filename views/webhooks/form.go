package webhooks

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/endpoint"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/field"
)

// form is the form for the URL and event types of a new or existing endpoint.
type form struct {
	id      string // "" for a new endpoint
	url     field.Text
	choices []endpoint.Type
	on      map[apiclient.EventType]bool
	at      int // focused field: 0 is the URL, i+1 is the checkbox of choices[i]

	before         *apiclient.Webhook // the endpoint when the form was opened; nil for a new one
	urlProblem     string
	typesProblem   string
	generalProblem string
}

func newForm() form {
	return form{
		url:     field.NewText("https://hooks.example.com/finance", endpoint.MaxURL),
		choices: endpoint.Types(), on: map[apiclient.EventType]bool{},
	}
}

func (f *form) fill(w apiclient.Webhook) {
	f.id, f.before = w.ID, &w
	f.url.Set(w.URL)
	for _, kind := range w.EventTypes {
		f.on[kind] = true
		// Also offer event types unknown to this version of the program. Otherwise a change would
		// remove them.
		if !slices.ContainsFunc(f.choices, func(c endpoint.Type) bool { return c.Name == kind }) {
			f.choices = append(f.choices, endpoint.Type{Name: kind})
		}
	}
}

func (f *form) focus(at int) {
	f.at = (at + len(f.choices) + 1) % (len(f.choices) + 1)
	if f.at == 0 {
		f.url.Focus()
		return
	}
	if f.url.Focused() && f.url.Value() != "" {
		f.urlProblem = errorText(endpoint.CheckURL(f.address()))
	}
	f.url.Blur()
}

// updateURL passes a key press or a paste to the URL field.
func (f *form) updateURL(msg tea.Msg) {
	if f.url.Update(msg) {
		f.urlProblem, f.generalProblem = "", ""
	}
}

func (f *form) address() string { return strings.TrimSpace(f.url.Value()) }

// types returns the selected event types in the order of choices.
func (f *form) types() []apiclient.EventType {
	var out []apiclient.EventType
	for _, c := range f.choices {
		if f.on[c.Name] {
			out = append(out, c.Name)
		}
	}
	return out
}

func (f *form) toggleType() {
	kind := f.choices[f.at-1].Name
	f.on[kind] = !f.on[kind]
	f.typesProblem, f.generalProblem = "", ""
}

func (f *form) toggleAll() {
	all := len(f.types()) < len(f.choices)
	for _, c := range f.choices {
		f.on[c.Name] = all
	}
	f.typesProblem, f.generalProblem = "", ""
}

// check sets the error text of each invalid field, in the words of the service, and moves the focus
// to the first invalid field. It reports whether the form is valid.
func (f *form) check() bool {
	f.urlProblem, f.typesProblem, f.generalProblem = errorText(endpoint.CheckURL(f.address())), "", ""
	if len(f.types()) == 0 {
		f.typesProblem = errorText(endpoint.ErrNoTypes)
	}
	switch {
	case f.urlProblem != "":
		f.focus(0)
	case f.typesProblem != "":
		f.focus(max(1, f.at))
	}
	return f.urlProblem == "" && f.typesProblem == ""
}

// refuse shows an error message of the service next to the field that it concerns.
func (f *form) refuse(message string) {
	switch {
	case strings.HasPrefix(message, "url "):
		f.urlProblem = message
		f.focus(0)
	case strings.HasPrefix(message, "event_types "), strings.HasPrefix(message, "unknown event type"):
		f.typesProblem = message
	default:
		f.generalProblem = message
	}
}

// patch returns the fields that differ from the endpoint before editing. changed reports whether
// there are any.
func (f *form) patch() (patch apiclient.WebhookPatch, changed bool) {
	if address := f.address(); address != f.before.URL {
		patch.URL, changed = &address, true
	}
	if types := f.types(); !equalTypes(types, f.before.EventTypes) {
		patch.EventTypes, changed = types, true
	}
	return patch, changed
}

func equalTypes(a, b []apiclient.EventType) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, slices.Compact(b))
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// lines returns the lines of the form, and cursorLine, the index of the line with the cursor.
func (f *form) lines(t theme.Theme, width int, waiting bool) (lines []string, cursorLine int) {
	const label = "URL  "
	lines = append(lines, t.Faint.Render(label)+f.url.Draw(t, width-len(label)))
	lines = append(lines, errorLines(t, f.urlProblem, width)...)
	lines = append(lines, "", t.Faint.Render("Events to deliver"))
	lines = append(lines, errorLines(t, f.typesProblem, width)...)
	for i, c := range f.choices {
		box := "[ ] "
		if f.on[c.Name] {
			box = "[x] "
		}
		name := box + termtext.Fit(string(c.Name), 18)
		if i+1 == f.at {
			cursorLine = len(lines)
			name = t.Selected.Render(name)
		}
		lines = append(lines, name+"  "+t.Faint.Render(c.Means))
	}
	if waiting {
		return append(lines, "", t.Faint.Render("Sent, waiting for the answer…")), len(lines) + 1
	}
	if f.generalProblem != "" {
		lines = append(append(lines, ""), errorLines(t, f.generalProblem, width)...)
		cursorLine = len(lines) - 1
	}
	return lines, cursorLine
}

// errorLines returns an error text as styled lines, wrapped to width. It returns nil for "".
func errorLines(t theme.Theme, text string, width int) []string {
	if text == "" {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap("! "+text, max(1, width), ""), "\n") {
		lines = append(lines, t.Critical.Render(line))
	}
	return lines
}
