package saveas_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/export"
	"tarmac/client/record"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/saveas"
)

func table() saveas.Table {
	thing := record.Object{record.Text("name", "", "a")}
	return saveas.Table{What: "1 thing", Sample: thing, Records: []record.Object{thing}}
}

func open(t testing.TB, masked bool) (*saveas.Line, string) {
	t.Helper()
	dir := t.TempDir()
	line, looks := saveas.New(export.Directories{Documents: dir}), theme.New(true)
	looks.Masked = masked
	line.SetTheme(looks)
	line.SetWidth(400)
	line.Ask(table, "tarmac things", "things", "of mine")
	return line, filepath.Join(dir, "things-of-mine.csv")
}

// told runs a command and returns its notice. If the command exports a file, the prompt handles the
// outcome first.
func told(t testing.TB, line *saveas.Line, cmd tea.Cmd) views.Notice {
	t.Helper()
	if cmd == nil {
		t.Fatal("nothing is told")
	}
	msg := cmd()
	if w, ok := msg.(saveas.Written); ok {
		if cmd = line.Take(w); cmd == nil {
			t.Fatal("nothing is told of what was written")
		}
		msg = cmd()
	}
	n, ok := msg.(views.Notice)
	if !ok {
		t.Fatalf("something else is told: %#v", msg)
	}
	return n
}

func put(t testing.TB, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNamedIsWrittenAndToldWhere(t *testing.T) {
	line, path := open(t, false)
	if !line.Open() || !strings.Contains(ansi.Strip(line.Draw()), path) {
		t.Fatalf("%s is not offered: %s", path, ansi.Strip(line.Draw()))
	}
	if n := told(t, line, line.Press(sample.Press("enter"))); n.Problem || n.Text != "exported 1 thing to "+path {
		t.Errorf("told: %+v", n)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "name\r\na\r\n" || line.Open() {
		t.Errorf("%q, %v, open: %v", text, err, line.Open())
	}
	line.Ask(table, "tarmac things", "things", "of mine")
	if n := told(t, line, line.Press(sample.Press("enter"))); !n.Problem || !strings.Contains(n.Text, "already exists") ||
		!line.Open() {
		t.Errorf("a name that is taken: %+v, open: %v", n, line.Open())
	}
	if line.Press(sample.Press("esc")); line.Open() {
		t.Error("esc does not leave it")
	}
}

func TestANameThatIsTakenStaysToBeChanged(t *testing.T) {
	line, path := open(t, false)
	put(t, path)
	if n := told(t, line, line.Press(sample.Press("enter"))); !n.Problem ||
		n.Text != "things-of-mine.csv already exists: choose another name" {
		t.Errorf("told: %+v", n)
	}
	if drawn := strings.TrimSpace(ansi.Strip(line.Draw())); !line.Open() || drawn != "Export   "+path {
		t.Fatalf("it is %q", drawn)
	}
	for _, k := range []string{"backspace", "backspace", "backspace", "j", "s", "o", "n"} {
		line.Press(sample.Press(k))
	}
	other := strings.TrimSuffix(path, "csv") + "json"
	if n := told(t, line, line.Press(sample.Press("enter"))); n.Problem || n.Text != "exported 1 thing to "+other ||
		line.Open() {
		t.Errorf("told: %+v, open: %v", n, line.Open())
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("what had the name is %q, %v", text, err)
	}
}

// Only commands access the disk, so that a slow one does not block keys.
func TestAKeyAsksNoDisk(t *testing.T) {
	line, path := open(t, false)
	put(t, path)
	command := line.Press(sample.Press("enter"))
	if command == nil || !strings.HasPrefix(ansi.Strip(line.Draw()), "Writing  "+path) ||
		len(line.Help()[0].Bindings) != 1 {
		t.Fatalf("it is %q", ansi.Strip(line.Draw()))
	}
	line.Paste(tea.PasteMsg{Content: "x"})
	for _, k := range []string{"x", "backspace", "enter"} {
		if line.Press(sample.Press(k)) != nil || !strings.HasPrefix(ansi.Strip(line.Draw()), "Writing  "+path+" ") {
			t.Errorf("%s does something while a file is written: %q", k, ansi.Strip(line.Draw()))
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if n := told(t, line, command); n.Problem || line.Open() {
		t.Errorf("enter looked already: %+v", n)
	}
}

// Closing the prompt cancels the export, and its failure is not reported.
func TestAnAnswerThatComesTooLateIsDropped(t *testing.T) {
	for _, taken := range []bool{false, true} {
		line, path := open(t, false)
		if taken {
			put(t, path)
		}
		command := line.Press(sample.Press("enter"))
		line.Press(sample.Press("esc"))
		line.Ask(table, "tarmac others", "others")
		late, ok := command().(saveas.Written)
		if !ok || line.Take(late) != nil || !line.Open() ||
			!strings.Contains(ansi.Strip(line.Draw()), "Export   "+filepath.Join(filepath.Dir(path), "others.csv")) {
			t.Errorf("taken %t: it is %q", taken, ansi.Strip(line.Draw()))
		}
		if text, err := os.ReadFile(path); taken != (err == nil) || taken && string(text) != "mine" {
			t.Errorf("taken %t: %q, %v", taken, text, err)
		}
		if n := told(t, line, line.Press(sample.Press("enter"))); n.Problem || line.Open() {
			t.Errorf("taken %t: the next is told %+v", taken, n)
		}
	}
}

// A file that was complete when the prompt closed is reported.
func TestAFileThatIsThereIsToldOf(t *testing.T) {
	line, path := open(t, false)
	written, ok := line.Press(sample.Press("enter"))().(saveas.Written)
	if !ok {
		t.Fatal("there is no answer")
	}
	line.Press(sample.Press("esc"))
	line.Ask(table, "tarmac others", "others")
	n, ok := line.Take(written)().(views.Notice)
	if !ok || n.Problem || n.Text != "exported 1 thing to "+path || !line.Open() {
		t.Errorf("told %+v, open: %t", n, line.Open())
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
	line.Ask(table, "tarmac things", "things", "of mine")
	line.Press(sample.Press("y"))
	if n := told(t, line, line.Press(sample.Press("enter"))); n.Problem {
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
	if n := told(t, line, line.Press(sample.Press("enter"))); !n.Problem ||
		!strings.HasPrefix(n.Text, "not exported: "+filepath.Dir(path)+": ") ||
		!line.Open() {
		t.Errorf("told: %+v", n)
	}
}

func TestANameWithoutAFormatIsSaidAtOnce(t *testing.T) {
	line, path := open(t, false)
	line.Press(sample.Press("backspace"))
	if n := told(t, line, line.Press(sample.Press("enter"))); !n.Problem || !strings.Contains(n.Text, ".csv or .json") ||
		!line.Open() {
		t.Errorf("told: %+v", n)
	}
	if drawn := strings.TrimSpace(ansi.Strip(line.Draw())); drawn != "Export   "+strings.TrimSuffix(path, "v") {
		t.Errorf("it is %q", drawn)
	}
}
