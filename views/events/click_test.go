package events

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/export"
	"tarmac/theme"
	"tarmac/views"
)

func TestAClickOnWhatNarrowsTheListTakesItOff(t *testing.T) {
	d := open(t, 12)
	d.press("/")
	d.write("株")
	d.press("enter")
	d.press("f", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "enter")
	if d.choice == allTypes {
		t.Fatal("no type is chosen")
	}
	click := func(text string) {
		line, _, _ := strings.Cut(ansi.Strip(d.View()), "\n")
		before, _, found := strings.Cut(line, text)
		if !found {
			t.Fatalf("%q is not in %q", text, line)
		}
		d.run(d.Click(ansi.StringWidth(before), 0))
	}
	click("live ")
	click("株")
	if d.list.Text != "" || d.choice == allTypes {
		t.Errorf("searched for %q, of the type %s", d.list.Text, d.choice)
	}
	click(d.choice)
	if d.choice != allTypes {
		t.Errorf("the type %s is still chosen", d.choice)
	}
}

func TestTheListIsExportedInItsOrder(t *testing.T) {
	d := open(t, 5)
	dir := t.TempDir()
	d.Screen = New(
		views.Env{
			Snapshot: d.data,
			Now:      func() time.Time { return d.at },
			Theme:    theme.New(true),
			Places:   export.Directories{Documents: dir},
		},
	)
	d.SetSize(110, 20)
	d.press("o", "e")
	path := filepath.Join(dir, "events.csv")
	if !d.Typing() || !strings.Contains(d.text(), path[:40]) {
		t.Fatalf("%s is not offered:\n%s", path, d.text())
	}
	if n, ok := d.Update(d.Update(press("enter"))())().(views.Notice); !ok || n.Text != "exported 5 events to "+path {
		t.Fatalf("told %+v", n)
	}
	text, err := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\r\n")
	newest, _ := d.event(0)
	if err != nil || len(lines) != 6 || lines[0] != "id,type,version,occurred_at,data" ||
		!strings.HasPrefix(lines[1], newest.ID+",") {
		t.Errorf("%s, %v", text, err)
	}
}
