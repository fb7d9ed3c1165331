package webhooks

import (
	"strings"
	"testing"
	"time"

	"tarmac/theme"
	"tarmac/views"
)

func enabled(s *Screen) string {
	var keys []string
	for _, group := range s.Help()[:1] {
		for _, b := range group.Bindings {
			if b.Enabled() {
				keys = append(keys, b.Help().Key)
			}
		}
	}
	return strings.Join(keys, " ")
}

func TestTheKeysThatWorkInEachState(t *testing.T) {
	all := states(t)
	all["nobody-answered"] = &fixture{
		Screen: New(views.Env{
			Context: t.Context(), Theme: theme.New(true), Now: func() time.Time { return start },
		}, newServer(&start)),
	}
	for name, want := range map[string]string{
		"list": "enter / n e v a c s D y tab", "empty": "n", "failed": "", "not-allowed": "", "nobody-answered": "",
		"read-only": "enter / e y tab", "deliveries": "esc enter / n e v a c s D y tab", "delivery": "esc n e v a c s D y",
		"stale": "enter / n e v a c s D y tab", "unnamed": "/ n", "form": "enter ctrl+s esc ↓ ↑",
		"change": "enter ctrl+s esc space a ↓ ↑", "delete": "esc", "rotate": "esc", "secret": "y y esc esc",
		"no-longer-allowed": "", "token-refused": "enter / e y tab",
	} {
		if got := enabled(all[name].Screen); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNoTwoKeysOfAStateAreTheSame(t *testing.T) {
	for name, d := range states(t) {
		if d.form.Open() {
			continue // in the URL field, keys of the type list are text
		}
		taken := map[string]string{}
		for _, group := range d.Help() {
			for _, b := range group.Bindings {
				for _, k := range b.Keys() {
					if other, twice := taken[k]; twice && b.Enabled() {
						t.Errorf("%s: %s is %s and %s", name, k, other, b.Help().Desc)
					}
					if b.Enabled() {
						taken[k] = b.Help().Desc
					}
				}
			}
		}
	}
}

// A write key that cannot work starts nothing and says why.
func TestAKeyForAWriteThatIsNotOfferedSaysWhy(t *testing.T) {
	for _, k := range []string{"n", "c", "a", "s", "v", "D"} {
		all := states(t)
		for name, want := range map[string]string{
			"not-allowed":       "not allowed: the token lacks the scope webhook_endpoints:manage",
			"no-longer-allowed": "not allowed: the token lacks the required scope",
			"token-refused":     "the server refused the token: nothing can be changed with it",
			"read-only":         "read-only session: endpoints cannot be changed",
			"failed":            "",
		} {
			d := all[name]
			d.requests()
			if d.press(k); d.Typing() || len(d.requests()) > 0 {
				t.Errorf("%s: %s begins something", name, k)
			}
			if got := strings.Join(d.notices, "; "); got != want {
				t.Errorf("%s: %s says %q, want %q", name, k, got, want)
			}
		}
	}
	d := states(t)["not-allowed"]
	d.server.failList = nil
	d.run(d.Refresh())
	if d.press("n"); !d.Typing() {
		t.Error("allowed again, n opens no form")
	}
}

// The page does not suggest keys that are disabled.
func TestARefusedTokenIsToldNoKeysForWrites(t *testing.T) {
	d := states(t)["token-refused"]
	d.press("G")
	d.shows("old.example.com", "stale")
	d.hides("to activate it")
}

// In a read-only session no key sends a write.
func TestReadOnlySendsNoWrite(t *testing.T) {
	d := openAs(t, views.Env{ReadOnly: true})
	d.requests()
	d.press("n", "c", "a", "s", "D", "v", "enter", "n", "c", "a", "s", "D", "v")
	if d.Typing() {
		t.Error("something is being typed")
	}
	for _, what := range d.requests() {
		if !strings.HasPrefix(what, "log ") {
			t.Errorf("the server received %s", what)
		}
	}
	if cmd := d.Screen.create("https://example.com", nil); cmd != nil {
		t.Error("a write was begun")
	}
	d.press("esc")
	d.shows("● active")
	d.hides("to activate it", "Press n to create one")
}
