package transactions

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/views"
)

// exporter is a screen that exports to a test directory. Tests run its commands one at a time.
type exporter struct {
	*reader
	dir     string
	notices []views.Notice
	steps   int
}

func withRows(t testing.TB) *exporter {
	t.Helper()
	e := &exporter{reader: read(t, newLedger(100, func(int) int { return 200 })), dir: t.TempDir()}
	e.Env.Places.Documents = e.dir
	return e
}

// run runs a command and those that follow, until maxPages pages were exported. It returns the
// command that is left, if any.
func (e *exporter) run(t testing.TB, cmd tea.Cmd, maxPages int) (left tea.Cmd) {
	t.Helper()
	for cmd != nil {
		if e.exports.running != nil && e.exports.running.waiting {
			if maxPages == 0 {
				return cmd
			}
			maxPages--
			e.steps++
		}
		cmd = e.take(t, cmd())
	}
	return nil
}

func (e *exporter) take(t testing.TB, msg tea.Msg) tea.Cmd {
	t.Helper()
	switch msg := msg.(type) {
	case tea.BatchMsg:
		var rest tea.Cmd
		for _, cmd := range msg {
			if next := e.take(t, cmd()); next != nil {
				rest = next
			}
		}
		return rest
	case views.Notice:
		e.notices = append(e.notices, msg)
		return nil
	}
	return e.Update(msg)
}

// begin starts an export to the suggested file, or to name if it is set.
func (e *exporter) begin(t testing.TB, name string) tea.Cmd {
	t.Helper()
	e.press(t, "e")
	if name != "" {
		e.input.Prompt.Open("Export   ", "", 4096, filepath.Join(e.dir, name))
	}
	return e.Update(press("enter"))
}

func (e *exporter) files(t testing.TB) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(e.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// empty waits until the incomplete file has been removed in the background.
func (e *exporter) empty(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); len(e.files(t)) > 0; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%q are left", e.files(t))
		}
	}
}

func TestAnExportHoldsTheWholeFilter(t *testing.T) {
	e := withRows(t)
	e.press(t, "f")
	for _, c := range "2026-09-01.." {
		e.press(t, string(c))
	}
	e.press(t, "enter", "e")
	if !strings.Contains(e.text(), "Export   ") ||
		e.input.Text() != filepath.Join(e.dir, "transactions-2026-09-01.csv") {
		t.Fatalf("%q is offered:\n%s", e.input.Text(), e.text())
	}
	left := e.run(t, e.Update(press("enter")), 3)
	if text := e.text(); !strings.Contains(text, "exporting 600 of 16,200 (3%) · esc cancels") {
		t.Fatalf("how far it is:\n%s", text)
	}
	e.Update(press("down"))
	if e.list.Table.Cursor() != 1 || strings.Contains(strings.Join(e.files(t), " "), "transactions") {
		t.Errorf("row %d, files %q", e.list.Table.Cursor(), e.files(t))
	}
	e.run(t, left, 1000)
	if len(e.notices) != 1 || e.notices[0].Problem ||
		!strings.Contains(e.notices[0].Text, "exported 16,200 transactions to ") {
		t.Errorf("told %+v", e.notices)
	}
	file, err := os.Open(filepath.Join(e.dir, "transactions-2026-09-01.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil || len(records) != 16_201 {
		t.Fatalf("%d lines, %v", len(records), err)
	}
	for i, record := range records[1:] {
		if record[0] != e.ledger.id(i) {
			t.Fatalf("line %d is %s, not %s", i+2, record[0], e.ledger.id(i))
		}
	}
	if len(e.files(t)) != 1 || e.exports.running != nil || e.steps != 81 {
		t.Errorf("%q, %d steps", e.files(t), e.steps)
	}
}

func TestAnExportToJSONIsByItsName(t *testing.T) {
	e := withRows(t)
	e.run(t, e.begin(t, "all.json"), 1000)
	text, err := os.ReadFile(filepath.Join(e.dir, "all.json"))
	var rows []struct {
		ID string `json:"id"`
	}
	if err != nil || json.Unmarshal(text, &rows) != nil || len(rows) != 20_000 || rows[19_999].ID != e.ledger.id(19_999) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestEscCancelsAnExportAndLeavesNoFile(t *testing.T) {
	for _, under := range []bool{true, false} {
		e := withRows(t)
		left := e.run(t, e.begin(t, ""), 5)
		if !under {
			e.ledger.fail = &apiclient.Error{Status: 503}
			e.run(t, left, 1) // the export now waits for its retry
		}
		e.press(t, "down")
		if !e.Back() || e.Back() {
			t.Error("esc does not cancel, once")
		}
		if under {
			e.run(t, left, 1)
		}
		if e.empty(t); !strings.Contains(e.text(), "export canceled, no file was written") {
			t.Errorf("under way %t: it does not say so:\n%s", under, e.text())
		}
		e.ledger.fail = nil
		e.press(t, "down")
		e.run(t, e.begin(t, ""), 1000)
		if files := e.files(t); len(files) != 1 {
			t.Errorf("under way %t: the next one left %q", under, files)
		}
	}
}

// The user may press esc while the last page is being written.
func TestAFileThatWasWholeBeforeEscIsToldOf(t *testing.T) {
	whole := withRows(t)
	whole.run(t, whole.begin(t, ""), 1000)
	e := withRows(t)
	last := e.run(t, e.begin(t, ""), whole.steps-1)()
	if files := e.files(t); len(files) != 1 || strings.HasSuffix(files[0], ".part") || !e.Back() {
		t.Fatalf("%q: not whole, or done already", files)
	}
	e.run(t, e.take(t, last), 0)
	if want := strings.Replace(whole.notices[0].Text, whole.dir, e.dir, 1); len(e.notices) != 1 ||
		e.notices[0].Text != want {
		t.Errorf("told %+v, not %s", e.notices, want)
	}
	if text := e.text(); strings.Contains(text, "no file was written") {
		t.Errorf("it denies the file:\n%s", text)
	}
}

func TestAnExportEndsWithTheProgramAndLeavesNoFile(t *testing.T) {
	e := withRows(t)
	ctx, end := context.WithCancel(context.Background())
	e.Env.Context = ctx
	left := e.run(t, e.begin(t, ""), 5)
	end()
	left()
	if files := e.files(t); len(files) != 0 {
		t.Errorf("%q are left", files)
	}
}

func TestAnExportWaitsAsLongAsTheServerAsks(t *testing.T) {
	e := withRows(t)
	left := e.run(t, e.begin(t, ""), 5)
	e.ledger.fail = &apiclient.Error{Status: 429, RetryAfter: 12 * time.Second}
	e.run(t, left, 1)
	if !strings.Contains(e.text(), "exporting 1,000 of 20,000 (5%) · esc cancels · rate limited: retry in 12s") {
		t.Fatalf("it does not say how long it waits:\n%s", e.text())
	}
	e.ledger.fail = nil
	asked := len(e.ledger.queries)
	e.clock.at = e.clock.at.Add(11 * time.Second)
	e.run(t, e.Update(views.Tick{}), 1000)
	if len(e.ledger.queries) != asked {
		t.Error("it asked before that")
	}
	e.clock.at = e.clock.at.Add(2 * time.Second)
	e.run(t, e.Update(views.Tick{}), 1000)
	if len(e.notices) != 1 || !strings.Contains(e.notices[0].Text, "exported 20,000") {
		t.Errorf("told %+v", e.notices)
	}
}

// limited is a ledger whose server announces a rate limit.
type limited struct {
	*ledger
	rate apiclient.Rate
}

func (l *limited) Rate() apiclient.Rate { return l.rate }

func TestAnExportLeavesTheRestOfTheDashboardItsRequests(t *testing.T) {
	e := withRows(t)
	e.source = &limited{e.ledger, apiclient.Rate{Limit: 300, Remaining: 14, ResetIn: 3 * time.Second}}
	e.run(t, e.begin(t, ""), 1000)
	if e.steps != 1 || !strings.Contains(e.text(), "exporting 200 of 20,000 (1%) · esc cancels") {
		t.Errorf("%d steps:\n%s", e.steps, e.text())
	}
	e.source = &limited{e.ledger, apiclient.Rate{Limit: 300, Remaining: 15}}
	e.clock.at = e.clock.at.Add(3 * time.Second)
	e.run(t, e.Update(views.Tick{}), 1000)
	if e.exports.running != nil {
		t.Error("it does not go on")
	}
}

func TestAnExportThatCannotBeIsGivenUp(t *testing.T) {
	e := withRows(t)
	left := e.run(t, e.begin(t, ""), 5)
	e.ledger.fail = &apiclient.Error{Status: 403}
	e.run(t, left, 1)
	if e.exports.running != nil || len(e.notices) != 1 || !e.notices[0].Problem ||
		e.notices[0].Text != "export failed, no file was written: not allowed" {
		t.Errorf("%+v", e.notices)
	}
	e.empty(t)
}

// An invalid file name shows its error next to the prompt, where it can be edited.
func TestANameThatCannotBeStaysToBeChanged(t *testing.T) {
	e := withRows(t)
	if err := os.WriteFile(filepath.Join(e.dir, "mine.csv"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"mine.csv": "mine.csv already exists: choose another name", "a.xlsx": "end in .csv or .json",
		"a":                               "end in .csv or .json",
		filepath.Join("missing", "a.csv"): "not exported: " + filepath.Join(e.dir, "missing") + ": ",
	} {
		e.run(t, e.begin(t, name), 1000)
		if e.input.Text() != filepath.Join(e.dir, name) || !e.Typing() || e.exports.running != nil ||
			!strings.Contains(e.text(), want) ||
			!strings.Contains(e.text(), "Export   ") {
			t.Errorf("%s: %q stays, and the screen does not say %q:\n%s", name, e.input.Text(), want, e.text())
		}
		if e.press(t, "2"); !strings.HasSuffix(e.input.Text(), name+"2") || strings.Contains(e.text(), want) {
			t.Errorf("%s cannot be changed: %q\n%s", name, e.input.Text(), e.text())
		}
		e.press(t, "esc")
	}
	if len(e.notices) != 0 || len(e.files(t)) != 1 {
		t.Errorf("told %+v, files %q", e.notices, e.files(t))
	}
}

// Creating a file must not block the screen, so a command does it.
func TestAFileIsBegunBesideTheScreen(t *testing.T) {
	e := withRows(t)
	path := filepath.Join(e.dir, "a.csv")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command := e.begin(t, "a.csv")
	if len(e.files(t)) != 1 || e.exports.running != nil || e.State().Unfinished == "" || e.input.Text() != path ||
		!strings.Contains(e.text(), "Writing  ") ||
		strings.Contains(e.text(), "there already") {
		t.Errorf("enter asked the disk, or %q is lost:\n%s", e.input.Text(), e.text())
	}
	e.Update(tea.PasteMsg{Content: "x"})
	for _, k := range []string{"x", "enter", "enter"} {
		if e.run(t, e.Update(press(k)), 0); e.input.Text() != path || e.exports.started != 1 {
			t.Errorf("%s made it %q, %d exports", k, e.input.Text(), e.exports.started)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if e.run(t, command, 1000); len(e.notices) != 1 || e.notices[0].Problem || e.Typing() {
		t.Errorf("told %+v, still typing: %t", e.notices, e.Typing())
	}
}

func TestAFileThatIsLeftBeforeItIsBegunIsNone(t *testing.T) {
	for what, leave := range map[string]func(e *exporter){
		"esc":            func(e *exporter) { e.press(t, "esc") },
		"another screen": func(e *exporter) { e.Show(views.TransactionsTarget{}) },
	} {
		e := withRows(t)
		command := e.begin(t, "a.csv")
		leave(e)
		e.press(t, "/", "x")
		e.run(t, command, 1000)
		if e.exports.running != nil || e.input.Text() != "x" || len(e.notices) != 0 || e.input.problem != "" {
			t.Errorf("%s: a late answer was taken: %q, told %+v:\n%s", what, e.input.Text(), e.notices, e.text())
		}
		e.empty(t)
		e.press(t, "esc")
		if e.run(t, e.begin(t, "a.csv"), 1000); len(e.notices) != 1 || e.notices[0].Problem {
			t.Errorf("%s: the next is told %+v", what, e.notices)
		}
	}
}

func TestAnExportIsTriedAgainButNotForEver(t *testing.T) {
	e := withRows(t)
	left := e.run(t, e.begin(t, ""), 5)
	e.ledger.fail = &apiclient.Error{Status: 503, Message: "unavailable"}
	e.run(t, left, 1)
	if !strings.Contains(e.text(), ": retry in 2s") {
		t.Errorf("it does not say when it tries again:\n%s", e.text())
	}
	for range maxFailures {
		e.clock.at = e.clock.at.Add(time.Minute)
		e.run(t, e.continueExport(), 1)
	}
	if e.exports.running != nil || len(e.notices) != 1 {
		t.Errorf("%+v", e.notices)
	}
	e.empty(t)
}

func TestAnExportSaysWhichRowsItIsWithout(t *testing.T) {
	e := withRows(t)
	e.ledger.bad = func(row int) bool { return row%1000 == 0 }

	e.run(t, e.begin(t, "all.csv"), 1000)

	const want = "exported 19,980 transactions (20 more could not be read and are not in the file) to "
	if len(e.notices) != 1 || !strings.HasPrefix(e.notices[0].Text, want) {
		t.Errorf("told %+v", e.notices)
	}
	text, err := os.ReadFile(filepath.Join(e.dir, "all.csv"))
	if n := strings.Count(string(text), "\n"); err != nil || n != 19_981 {
		t.Errorf("%d lines, %v", n, err)
	}
}
