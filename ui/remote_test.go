package ui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// remote returns the dashboard of a person who has connected over SSH, before anything is chosen.
func remote(t *testing.T, names ...string) (*dashboard, map[string]*fakeProfile) {
	t.Helper()
	d := open(t, healthy())
	at := d.profiles(names...)
	w := &dashboard{t: t, api: d.api, now: d.now}
	w.Model = New(t.Context(), Options{
		Now: d.options.Now, Timeout: d.options.Timeout, Profiles: d.options.Profiles[1:], Remote: true,
	})
	w.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return w, at
}

func TestOverSSHAPersonChoosesAmongTheirOrganizationsAlone(t *testing.T) {
	d, at := remote(t, "Acme", "Globex")
	d.shows("Choose an organization", "Acme", "Globex")
	for _, other := range []string{"demo", "token", "login", "books"} {
		if strings.Contains(d.text(), other) {
			t.Errorf("it offers %q:\n%s", other, d.text())
		}
	}
	sweep(t, d, "organizations")

	at["Globex"].fail = errRefused
	d.press("down", "enter")
	d.shows("Connection refused.", "> Globex")
	at["Globex"].fail = nil
	d.press("enter")

	d.shows("tarmac  Globex ")
	d.press("p")
	d.shows("Acme", "Globex")
	if strings.Contains(d.text(), "another server") {
		t.Errorf("another server is offered:\n%s", d.text())
	}
}

func TestManyOrganizationsFitOnALowScreen(t *testing.T) {
	names := strings.Fields("one two three four five six seven eight nine ten eleven twelve")
	d, _ := remote(t, names...)
	d.Update(tea.WindowSizeMsg{Width: 60, Height: 14})
	for i, name := range names {
		d.shows(fmt.Sprintf("Choose an organization (%d of 12):", i+1), "> "+name)
		d.press("down")
	}
	d.shows("> one")
}

func TestTheIDsOfOrganizationsAreAligned(t *testing.T) {
	d, _ := remote(t, "Acme", "Ümläutsøns", "日本")
	var columns []int
	for line := range strings.Lines(d.text()) {
		if before, _, found := strings.Cut(line, ".example"); found {
			columns = append(columns, ansi.StringWidth(before[:strings.LastIndex(before, " ")]))
		}
	}
	if len(columns) != 3 || columns[0] != columns[1] || columns[1] != columns[2] {
		t.Errorf("the IDs begin in columns %v:\n%s", columns, d.text())
	}
}

func TestOverSSHTheHelpPromisesNoFile(t *testing.T) {
	for page, says := range map[string]string{
		"3": "how to export", "4": "how to export", "5": "how to save PDF", "6": "how to export", "7": "organizations",
	} {
		d, at := remote(t, "Acme", "Globex")
		at["Acme"].api.bodies["/invoices"] = "[" + oneInvoice + "]"
		d.Update(tea.WindowSizeMsg{Width: 120, Height: 60})
		d.press("enter", page, "?")
		d.shows(says)
		if strings.Contains(d.text(), "profiles") {
			t.Errorf("page %s speaks of profiles:\n%s", page, d.text())
		}
	}
}

// Every page says what prints its records on the person's own machine, and writes nothing here.
func TestOverSSHNoFileIsSaved(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	t.Setenv("HOME", here)
	for _, c := range []struct{ page, key, command string }{
		{"3", "e", "tarmac remind --csv"},
		{"4", "e", "tarmac transactions list --all --csv"},
		{"5", "e", "tarmac invoices list --limit 200 --csv"},
		{"5", "s", "tarmac invoices pdf inv_1"},
		{"6", "e", "tarmac events list --csv"},
	} {
		d, at := remote(t, "Acme")
		at["Acme"].api.bodies["/invoices"] = "[" + oneInvoice + "]"
		d.press("enter", c.page, c.key)
		d.shows("not over SSH; on your own machine: " + c.command)
		d.press("enter")
	}
	if files, err := os.ReadDir(here); err != nil || len(files) > 0 {
		t.Errorf("there are files: %v, %v", files, err)
	}
}

func TestOverSSHSuspendingIsLeftToSSH(t *testing.T) {
	d, _ := remote(t, "Acme")
	d.press("enter", "ctrl+z")
	d.shows("press enter, ~ and ctrl+z")
	d.press("?")
	d.press(strings.Split("suspend", "")...)
	d.shows("how to suspend ssh")
}
