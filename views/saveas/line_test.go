package saveas_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/export"
	"tarmac/views/sample"
	"tarmac/views/saveas"
)

func table() saveas.Table {
	return saveas.Table{What: "1 thing", Sheet: export.Sheet{Names: []string{"name"}, Rows: [][]any{{"a"}}}}
}

func open(t testing.TB, masked bool) (*saveas.Line, string) {
	t.Helper()
	dir := t.TempDir()
	line, looks := saveas.New(dir), theme.New(true)
	looks.Masked = masked
	line.SetTheme(looks)
	line.SetWidth(200)
	line.Ask(table, "things", "of mine")
	return &line, filepath.Join(dir, "things-of-mine.csv")
}

func notice(t testing.TB, cmd tea.Cmd) views.Notice {
	t.Helper()
	if cmd == nil {
		t.Fatal("nothing is told")
	}
	n, ok := cmd().(views.Notice)
	if !ok {
		t.Fatal("something else is told")
	}
	return n
}

func TestWhatIsNamedIsWrittenAndToldWhere(t *testing.T) {
	line, path := open(t, false)
	if !line.Open() || !strings.Contains(ansi.Strip(line.Draw()), path) {
		t.Fatalf("%s is not offered: %s", path, ansi.Strip(line.Draw()))
	}
	if n := notice(t, line.Press(sample.Press("enter"))); n.Problem || n.Text != "exported 1 thing to "+path {
		t.Errorf("told: %+v", n)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "name\na\n" || line.Open() {
		t.Errorf("%q, %v, open: %v", text, err, line.Open())
	}
	line.Ask(table, "things", "of mine")
	if n := notice(t, line.Press(sample.Press("enter"))); !n.Problem || !strings.Contains(n.Text, "is there already") || !line.Open() {
		t.Errorf("a name that is taken: %+v, open: %v", n, line.Open())
	}
	if line.Press(sample.Press("esc")); line.Open() {
		t.Error("esc does not leave it")
	}
}

func TestMaskedAmountsAreAskedAboutFirst(t *testing.T) {
	line, path := open(t, true)
	if !strings.Contains(ansi.Strip(line.Draw()), "the file will show them") {
		t.Fatalf("it says %s", ansi.Strip(line.Draw()))
	}
	if line.Press(sample.Press("n")); line.Open() {
		t.Error("n does not leave it")
	}
	line.Ask(table, "things", "of mine")
	line.Press(sample.Press("y"))
	if n := notice(t, line.Press(sample.Press("enter"))); n.Problem {
		t.Errorf("told: %+v", n)
	}
	if _, err := os.Lstat(path); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeWrittenIsSaid(t *testing.T) {
	line, path := open(t, false)
	if err := os.Remove(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if n := notice(t, line.Press(sample.Press("enter"))); !n.Problem || !strings.HasPrefix(n.Text, "nothing was exported: ") {
		t.Errorf("told: %+v", n)
	}
}
