package transactions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/export"
	"tarmac/client/filters"
	"tarmac/client/state"
	"tarmac/views"
)

// traveling gives every third row the category Travel and every fourth another, of two words.
func traveling(number int, row *apiclient.Transaction) {
	switch {
	case number%3 == 0:
		row.Category = "Travel"
	case number%4 == 0:
		row.Category = "Payroll taxes"
	}
}

// categorized is a screen with categories from the books behind the server.
func categorized(t *testing.T, rows int) *fixture {
	d := open(t, rows)
	d.server.alter = traveling
	d.drain(d.Refresh())
	return d
}

// answer runs a command and delivers what it says to the screen, also the messages that the root
// model would broadcast.
func (d *fixture) answer(cmd tea.Cmd) (notice string) {
	d.t.Helper()
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			notice += d.answer(c)
		}
	case views.Notice:
		return msg.Text
	case nil:
	default:
		return d.answer(d.Update(msg))
	}
	return notice
}

// pressed presses a key and returns the notice that follows.
func (d *fixture) pressed(key string) string { return d.answer(d.Update(press(key))) }

func TestWithoutCategoriesThereIsNoColumn(t *testing.T) {
	d := open(t, 30)
	if header := d.header(); strings.Contains(header, "Category") {
		t.Errorf("the header is %q", header)
	}
	d.press("enter")
	if strings.Contains(d.text(), "Note") {
		t.Error("the details have a note")
	}
	if header := categorized(t, 30).header(); !strings.Contains(header, "Category") {
		t.Errorf("with categories, the header is %q", header)
	}
}

func TestACategoryIsWrittenCompletedUndoneAndRemoved(t *testing.T) {
	d := categorized(t, 30)
	id := d.current().ID

	d.press("c")
	d.says("Category")
	d.write("pay")
	d.says("tab Payroll taxes")
	d.press("tab")
	if got := d.pressed("enter"); got != "category saved, until you quit · u takes it back" {
		t.Errorf("it says %q", got)
	}

	d.press("enter")
	d.says("Payroll taxes (you)")
	if got := d.rows.annotated.Set()[id].Category; got != "Payroll taxes" {
		t.Errorf("it is %q", got)
	}
	if got := d.pressed("u"); got != "category is as before, until you quit" || len(d.rows.annotated.Set()) > 0 {
		t.Errorf("undone, it says %q and keeps %v", got, d.rows.annotated.Set())
	}
	if d.pressed("u") != "" {
		t.Error("it is undone twice")
	}
	d.press("c")
	d.write("TRAVEL")
	d.pressed("enter")
	if got := d.rows.annotated.Set()[id].Category; got != "Travel" {
		t.Errorf("the spelling is %q, not the known one", got)
	}
	d.press("c")
	for range 6 {
		d.press("backspace")
	}
	if got := d.pressed("enter"); !strings.HasPrefix(got, "category removed") || len(d.rows.annotated.Set()) > 0 {
		t.Errorf("removed, it says %q and keeps %v", got, d.rows.annotated.Set())
	}
}

func TestARulesCategoryStaysUnderThePersons(t *testing.T) {
	d := categorized(t, 30)
	for d.current().Category != "Travel" {
		d.press("j")
	}
	d.press("c")
	d.says("empty keeps Travel, set by a rule")
	d.write("Client visits")
	d.pressed("enter")
	d.press("enter")
	d.says("Client visits (you)")
	d.pressed("u")
	d.says("Travel (rule)")
}

func TestANoteHasAMarkAndIsInTheDetails(t *testing.T) {
	d := categorized(t, 30)
	d.press("m")
	d.write("Ada asked: paid 1,234.56 USD too much?")
	d.pressed("enter")
	d.SetSize(80, 21)
	d.says("» ", "Memo » note")
	d.SetSize(120, 37)
	d.says("» ", "Memo (» has a note)")
	d.press("enter")
	d.says("Note", "Ada asked", "(you)")

	looks := d.Theme
	looks.Masked = true
	d.SetTheme(looks)

	if text := d.text(); !strings.Contains(text, "Ada asked: paid •••") {
		t.Errorf("amounts in a note are not hidden:\n%s", text)
	}
}

func TestWhatWasTypedIsThereAgainAfterEsc(t *testing.T) {
	d := open(t, 30)
	d.press("m")
	d.write("half a sen")
	if !d.Back() || d.Typing() || len(d.rows.annotated.Set()) > 0 {
		t.Fatal("esc does not leave the prompt unsaved")
	}
	d.press("j", "m")
	if strings.Contains(d.text(), "half") {
		t.Error("another transaction has the text")
	}
	d.Back()
	d.press("k", "m")
	d.write("tence")
	d.pressed("enter")
	if got := d.rows.annotated.Set()[d.current().ID].Note; got != "half a sentence" {
		t.Errorf("the note is %q", got)
	}
}

func TestAnUnsavedNoteIsSaidAndNotLost(t *testing.T) {
	d := open(t, 30)
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	env := d.Env
	env.Annotations = annotations.NewFile(state.Directory(filepath.Join(file, "state")))
	d.Screen = New(env, d.server)
	d.SetSize(120, 30)
	d.drain(d.Init())
	d.press("m")
	d.write("late")

	got := d.pressed("enter")

	if !strings.HasPrefix(got, "the note was not saved: ") {
		t.Errorf("it says %q", got)
	}
	d.press("m")
	d.says("late")
}

func TestCategoriesAreSearchedInMemoryAndCompleted(t *testing.T) {
	for typed, want := range map[string]string{
		"cat:travel": "10 of 30 rows read", `cat:"payroll t`: "5 of 30 rows read", "cat:none": "15 of 30 rows read",
		"CAT:TRAVEL >1m": "0 of 30 rows read", "cat:nothing": "0 of 30 rows read",
	} {
		d := categorized(t, 30)
		d.press("/")
		d.write(typed)
		d.press("enter")
		if text := d.text(); !strings.Contains(text, want) {
			t.Errorf("%s:\n%s", typed, text)
		}
	}
	d := categorized(t, 30)
	d.press("/")
	d.write("servers cat:p")
	d.says(`tab cat:"Payroll taxes"`)
	d.press("tab", "enter")
	d.says("5 of 30 rows read", `["servers"]`, `[cat:"Payroll taxes"]`)
	if got := d.State().Kept.Filter; got != (filters.Filter{Text: `servers cat:"Payroll taxes"`}) {
		t.Errorf("%+v is saved", got)
	}
	d.press("/")
	d.write(" cat:")
	d.press("enter")
	d.says("name the category")
}

// Lower case letters may be longer than upper case ones.
func TestACategoryIsCompletedAfterAnyText(t *testing.T) {
	for typed, want := range map[string]string{
		"ȺȺȺȺȺ cat:": `cat:"Payroll taxes"`, "İİİİİ CAT:t": "cat:Travel", `x cat:"payroll t`: `cat:"Payroll taxes"`,
	} {
		d := categorized(t, 30)
		d.press("/")
		d.write(typed)
		d.says("tab " + want)
		d.press("tab", "enter")
		d.says("[" + want + "]")
	}
	d := categorized(t, 30)
	d.press("/")
	d.write("cat:travel")
	for _, more := range []string{" ", "tr"} {
		if d.write(more); strings.Contains(d.text(), "tab ") {
			t.Errorf("another word is completed:\n%s", d.text())
		}
	}
}

// A row that gets another category leaves the list of the filter.
func TestAFilterByCategoryFollowsChanges(t *testing.T) {
	d := categorized(t, 30)
	d.press("/")
	d.write("cat:none")
	d.press("enter")
	d.press("c")
	d.write("office")
	d.pressed("enter")
	d.says("14 of 30 rows read")
}

func TestCategoriesAndNotesAreExportedAndCopied(t *testing.T) {
	d := categorized(t, 12)
	d.press("m")
	d.write("=1+1")
	d.pressed("enter")
	path := filepath.Join(t.TempDir(), "a.csv")
	file, err := export.Create(path, "USD", d.exportsKnown())
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Add(d.store.inMemory()); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Commit(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "category,category_from,note\r\n") ||
		!strings.Contains(string(text), ",,,'=1+1\r\n") && !strings.Contains(string(text), ",rule,'=1+1\r\n") {
		t.Errorf("it holds\n%s", text)
	}
	if row := tabSeparated(d.copied(d.current())); !strings.HasSuffix(row, "\t'=1+1") {
		t.Errorf("%q is copied", row)
	}
	if row := tabSeparated(open(t, 3).copied(d.current())); strings.Contains(row, "1+1") {
		t.Errorf("without notes %q is copied", row)
	}
}

func TestHostileCategoriesAreDrawnInOneLine(t *testing.T) {
	d := open(t, 30)
	d.server.alter = func(number int, row *apiclient.Transaction) {
		row.Category = fmt.Sprint(number, "İ", strings.Repeat("株", 300))
	}
	d.drain(d.Refresh())
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		d.SetSize(size[0], size[1])
		d.press("c")
		d.write("i")
		d.press("tab")
		d.text() // fails if a line is too long
		d.Back()
	}
}
