package ui

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/snapshot"
	"tarmac/theme"
	"tarmac/views"
)

// recorder is a screen that records the messages it receives.
type recorder struct {
	got     []string
	visible bool
	typing  bool
	command tea.Cmd // returned for the next key
	turned  tea.Cmd // returned when the page becomes visible
}

func (r *recorder) Update(msg tea.Msg) tea.Cmd {
	if visible, ok := msg.(views.Visible); ok {
		if r.visible = bool(visible); r.visible {
			return r.turned
		}
		return nil
	}
	r.got = append(r.got, fmt.Sprintf("%T", msg))
	if _, isKey := msg.(tea.KeyPressMsg); isKey {
		return r.command
	}
	return nil
}

func (r *recorder) State() views.State        { return views.State{Typing: r.typing} }
func (r *recorder) Init() tea.Cmd             { return nil }
func (r *recorder) Show(any) tea.Cmd          { return nil }
func (r *recorder) Back() bool                { return false }
func (r *recorder) View() string              { return "" }
func (r *recorder) SetSize(int, int)          {}
func (r *recorder) SetTheme(theme.Theme)      {}
func (r *recorder) Help() []views.HelpGroup   { return nil }
func (r *recorder) take() (messages []string) { messages, r.got = r.got, nil; return messages }

// recorded replaces the screens with recorders.
func recorded(t *testing.T) (*dashboard, []*recorder) {
	t.Helper()
	d := open(t, healthy())
	var all []*recorder
	for i := range d.session.pages {
		r := &recorder{visible: i == d.session.visible}
		d.session.pages[i].screen = r
		all = append(all, r)
	}
	return d, all
}

type loadedFor string

func TestThePageThatBecomesVisibleMayFetch(t *testing.T) {
	d, all := recorded(t)
	all[1].turned = func() tea.Msg { return loadedFor("the second") }
	d.press("2")
	if got := all[1].take(); !slices.Contains(got, "ui.loadedFor") {
		t.Errorf("the second page got %v", got)
	}
}

func TestAnswersGoToThePageThatAskedAlone(t *testing.T) {
	d, all := recorded(t)
	all[0].command = func() tea.Msg { return tea.BatchMsg{func() tea.Msg { return loadedFor("the first") }, nil} }
	_, cmd := d.Update(keyPress("x"))
	all[0].command = nil

	d.press("2") // the answer arrives while another page is in front
	for _, r := range all {
		r.take()
	}
	d.drain(cmd)

	for i, r := range all {
		if got := r.take(); i == 0 && !slices.Equal(got, []string{"ui.loadedFor"}) || i > 0 && len(got) > 0 {
			t.Errorf("%s was told %v", d.session.pages[i].Title, got)
		}
	}
}

func TestNewFiguresAndNewInvoicesAreToldToEveryPage(t *testing.T) {
	d, all := recorded(t)
	d.drain(d.session.address(noPage, views.Fetch(d.session.data.Load(snapshot.Account))))
	d.drain(d.session.address(7, func() tea.Msg { return views.InvoiceCreated{} }))
	for i, r := range all {
		if got := r.take(); !slices.Equal(got, []string{"snapshot.Result", "views.InvoiceCreated"}) {
			t.Errorf("%s was told %v", d.session.pages[i].Title, got)
		}
	}
}

func TestHiddenPagesIgnoreTicksUnlessTheyGoOnInTheBackground(t *testing.T) {
	d, all := recorded(t)
	d.drain(d.tick(views.Tick{Now: d.now}))
	for i, r := range all {
		page := d.session.pages[i]
		ticked := slices.Contains(r.take(), "views.Tick")
		if want := i == d.session.active || page.Background; ticked != want {
			t.Errorf("%s: ticked %t, want %t", page.Title, ticked, want)
		}
	}
}

func TestTheScreenThatIsSeenKnowsThatItIs(t *testing.T) {
	d, all := recorded(t)
	seen := func(when string, want int) {
		t.Helper()
		for i, r := range all {
			if r.visible != (i == want) {
				t.Errorf("%s: %s is visible: %t", when, d.session.pages[i].Title, r.visible)
			}
		}
	}
	seen("at first", 0)
	d.press("3")
	seen("after a step", 2)
	d.press("?")
	seen("behind the list of keys, which covers a part", 2)
	d.press("?")
	d.press(":")
	seen("behind the palette, which covers a part", 2)
	d.press("esc", "esc")
	seen("back", 0)
	d.drain(d.askForServer())
	d.Update(nil)
	seen("behind the page that asks where to connect", noPage)
}

func TestPastedTextGoesToThePageInFrontAlone(t *testing.T) {
	d, all := recorded(t)
	for _, r := range all {
		r.typing = true
	}
	d.Update(tea.PasteMsg{Content: "text"})
	for i, r := range all {
		if got := r.take(); slices.Contains(got, "tea.PasteMsg") != (i == 0) {
			t.Errorf("%s was told %v", d.session.pages[i].Title, got)
		}
	}
}

// View has no side effects: screens learn about visibility from views.Visible.
func TestViewChangesNothing(t *testing.T) {
	broken := healthy()
	broken.status = 500
	away := healthy()
	away.fail = errors.New("no route to host")
	for name, server := range map[string]*api{"healthy": healthy(), "linked": linked(), "empty": empty(), "broken": broken,
		"away": away} {
		d := open(t, server)
		for _, p := range d.session.pages {
			d.reach(p)
			for _, key := range []string{"", "enter", "tab", "n", "/"} {
				if key != "" {
					d.press(key)
				}
				d.now = d.now.Add(time.Second)
				screen := reflect.ValueOf(p.screen).Elem()
				before := reflect.New(screen.Type()).Elem()
				before.Set(screen)

				first := p.screen.View()

				if changed := difference("Screen", before, screen); changed != "" {
					t.Errorf("%s, %s after %q: View changed %s", name, p.Title, key, changed)
				}
				if p.screen.View() != first {
					t.Errorf("%s, %s after %q: a second View draws something else", name, p.Title, key)
				}
				if d.active() != p.Name {
					d.reach(p)
				}
			}
			d.press("esc", "esc")
		}
	}
}

func (d *dashboard) active() string { return d.session.pages[d.session.active].Name }

// pictures lists the types that only cache what was drawn last.
var pictures = []string{"panel.Cache", "chart.Cache", "table.Detail", "events.pane", "record.Object"}

// difference returns the first field in which two shallow copies of a struct differ, or "".
func difference(path string, a, b reflect.Value) string {
	if slices.Contains(pictures, a.Type().String()) {
		return ""
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if d := difference(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Array:
		for i := range a.Len() {
			if d := difference(path, a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
		return ""
	case reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return path
		}
		if a.IsNil() {
			return ""
		}
		return difference(path, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.Pointer() != b.Pointer() {
			return path
		}
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Chan:
		if a.Pointer() != b.Pointer() {
			return path
		}
	default:
		if !a.Equal(b) {
			return path
		}
	}
	return ""
}
