package ui

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/snapshot"
)

// other returns the API of another organization.
func other() *api {
	a := healthy()
	for path, body := range a.bodies {
		a.bodies[path] = strings.NewReplacer("org_test", "org_other", "Łukasz 株式会社", "Fjord & Søn", "INV-000001",
			"INV-999999",
			"403979673", "777777777", "378667246", "777777777").
			Replace(body)
	}
	return a
}

// fakeProfile is a profile on an in-memory server.
type fakeProfile struct {
	*Profile
	api    *api
	ctx    context.Context // of the last connection
	closed atomic.Int32
	fail   error
}

// profiles adds a profile for each name to a dashboard.
func (d *dashboard) profiles(names ...string) map[string]*fakeProfile {
	d.t.Helper()
	out := map[string]*fakeProfile{}
	d.options.Profiles = []*Profile{d.session.profile}
	for _, name := range names {
		s := &fakeProfile{api: other()}
		s.Profile = &Profile{Name: name, Hint: name + ".example", Open: func(ctx context.Context) (Connection, error) {
			s.ctx = ctx
			return Connection{
				Client:   d.clientOf(s.api),
				Profile:  name,
				ReadOnly: name == "careful",
				Close:    func() { s.closed.Add(1) },
			}, s.fail
		}}
		out[name] = s
		d.options.Profiles = append(d.options.Profiles, s.Profile)
	}
	return out
}

func TestAProfileIsSwitchedTo(t *testing.T) {
	d := open(t, healthy())
	at := d.profiles("other", "careful")
	d.press("4", "/")
	d.press("p", "esc")
	if d.palette.open || d.session.active != 3 {
		t.Fatal("a typed letter was a command")
	}
	d.press("p")
	d.shows("Profiles", "test", "current", "other", "other.example")
	d.press("o", "t", "h", "enter")
	d.shows("tarmac  other ", "● live", "$7,777,777.77")
	if d.session.active != 0 || len(d.session.history) > 0 {
		t.Error("it does not begin at the first page")
	}
	d.press("4")
	d.shows("Fjord & Søn")

	d.press("p", "c", "a", "r", "e", "enter")
	d.shows("tarmac  careful  read-only ")
	if at["other"].closed.Load() != 1 || at["other"].ctx.Err() == nil {
		t.Error("what was left is still open")
	}
	d.press("p", "t", "e", "s", "t", "enter")
	d.shows("tarmac  test ", "● live")
	if strings.Contains(d.text(), "read-only") {
		t.Error("another profile's read_only is in force")
	}
	if d.press("p", "enter"); d.dial != nil {
		t.Error("what is shown was connected to again")
	}
}

func TestTheFlagForReadingOnlyHoldsForEveryProfile(t *testing.T) {
	d := open(t, healthy())
	d.profiles("other")
	d.options.ReadOnly = true
	d.press("p", "o", "t", "h", "enter")
	d.shows("tarmac  other  read-only")
	for _, b := range d.helpGroups() {
		for _, k := range b.Bindings {
			if k.Enabled() && slices.Contains([]string{"create draft", "new invoice"}, k.Help().Desc) {
				t.Errorf("%q is offered", k.Help().Desc)
			}
		}
	}
}

// Both organizations number their requests alike, so answers must carry their session.
func TestALateAnswerIsNotDrawnForAnother(t *testing.T) {
	d := open(t, healthy())
	d.profiles("other")
	d.now = d.now.Add(snapshotAge)
	_, cmd := d.Update(keyPress("r"))
	var late []tea.Msg
	collect(cmd, &late)
	if len(late) < 5 {
		t.Fatalf("%d answers", len(late))
	}
	d.press("p", "o", "t", "h", "enter")
	before := d.render()
	for _, msg := range late {
		if _, next := d.Update(msg); next != nil {
			t.Errorf("%T led to more", msg)
		}
	}
	if d.render() != before {
		t.Errorf("an answer to the profile before was drawn:\n%s", d.text())
	}
	for _, part := range snapshot.Parts {
		if state := d.session.data.State(part); state.Err != nil {
			t.Errorf("%v: %v", part, state.Err)
		}
	}
}

const snapshotAge = 2 * refreshGap

// collect runs commands and appends their messages to a list without delivering them.
func collect(cmd tea.Cmd, to *[]tea.Msg) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			collect(c, to)
		}
	default:
		*to = append(*to, msg)
	}
}

func TestWhoCannotConnectStaysWhereOneWas(t *testing.T) {
	for name, plague := range map[string]func(*fakeProfile){
		"no such server": func(s *fakeProfile) { s.api.fail = errRefused },
		"wrong token":    func(s *fakeProfile) { s.api.status = http.StatusUnauthorized },
		"no token":       func(s *fakeProfile) { s.fail = errors.New("there is no token: run\x1b[2J `tarmac login`") },
	} {
		d := open(t, healthy())
		at := d.profiles("other")
		plague(at["other"])
		d.press("4", "enter")
		before, shown := d.session, d.front().View()
		d.press("p", "o", "t", "h", "enter")
		d.shows("Could not connect", "The current connection stays open", "enter try again", "esc stay here", "● live")
		if strings.Contains(d.render(), "\x1b[2J") {
			t.Errorf("%s: an escape sequence was drawn", name)
		}
		d.press("j", "5", "x") // keys do not reach the screen behind the dialog
		d.press("esc")
		if d.session != before || d.front().View() != shown || d.dial != nil || d.session.ctx.Err() != nil {
			t.Errorf("%s: it is not as it was:\n%s", name, d.text())
		}
		d.press("p", "o", "t", "h", "enter")
		at["other"].api.fail, at["other"].api.status, at["other"].fail = nil, 0, nil
		d.press("enter")
		d.shows("tarmac  other ")
	}
}

func TestConnectingIsShownAndCanBeGivenUp(t *testing.T) {
	d := open(t, healthy())
	at := d.profiles("other")["other"]
	at.Progress = func() string { return "half of it is there" }
	d.press("p", "o", "t", "h")
	_, cmd := d.Update(keyPress("enter"))
	d.shows("other", "Connecting…", "esc stay here", "tarmac  test ")
	d.after(refreshGap)
	d.shows("half of it is there")
	d.press("enter", "q", "p", "j", "4")
	d.shows("Connecting…")
	d.press("esc")
	if d.dial != nil || strings.Contains(d.text(), "Connecting") {
		t.Error("esc does not give it up")
	}
	d.drain(cmd) // the connection was made despite the cancellation
	d.shows("tarmac  test ")
	if at.ctx.Err() == nil || at.closed.Load() != 1 {
		t.Error("a connection that nobody wants is open")
	}
}

func TestAnotherServerCanBeTyped(t *testing.T) {
	d := open(t, healthy())
	var asked []string
	d.options.Connect = func(_ context.Context, baseURL, token string) (Connection, error) {
		asked = append(asked, baseURL, token)
		if token != "svc_org_good" {
			return Connection{}, errors.New("the server refused the token")
		}
		return Connection{Client: d.clientOf(other()), Profile: "typed.example"}, nil
	}
	d.press("4", "p")
	d.press(strings.Split("another", "")...)
	d.press("enter")
	d.shows("Base URL", "Token", "tarmac login")
	d.press("q", "esc")
	d.shows("tarmac  test ", "row 1 of 1")
	d.press("p")
	d.press(strings.Split("another", "")...)
	d.press("enter", "backspace")
	d.press(strings.Split("https://typed.example", "")...)
	d.press("enter", "x", "enter")
	d.shows("The server refused the token.", "https://typed.example")
	d.press("backspace")
	d.press(strings.Split("svc_org_good", "")...)
	d.press("enter")
	d.shows("tarmac  typed.example ")
	if len(asked) != 4 || asked[3] != "svc_org_good" {
		t.Errorf("asked %q", asked)
	}
}

func TestProfilesAreInThePalette(t *testing.T) {
	d := open(t, healthy())
	d.profiles("other")
	d.options.Demo = &Profile{Name: "demo", Hint: "a sample company", Open: func(context.Context) (Connection, error) {
		return Connection{Client: d.clientOf(other()), Profile: "demo"}, nil
	}}
	d.press(":")
	d.press(strings.Split("profile:", "")...)
	d.shows("profile: test", "current", "profile: other", "profile: demo", "a sample company")
	d.press("d", "e", "m", "o", "enter")
	d.shows("tarmac  demo ")
}

// The welcome page offers the demo and any existing profiles.
func TestTheWelcomePageLeadsToProfiles(t *testing.T) {
	d := open(t, healthy())
	at := d.profiles("other")
	w := &dashboard{t: t, api: d.api, now: d.now}
	w.Model = New(t.Context(), Options{Now: d.options.Now, Timeout: d.options.Timeout, Profiles: d.options.Profiles})
	w.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	w.shows("Look around", "p profiles", "tarmac login")
	at["other"].fail = errRefused
	w.press("p")
	sweep(t, w, "welcome profiles")
	w.press("o", "t", "h", "enter")
	w.shows("Connection refused.", "Look around")
	at["other"].fail = nil
	w.press("p", "o", "t", "h", "enter")
	w.shows("tarmac  other ")
}

func TestGeometryOfProfiles(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, healthy())
	at := d.profiles("other")["other"]
	d.press("p")
	sweep(t, d, "profiles")
	d.press("o", "t", "h")
	at.fail = errors.New(strings.Repeat("a long story 株式会社 ", 20))
	_, cmd := d.Update(keyPress("enter"))
	sweep(t, d, "connecting")
	d.drain(cmd)
	sweep(t, d, "could not connect")
}
