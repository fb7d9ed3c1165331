package welcome_test

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views/welcome"
)

func newScreen(starting bool) *welcome.Screen {
	s := welcome.New(welcome.Options{Starting: starting})
	s.SetTheme(theme.New(true))
	s.SetSize(80, 24)
	return s
}

func press(s *welcome.Screen, keys ...string) (last tea.Msg) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	}
	for _, k := range keys {
		msg, ok := codes[k]
		if !ok {
			for _, r := range k {
				s.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			continue
		}
		last = nil
		if cmd := s.Update(msg); cmd != nil {
			last = cmd()
		}
	}
	return last
}

func text(s *welcome.Screen) string { return ansi.Strip(s.View()) }

func TestTheDemoIsChosenFirst(t *testing.T) {
	s := newScreen(false)
	if msg := press(s, "enter"); msg != (welcome.ChooseDemo{Attempt: 1}) {
		t.Errorf("enter gave %#v", msg)
	}
	if !strings.Contains(text(s), "Connecting") {
		t.Errorf("after choosing:\n%s", text(s))
	}
	if msg := press(s, "enter", "down", "enter"); msg != nil {
		t.Errorf("a choice while connecting gave %#v", msg)
	}
}

func TestAServerNeedsAnAddressAndAToken(t *testing.T) {
	s := newScreen(false)
	press(s, "up", "enter")
	if !s.Typing() {
		t.Fatal("the form does not take letters")
	}
	if msg := press(s, "enter"); msg != nil && !strings.Contains(text(s), "base URL first") {
		t.Errorf("an empty form gave %#v:\n%s", msg, text(s))
	}
	press(s, " https://finance.example.com ", "enter", "svc_org_secret")
	if strings.Contains(text(s), "secret") {
		t.Error("the token is shown")
	}
	want := welcome.ChooseServer{BaseURL: "https://finance.example.com", Token: "svc_org_secret", Attempt: 1}
	if msg := press(s, "enter"); msg != want {
		t.Errorf("the form gave %#v", msg)
	}
}

func TestAFailureKeepsWhatWasTyped(t *testing.T) {
	s := newScreen(false)
	press(s, "up", "enter", "https://finance.example.com", "tab", "svc_org_secret", "enter")
	s.Failed(errors.New("the server\x1b[2J cannot be reached"))
	if got := text(s); !strings.Contains(got, "cannot be reached") || !strings.Contains(got, "finance.example.com") ||
		strings.Contains(s.View(), "\x1b[2J") {
		t.Errorf("after a failure:\n%s", got)
	}
	if msg, ok := press(s, "enter").(welcome.ChooseServer); !ok || msg.Token != "svc_org_secret" {
		t.Errorf("trying again gave %#v", msg)
	}
}

func TestAFailedStartLeadsToTheChoice(t *testing.T) {
	s := newScreen(true)
	if !strings.Contains(text(s), "Connecting") {
		t.Errorf("at the start:\n%s", text(s))
	}
	s.Failed(errors.New("no disk space"))
	if got := text(s); !strings.Contains(got, "No disk space.") || !strings.Contains(got, "Look around") {
		t.Errorf("after a failure:\n%s", got)
	}
}

func TestEscapeLeavesTheForm(t *testing.T) {
	s := newScreen(false)
	press(s, "up", "enter", "https://x", "esc")
	if s.Typing() || !strings.Contains(text(s), "Look around") {
		t.Errorf("after esc:\n%s", text(s))
	}
}

func TestGeometry(t *testing.T) {
	stages := map[string]func(*welcome.Screen){
		"choosing":  func(*welcome.Screen) {},
		"typing":    func(s *welcome.Screen) { press(s, "up", "enter", strings.Repeat("https://株", 30)) },
		"waiting":   func(s *welcome.Screen) { press(s, "enter") },
		"importing": func(s *welcome.Screen) { press(s, "up", "enter") },
		"failed":    func(s *welcome.Screen) { s.Failed(errors.New(strings.Repeat("a long story 株式会社 ", 20))) },
	}
	for name, reach := range stages {
		s := newScreen(false)
		reach(s)
		for width := 1; width <= 250; width += 1 + width/20 {
			for height := 1; height <= 60; height += 1 + height/8 {
				s.SetSize(width, height)
				lines := strings.Split(s.View(), "\n")
				if len(lines) != height {
					t.Fatalf("%s at %dx%d: %d lines", name, width, height, len(lines))
				}
				for _, line := range lines {
					if w := ansi.StringWidth(line); w > width {
						t.Fatalf("%s at %dx%d: a line of %d cells", name, width, height, w)
					}
				}
			}
		}
	}
}

func TestWhatIsBeingConnectedCanBeGivenUp(t *testing.T) {
	s := newScreen(true)
	if msg := press(s, "esc"); msg != (welcome.GiveUp{}) || !s.Choosing() {
		t.Errorf("esc gave %#v:\n%s", msg, text(s))
	}
	press(s, "up", "enter", "https://x", "tab", "svc_org_secret", "enter")
	msg := press(s, "esc")
	if msg != (welcome.GiveUp{Attempt: 1}) || !s.Typing() || !strings.Contains(text(s), "https://x") {
		t.Errorf("esc gave %#v:\n%s", msg, text(s))
	}
}

// Esc returns to the screens of the current server and clears the typed token.
func TestThePageThatWasAskedForIsLeftByEscape(t *testing.T) {
	s := newScreen(false)
	s.Ask()
	press(s, "https://x", "tab", "svc_org_secret")
	if msg := press(s, "esc"); msg != (welcome.Leave{}) {
		t.Errorf("esc gave %#v", msg)
	}
	s.Ask()
	if msg := press(s, "tab", "enter"); msg != nil || strings.Contains(text(s), "****") {
		t.Errorf("the token is still there: %#v", msg)
	}
}

func TestBothStagesSayHowAConnectionIsKept(t *testing.T) {
	s := newScreen(false)
	for _, keys := range [][]string{nil, {"up", "enter"}} {
		press(s, keys...)
		if !strings.Contains(text(s), "tarmac login") {
			t.Errorf("after %v:\n%s", keys, text(s))
		}
	}
}

func TestOwnBooksAndABankAreChoices(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want welcome.ChooseBooks
	}{
		{[]string{"down", "enter"}, welcome.ChooseBooks{Attempt: 1}},
		{[]string{"down", "down", "enter"}, welcome.ChooseBooks{Attempt: 1, Connect: true}},
	} {
		s := newScreen(false)
		if !strings.Contains(text(s), "My own books") || !strings.Contains(text(s), "Connect a bank") {
			t.Errorf("the choices:\n%s", text(s))
		}
		if msg := press(s, c.keys...); msg != c.want || !strings.Contains(text(s), "Connecting") {
			t.Errorf("%v gave %#v:\n%s", c.keys, msg, text(s))
		}
		s.Failed(errors.New("there is no room on the disk"))
		if got := text(s); !s.Choosing() || !strings.Contains(got, "There is no room on the disk.") {
			t.Errorf("after a failure:\n%s", got)
		}
	}
}
