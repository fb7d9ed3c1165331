package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tarmac/views"
)

func TestTheClipboardOfASystem(t *testing.T) {
	for name, c := range map[string]struct {
		system string
		env    map[string]string
		have   string
		want   string
	}{
		"macOS":   {"darwin", nil, "pbcopy", "pbcopy"},
		"Windows": {"windows", nil, "clip.exe", "clip.exe"},
		"WSL":     {"linux", map[string]string{"WSL_DISTRO_NAME": "Debian"}, "clip.exe", "clip.exe"},
		"Wayland": {"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "wl-copy xclip",
			"wl-copy"},
		"X through Wayland": {"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "xsel", "xsel"},
		"no display":        {"linux", nil, "wl-copy xclip xsel", ""},
		"over SSH":          {"darwin", map[string]string{"SSH_TTY": "/dev/pts/1"}, "pbcopy", ""},
		"nothing installed": {"linux", map[string]string{"DISPLAY": ":0"}, "", ""},
	} {
		got := NewClipboard(c.system, func(k string) string { return c.env[k] }, func(program string) (string, error) {
			if strings.Contains(" "+c.have+" ", " "+program+" ") {
				return "/bin/" + program, nil
			}
			return "", exec.ErrNotFound
		})
		if got.Program != c.want || (got.Copy == nil) != (c.want == "") {
			t.Errorf("%s: %q", name, got.Program)
		}
	}
}

func TestTheNoticeSaysWhichClipboard(t *testing.T) {
	held := ""
	take := func(_ context.Context, text string) error { held = text; return nil }
	refuse := func(context.Context, string) error { return errors.New("no seat") }
	for _, c := range []struct {
		clipboard     Clipboard
		notice, taken string
	}{
		{Clipboard{Program: "wl-copy", Copy: take}, "copied the id (wl-copy)", "txn_1"},
		{Clipboard{Program: "wl-copy", Copy: refuse}, "copied the id (OSC 52, if the terminal allows it)", ""},
		{Clipboard{}, "copied the id (OSC 52, if the terminal allows it)", ""},
		{Clipboard{Tmux: true}, "copied the id (OSC 52, if tmux has set-clipboard on)", ""},
	} {
		held = ""
		d := open(t, healthy())
		d.options.Clipboard = c.clipboard
		d.drain(views.PutOnClipboard("the id", "txn_1"))
		d.shows(c.notice)
		if held != c.taken {
			t.Errorf("%s: the program was given %q", c.notice, held)
		}
	}
}

func TestTextGoesToAProgramsInput(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	for text, failed := range map[string]bool{"株 $5": false, "another": true} {
		if err := runWithInput(t.Context(), shell, []string{"-c", `[ "$(cat)" = '株 $5' ]`}, text); (err != nil) != failed {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWhatIsTooLongIsNotCopied(t *testing.T) {
	m := New(t.Context(), Options{Now: time.Now})
	if msg, ok := m.copy(views.Copy{What: "the list", Text: strings.Repeat("x", mostCopied+1)})().(views.Notice); !ok ||
		!msg.Problem {
		t.Errorf("%+v", msg)
	}
	if got := fmt.Sprint(m.copy(views.Copy{What: "the number", Text: "INV-000001"})()); got != "INV-000001" ||
		m.notice.problem {
		t.Errorf("%q, %+v", got, m.notice)
	}
}

func TestAClipboardsProgramIsHandedNoToken(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is the shell's")
	}
	dir := t.TempDir()
	program, seen := filepath.Join(dir, "pbcopy"), filepath.Join(dir, "seen")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat > "+seen+"\nenv >> "+seen+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TARMAC_TOKEN", "svc_org_secret")
	c := NewClipboard("darwin", func(string) string { return "" }, func(string) (string, error) { return program, nil })
	if err := c.Copy(t.Context(), "txn_1"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(seen); err != nil || !strings.Contains(string(got), "txn_1") ||
		strings.Contains(string(got), "svc_org_secret") {
		t.Errorf("it sees %q, %v", got, err)
	}
}
