package runway_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/draft"
	"tarmac/client/scenario"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/runway"
)

// session opens the page with scenarios saved in a directory.
func session(t *testing.T, dir, origin string, now time.Time) *runway.Screen {
	t.Helper()
	s := runway.New(views.Env{
		Snapshot: sample.New().Snapshot(t), Now: func() time.Time { return now },
		Theme: theme.New(true), Drafts: state.Directory(dir), Origin: origin,
	}, nil)
	s.SetSize(120, 37)
	runAll(s, s.Init())
	return s
}

// runAll runs a command and all that follow from it, and returns the notices shown.
func runAll(s *runway.Screen, cmd tea.Cmd) (told []string) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			told = append(told, runAll(s, c)...)
		}
	case views.Notice:
		told = append(told, msg.Text)
	default:
		told = runAll(s, s.Update(msg))
	}
	return told
}

func TestWhatIfsOutlastTheProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := session(t, dir, "https://a.example", sample.Now)
	runAll(s, addScenario(s, "Hire two", "", "-25,000", "2027-01"))
	told := runAll(s, addScenario(s, "Raise", "", "", "", "+1,000,000.50", "2026-11"))
	if len(told) != 1 || !strings.Contains(told[0], "(hypothetical) saved") {
		t.Errorf("told %q", told)
	}
	before := ansi.Strip(s.View())

	if again := ansi.Strip(session(t, dir, "https://a.example", sample.Now).View()); again != before {
		t.Errorf("the next program shows\n%s\nnot\n%s", again, before)
	}
	// A scenario survives when its month has passed.
	later := ansi.Strip(session(t, dir, "https://a.example", sample.Now.AddDate(0, 2, 0)).View())
	for _, name := range []string{"Hire two", "Raise"} {
		if !strings.Contains(later, name) {
			t.Errorf("two months later there is no %q:\n%s", name, later)
		}
	}
	if other := ansi.Strip(session(t, dir, "https://b.example", sample.Now).View()); strings.Contains(other, "Raise") {
		t.Errorf("another server has them too:\n%s", other)
	}
	runAll(s, press(s, "x"))
	runAll(s, press(s, "x"))
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("no scenario is left, but the directory holds %v, %v", left, err)
	}
}

func TestWhatIsSupposedBeforeTheFileIsReadIsKeptWithIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	s := session(t, dir, "", sample.Now)
	runAll(s, addScenario(s, "First", "", "-25,000", "2027-01"))
	runAll(s, addScenario(s, "Second", "", "-50,000", "2027-01"))

	slow := runway.New(views.Env{
		Snapshot: sample.New().Snapshot(t), Now: func() time.Time { return sample.Now },
		Theme: theme.New(true), Drafts: state.Directory(dir),
	}, nil)
	slow.SetSize(120, 37)
	reading := slow.Init()
	runAll(slow, addScenario(slow, "Meanwhile", "", "-5,000", "2027-01"))
	if err := slow.Flush(); err != nil {
		t.Fatal(err)
	}
	runAll(slow, reading)
	picture := ansi.Strip(session(t, dir, "", sample.Now).View())
	for _, name := range []string{"Meanwhile", "Second"} {
		if !strings.Contains(picture, name) {
			t.Errorf("there is no %q:\n%s", name, picture)
		}
	}
}

// An unreadable file is not overwritten, since a newer version may have written it.
func TestAFileThatCannotBeReadIsLeftAlone(t *testing.T) {
	for name, content := range map[string]string{"damaged": "{", "newer": `{"version":3,"what_ifs":[]}`} {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "what-if-org_1.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		s := runway.New(views.Env{
			Snapshot: sample.New().Snapshot(t), Now: func() time.Time { return sample.Now },
			Theme: theme.New(true), Drafts: state.Directory(dir),
		}, nil)
		s.SetSize(120, 37)
		if told := runAll(s, s.Init()); len(told) != 1 || !strings.Contains(told[0], "could not be read") {
			t.Errorf("%s: told %q", name, told)
		}
		told := runAll(s, addScenario(s, "New", "", "-25,000", "2027-01"))
		if len(told) != 1 || !strings.Contains(told[0], "kept until you quit") {
			t.Errorf("%s: told %q", name, told)
		}
		if err := s.Flush(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != content {
			t.Errorf("%s: the file is %q, %v", name, now, err)
		}
	}
}

// The content of the file is validated as strictly as typed text.
func TestAFileSupposesNothingThatCouldNotBeTyped(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	content := `{"version":1,"day":"2026-11-20","chosen":99,"what_ifs":[
		{"fields":["Sound","+10","","","","","","",""]},
		{"fields":["Too much","+99999999","","","","","","",""]},
		{"fields":["\u001b]52;c;x\u0007","","-99999999999999999999","","","","","",""]}]}`
	if err := os.WriteFile(filepath.Join(dir, "what-if-org_1.json"), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := session(t, dir, "", sample.Now).View()
	if text := ansi.Strip(picture); !strings.Contains(text, "Sound") || strings.Contains(text, "Too much") ||
		strings.Contains(picture, "\x1b]52") {
		t.Errorf("it shows\n%s", text)
	}
}

// The scenario keeps its currency: it is listed, and editing it does not turn dollars into euros.
func TestAScenarioInAnotherCurrencyIsListedAndNotApplied(t *testing.T) {
	folder := state.Directory(filepath.Join(t.TempDir(), "state"))
	hire := scenario.Scenario{Name: "Hire", Changes: scenario.Changes{
		Currency: "EUR", Monthly: -8_000_00, MonthlyFrom: civil.New(2027, 1, 1),
	}}
	var set scenario.Set
	set.Put(0, hire)
	file := scenario.NewFile(folder, draft.OrgKey("", "org_1"))
	if err := file.Save(1, set, civil.Of(sample.Now)); err != nil {
		t.Fatal(err)
	}
	s := runway.New(views.Env{
		Context: t.Context(), Timeout: time.Minute, Snapshot: sample.New().SnapshotWithHistory(t),
		Now: func() time.Time { return sample.Now }, Theme: theme.New(true), Drafts: folder,
	}, &invoiceList{})
	s.SetSize(200, 57)
	s.SetVisible(true)

	settle(s, tea.Batch(s.Init(), s.Update(views.Tick{})))
	press(s, "]")
	listed := text(s)
	press(s, "c", "tab")
	runAll(s, press(s, "ctrl+s"))
	edited := text(s)

	// The comparison and the text about the weeks say why.
	for want, times := range map[string]int{
		"A Hire": 1, " not applied ": 1, "Scenario A: -€8,000.00 a month from 2027-01. Its amounts are ": 2,
	} {
		if strings.Count(listed, want) != times {
			t.Errorf("%q is not there %d times:\n%s", want, times, listed)
		}
	}
	if !strings.Contains(edited, "-8,000.00 EUR") || !strings.Contains(edited, "in US dollars, not in euros") {
		t.Errorf("the form is\n%s", edited)
	}
	if saved, err := file.Load(); err != nil || *saved.Slots[0] != hire {
		t.Errorf("the scenario is %+v, %v", saved.Slots[0], err)
	}
}
