package runway_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/client/plan"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/runway"
)

func press(s *runway.Screen, keys ...string) (cmd tea.Cmd) {
	for _, k := range keys {
		switch k {
		case "enter", "esc", "tab", "space", "ctrl+x":
			cmd = s.Update(sample.Press(k))
		default:
			for _, r := range k {
				cmd = s.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
	return cmd
}

func text(s *runway.Screen) string { return ansi.Strip(s.View()) }

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

// planner is the page with a plan in a file.
type planner struct {
	*runway.Screen
	t    *testing.T
	path string
	now  time.Time
}

// named is a store that says the same place in each test.
type named struct{ plan.Store }

func (named) Place() string { return "~/.config/tarmac/own-books.plan" }

// withPlan opens the page with the text of a plan, which has no file if it is "".
func withPlan(t *testing.T, data *snapshot.Snapshot, lines string) *planner {
	t.Helper()
	p := &planner{t: t, path: filepath.Join(t.TempDir(), "a.plan"), now: sample.Now}
	if lines != "" {
		p.edit(lines)
	}
	p.Screen = runway.New(views.Env{
		Context: t.Context(), Timeout: time.Minute, Snapshot: data, Now: func() time.Time { return p.now },
		Theme: theme.New(true), Plan: named{plan.File{Path: p.path}},
	}, &invoiceList{})
	p.SetSize(120, 37)
	p.Update(views.Visible(true))
	settle(p.Screen, p.Update(views.Tick{}))
	press(p.Screen, "]]")
	return p
}

// edit writes the file as somebody else does.
func (p *planner) edit(lines string) {
	p.t.Helper()
	if err := os.WriteFile(p.path, []byte("plan from 2026-11 in USD\n"+lines), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// later lets so much time pass that the file is read again.
func (p *planner) later() {
	p.now = p.now.Add(time.Minute)
	settle(p.Screen, p.Update(views.Tick{}))
}

// do presses keys and returns the notices shown.
func (p *planner) do(keys ...string) []string { return runAll(p.Screen, press(p.Screen, keys...)) }

// says reports a text that is missing on the page, which may be broken into lines.
func (p *planner) says(want ...string) {
	p.t.Helper()
	whole := strings.Join(strings.Fields(strings.ReplaceAll(text(p.Screen), "│", " ")), " ")
	for _, one := range want {
		if !strings.Contains(whole, strings.TrimSpace(one)) {
			p.t.Errorf("the page does not say %q:\n%s", one, text(p.Screen))
		}
	}
}

func (p *planner) lines() string {
	p.t.Helper()
	content, err := os.ReadFile(p.path)
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimPrefix(string(content), "plan from 2026-11 in USD\n")
}

const lean = `hire 2 "engineer" 9k/month from 2027-03
cost "Move" 20k on 2026-12-10
raise "Seed" 1.5M on 2027-06-15, takes 10 weeks
floor 100k
case "Lean": burn -25%
case "Paid": overdue
`

func TestPicturesOfThePlan(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), lean)
	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}, {50, 14}, {40, 11}} {
		p.SetSize(size[0], size[1])
		sample.CheckSize(t, p.View(), size[0], size[1])
		sample.Golden(t, fmt.Sprintf("plan-%dx%d", size[0], size[1]), p.View(), *update)
	}
	p.SetSize(80, 21)
	press(p.Screen, "n", `hire "sales" 9k/month from June`)
	sample.Golden(t, "plan-line-80x21", p.View(), *update)
	press(p.Screen, "esc", "]")
	sample.Golden(t, "plan-against-80x21", p.View(), *update)
	press(p.Screen, "[[")
	p.SetSize(120, 37)
	sample.Golden(t, "plan-weeks-120x37", p.View(), *update)
}

func TestThePlanFillsEverySize(t *testing.T) {
	for name, keys := range map[string][]string{
		"lines": nil, "a line": {"n", "wrong"}, "against": {"]"}, "rows": {"]", "enter"}, "no plan": nil,
	} {
		t.Run(name, func(t *testing.T) {
			lines := lean
			if name == "no plan" {
				lines = ""
			}
			p := withPlan(t, sample.New().SnapshotWithHistory(t), lines)
			press(p.Screen, keys...)
			for width, height := range sample.Sizes {
				if width > 32 && width%18 != 0 && width != 80 {
					continue
				}
				p.SetSize(width, height)
				if sample.CheckSize(t, p.View(), width, height); t.Failed() {
					return
				}
			}
		})
	}
}

func TestALineIsAddedChangedAndRemoved(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), "")
	sample.CheckText(t, p, "No plan yet. Press n for its first line")
	sample.CheckNoText(t, p, "hypothetical")

	press(p.Screen, "n", `hire "engineer" 1,20/month`)
	sample.CheckText(t, p, `! "1,20" must be an amount`)
	if told := p.do("enter"); !p.Typing() || len(told) > 0 {
		t.Errorf("a wrong line is saved: %q", told)
	}
	press(p.Screen, "esc")
	if press(p.Screen, "n"); !strings.Contains(text(p.Screen), "1,20/month") {
		t.Errorf("what was typed is lost:\n%s", text(p.Screen))
	}
	press(p.Screen, "ctrl+x", `hire 2 "engineer" 9k/month from March`)
	sample.CheckText(t, p, `= hire 2 "engineer" 9,000/month from 2027-03`)
	told := p.do("enter")
	if len(told) != 1 || !strings.HasPrefix(told[0], "added to the plan: hire 2") || p.Typing() {
		t.Errorf("told %q", told)
	}
	press(p.Screen, "n", `customer 60k from February`)
	p.do("enter")
	sample.CheckText(t, p, "Plan · hypothetical", "P plan", `lose "customer" 60,000/month from 2027-02`,
		"estimate and plan")

	press(p.Screen, "c", "ctrl+x", `hire "engineer" 8k/month`)
	p.do("enter")
	press(p.Screen, "j", "D")
	sample.CheckText(t, p, "Delete this line of the plan?", `lose "customer" 60,000/month from 2027-02`)
	if press(p.Screen, "n"); !strings.Contains(p.lines(), "customer") {
		t.Errorf("n deletes: the file has %q", p.lines())
	}
	press(p.Screen, "D")
	p.do("y")
	if got := p.lines(); got != "hire \"engineer\" 8k/month\n" {
		t.Errorf("the file has %q", got)
	}
	p.do("u")
	if !strings.Contains(p.lines(), "customer") {
		t.Errorf("u does not put the line back: the file has %q", p.lines())
	}
	if p.do("u") != nil {
		t.Error("u undoes twice")
	}
	press(p.Screen, "j", "D")
	p.do("y")
	press(p.Screen, "k", "D")
	p.do("y")
	if sample.CheckText(t, p, "No plan yet"); p.lines() != "" {
		t.Errorf("the file has %q", p.lines())
	}
}

func TestAFileThatChangedElsewhereIsNotOverwritten(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), lean)
	press(p.Screen, "n", `hire "sales" 9k/month`)
	p.edit("floor 7\n")

	told := p.do("enter")

	if len(told) != 1 || !strings.Contains(told[0], "the plan has changed meanwhile; nothing was written") {
		t.Errorf("told %q", told)
	}
	sample.CheckText(t, p, `hire "sales" 9k/month`)
	if p.lines() != "floor 7\n" {
		t.Errorf("the file has %q", p.lines())
	}
	if told := p.do("enter"); len(told) != 1 || p.lines() != "floor 7\nhire \"sales\" 9,000/month\n" {
		t.Errorf("told %q; the file has %q", told, p.lines())
	}
}

// The line that is changed is found again where others have put it.
func TestALineThatMovedMeanwhileIsChangedInItsNewPlace(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), "floor 5\n")
	press(p.Screen, "c", "5")
	p.edit("overdue\nfloor 5\n")
	p.later()

	if told := p.do("enter"); len(told) != 1 || !strings.Contains(told[0], "nothing was written") {
		t.Errorf("told %q", told)
	}
	if p.do("enter"); p.lines() != "overdue\nfloor 55\n" {
		t.Errorf("the file has %q", p.lines())
	}
	press(p.Screen, "j", "c", "5")
	p.edit("overdue\n")
	p.do("enter")
	if p.do("enter"); p.lines() != "overdue\nfloor 555\n" {
		t.Errorf("the file has %q", p.lines())
	}
}

// A program that ends at once has written what was saved last.
func TestWhatIsBeingWrittenIsWrittenBeforeTheEnd(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), "floor 5\n")
	press(p.Screen, "n", "overdue", "enter") // the command is not run

	if err := p.Flush(); err != nil || p.lines() != "floor 5\noverdue\n" {
		t.Errorf("%v, the file has %q", err, p.lines())
	}
}

func TestAWrongPlanLeavesTheLastGoodOneMarkedAsOld(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), lean)
	p.edit("hire \"A\" 1,20/month\n")
	p.later()

	p.SetSize(80, 40)
	p.says(`a.plan: line 2, column 10: "1,20" must be an amount`, "The last plan that could be read is shown.",
		"old, the file is wrong now", `hire 2 "engineer" 9,000/month`)
	if press(p.Screen, "n"); p.Typing() {
		t.Error("a line can be added to a wrong file")
	}
	p.edit("floor 7\n")
	p.later()
	sample.CheckNoText(t, p, "old,", "1,20")
	sample.CheckText(t, p, "floor 7")
}

// The weeks have the lines of the case that tab chooses.
func TestTabChoosesTheCaseThatTheWeeksShow(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), lean)
	press(p.Screen, "[")
	for _, want := range []string{"Weeks with the plan, hypothetical", "Weeks with case Lean", "Weeks with case Paid",
		"Weeks with the plan"} {
		sample.CheckText(t, p, want)
		p.do("tab")
	}
	press(p.Screen, "j", "enter")
	p.edit("floor 7\n")
	p.later()
	sample.CheckText(t, p, "Week 2026-")
}

func TestAMonthIsComparedWithThePlan(t *testing.T) {
	p := withPlan(t, sample.New().SnapshotWithHistory(t), lean)
	press(p.Screen, "[[")
	p.do("j")
	press(p.Screen, "]]]")

	p.SetSize(80, 40)
	p.says("Against the plan: 2026-10", "nothing is planned for this month", "none", "Variance")
	if press(p.Screen, "enter"); !strings.Contains(text(p.Screen), "2026-10-") {
		t.Errorf("enter opens no rows:\n%s", text(p.Screen))
	}
	press(p.Screen, "esc", "G")
	sample.CheckText(t, p, "Net of 2026-10")
	if press(p.Screen, "]"); !strings.Contains(text(p.Screen), "Against the plan") {
		t.Error("there is a list after the last one")
	}
}

// The column of what was planned says it, so that names have the room.
func TestNamesOfWhatNoLinePlansAreNotCutForSayingSo(t *testing.T) {
	o := sample.New()
	for i := range o.Rows {
		o.Rows[i].CounterpartyName = "Harbour Lane Properties"
	}
	p := withPlan(t, o.SnapshotWithHistory(t), lean)
	press(p.Screen, "]]]")
	p.SetSize(120, 37)

	for line := range strings.SplitSeq(text(p.Screen), "\n") {
		if strings.Contains(line, "Harbour Lane Properties ") && strings.Contains(line, " none ") {
			return
		}
	}
	t.Errorf("the name is cut:\n%s", text(p.Screen))
}

func TestOnlyYesConfirmsAPayment(t *testing.T) {
	// Northwind Traders pays $96,000 in November, and $94,200 on average in the months before.
	const income = "income \"Upsell\" 1,800 on 2026-11-10\n"
	p := withPlan(t, sample.New().SnapshotWithHistory(t), income)
	p.says("to confirm", "v: may a payment be what the plan says?")
	for _, keys := range [][]string{{"v", "esc"}, {"v", "n"}, {"v", "x", "enter", "esc"}} {
		if told := p.do(keys...); len(told) > 0 || p.lines() != income || p.Typing() {
			t.Errorf("after %q the file has %q, told %q", keys, p.lines(), told)
		}
	}
	press(p.Screen, "v")
	p.says(`income "Upsell" 1,800 on 2026-11-10`, "Is it Northwind Traders, +$1,800.00 since 2026-11-12?")
	if told := p.do("y"); len(told) != 1 || !strings.Contains(p.lines(), `, since 2026-11-12 as "Northwind Traders"`) {
		t.Errorf("told %q, the file has %q", told, p.lines())
	}
	if press(p.Screen, "v"); p.Typing() {
		t.Error("it is asked again")
	}
}

func TestWhatIfsOfEarlierVersionsAreWrittenWithTheFirstLine(t *testing.T) {
	folder := state.Directory(filepath.Join(t.TempDir(), "state"))
	const old = `{"version":1,"day":"2026-11-20","what_ifs":[{"fields":["Cut","-25","","","","","","",""]}]}`
	if err := folder.Write("what-if-org_1.json", []byte(old)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.plan")
	s := runway.New(views.Env{
		Context: t.Context(), Timeout: time.Minute, Snapshot: sample.New().SnapshotWithHistory(t),
		Now: func() time.Time { return sample.Now }, Theme: theme.New(true), Plan: plan.File{Path: path}, Drafts: folder,
	}, &invoiceList{})
	s.SetSize(120, 37)
	s.Update(views.Visible(true))
	settle(s, s.Update(views.Tick{}))
	press(s, "]]")

	sample.CheckText(t, s, "A Cut", `case "Cut": burn -25%`)
	if _, err := os.Stat(path); err == nil {
		t.Error("the plan is written before it was changed")
	}
	runAll(s, press(s, "n", "overdue", "enter"))
	want := "plan from 2026-11 in USD\n\n# what-ifs of earlier versions\ncase \"Cut\": burn -25%\noverdue\n"
	if content, err := os.ReadFile(path); err != nil || string(content) != want {
		t.Errorf("%q, %v", content, err)
	}
}

func TestWithoutFiguresThePlanIsListedAndNotCompared(t *testing.T) {
	states := sample.States(t)
	for _, name := range []string{"loading", "failed", "not allowed", "empty", "no history", "no basis"} {
		p := withPlan(t, states[name], lean)
		if strings.Contains(text(p.Screen), "P plan  ") && strings.Contains(text(p.Screen), "$") {
			t.Errorf("%s:\n%s", name, text(p.Screen))
		}
	}
}

// A plan that is kept nowhere is what the program would lose at its end.
func TestAPlanWithoutAStoreIsWorkThatWouldBeLost(t *testing.T) {
	s := runway.New(views.Env{
		Context: t.Context(), Timeout: time.Minute, Snapshot: sample.New().SnapshotWithHistory(t),
		Now: func() time.Time { return sample.Now }, Theme: theme.New(true),
	}, nil)
	s.SetSize(120, 37)
	s.Update(views.Visible(true))
	settle(s, s.Update(views.Tick{}))

	told := runAll(s, press(s, "n", "overdue", "enter"))

	if work := s.State().Work; len(told) != 1 || len(work) != 1 || work[0] != "1 line of a plan" {
		t.Errorf("told %q, work %q", told, work)
	}
}

// TestMaskedNoAmountIsSeen covers the other amounts; this covers the form and the plan.
func TestMaskedAPlannedAmountIsSeenOnlyWhileItIsTyped(t *testing.T) {
	dark := theme.New(true)
	dark.Masked = true
	p := withPlan(t, sample.New().SnapshotWithHistory(t), "")
	p.SetTheme(dark)
	masked := func() string { return ansi.Strip(mask.Text(p.View())) }
	press(p.Screen, "n", `hire "A" 98765.43/month`)
	if text := masked(); !strings.Contains(text, "98765.43") {
		t.Errorf("what is typed is not seen:\n%s", text)
	}
	told := p.do("enter")
	if text := masked() + fmt.Sprint(told); strings.Contains(text, "98,765") || strings.Contains(text, "98765") {
		t.Errorf("saved, it is seen:\n%s", text)
	}
	sample.CheckMasked(t, p.Screen, 9_876_543)
}

// A plan that came with the connection is nothing that the user would lose.
func TestAPlanThatCameIsNoWork(t *testing.T) {
	s := runway.New(views.Env{
		Context: t.Context(), Timeout: time.Minute, Snapshot: sample.New().SnapshotWithHistory(t),
		Now: func() time.Time { return sample.Now }, Theme: theme.New(true),
		Plan: plan.InMemory("plan from 2026-11 in USD\ncase \"Lean\": burn -10%\n"),
	}, nil)
	s.SetSize(80, 21)
	s.Update(views.Visible(true))
	settle(s, s.Update(views.Tick{}))

	sample.CheckText(t, s, "past, estimate; hypothetical: A Lean 15.7 mo · 2028-03 ° ─", "Months")
	s.SetSize(120, 37)
	sample.CheckText(t, s, "─ Plan · hypothetical ─", "A Lean  15.7 mo · 2028-03", "Months")
	s.SetSize(80, 21)
	if work := s.State().Work; len(work) > 0 {
		t.Errorf("work %q", work)
	}
	sample.CheckNoText(t, s, "P plan")
	press(s, "]")
	sample.CheckText(t, s, "Thirteen weeks, estimate")
	settle(s, press(s, "tab"))
	sample.CheckText(t, s, "Weeks with case Lean, hypothetical")

	runAll(s, press(s, "n", "overdue", "enter"))
	if work := s.State().Work; len(work) != 1 || work[0] != "2 lines of a plan" {
		t.Errorf("work %q", work)
	}
}
