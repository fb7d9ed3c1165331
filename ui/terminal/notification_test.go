package terminal_test

import (
	"strings"
	"testing"

	"tarmac/ui/terminal"
)

func TestEachTerminalIsNotifiedInItsWay(t *testing.T) {
	kitty := "\x1b]99;i=tarmac:d=0;acme\x1b\\\x1b]99;i=tarmac:p=body;runway 8.7 months\x1b\\"
	for _, c := range []struct {
		environ map[string]string
		rings   bool
		want    string
	}{
		{map[string]string{"TERM": "xterm-kitty"}, false, kitty},
		{map[string]string{"TERM": "foot-extra"}, false, "\x1b]777;notify;acme;runway 8.7 months\x1b\\"},
		{map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, true,
			"\x1b]777;notify;acme;runway 8.7 months\x1b\\"},
		{map[string]string{"TERM": "xterm-ghostty"}, false, "\x1b]777;notify;acme;runway 8.7 months\x1b\\"},
		{map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, false,
			"\x1b]9;acme: runway 8.7 months\x1b\\"},
		{map[string]string{"TERM": "xterm-256color"}, false, ""},
		{map[string]string{"TERM": "xterm-256color"}, true, "\a"},
		{map[string]string{"TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"}, true, "\a"},
		{map[string]string{"TERM": "screen-256color", "TERM_PROGRAM": "WezTerm"}, false, ""},
	} {
		getenv := func(name string) string { return c.environ[name] }

		got := terminal.Notification(getenv, "acme", "runway 8.7 months", c.rings)

		if got != c.want {
			t.Errorf("%v: %q, want %q", c.environ, got, c.want)
		}
	}
}

func TestANotificationEndsNoSequence(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"TERM": "foot"}[name] }

	got := terminal.Notification(getenv, "a;b\x1b\\", "x\a\x1b]0;y\u009c\nz"+strings.Repeat("w", 5000), false)

	inside := strings.TrimSuffix(strings.TrimPrefix(got, "\x1b]777;notify;"), "\x1b\\")
	if strings.ContainsAny(inside, "\x1b\a\u009c\n") || strings.Count(inside, ";") != 1 || len(inside) > 300 {
		t.Errorf("%q", got)
	}
}
