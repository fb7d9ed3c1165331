package runway_test

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/runway"
)

func press(s *runway.Screen, keys ...string) tea.Cmd {
	var cmd tea.Cmd
	for _, k := range keys {
		switch k {
		case "enter", "esc", "tab", "space", "ctrl+s", "ctrl+x":
			cmd = s.Update(sample.Press(k))
		default:
			for _, r := range k {
				cmd = s.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
	return cmd
}

// addScenario adds a scenario by typing into the fields in order; "yes" ticks the checkbox.
func addScenario(s *runway.Screen, fields ...string) tea.Cmd {
	press(s, "n")
	for _, text := range fields {
		if text == "yes" {
			text = "space"
		}
		press(s, text, "tab")
	}
	return press(s, "ctrl+s")
}

func threeScenarios(s *runway.Screen) {
	addScenario(s, "Cut costs", "-25")
	addScenario(s, "Raise", "", "", "", "+500,000", "2027-06", "yes")
	addScenario(s, "Customer", "", "", "", "", "", "", "60,000", "2027-02")
}

func text(s *runway.Screen) string { return ansi.Strip(s.View()) }

func TestPicturesOfScenarios(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	threeScenarios(s)
	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}, {50, 14}, {40, 11}} {
		s.SetSize(size[0], size[1])
		sample.CheckSize(t, s.View(), size[0], size[1])
		sample.Golden(t, fmt.Sprintf("whatif-%dx%d", size[0], size[1]), s.View(), *update)
	}
	s.SetSize(80, 21)
	press(s, "c", "tab", "x")
	sample.Golden(t, "whatif-form-80x21", s.View(), *update)
}

func TestScenariosAndTheirFormFillEverySize(t *testing.T) {
	states := sample.States(t)
	for _, name := range []string{"ready", "stale", "hostile", "not burning", "runway of decades"} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(states[name])
			s.SetSize(120, 37)
			threeScenarios(s)
			for _, open := range []bool{false, true} {
				if open {
					press(s, "c", "tab", "wrong", "ctrl+s")
				}
				for width, height := range sample.Sizes {
					if width > 32 && width%18 != 0 && width != 80 {
						continue
					}
					s.SetSize(width, height)
					if sample.CheckSize(t, s.View(), width, height); t.Failed() {
						return
					}
				}
			}
		})
	}
}

func TestScenariosStandBesideWhatTheServerSays(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	threeScenarios(s)
	picture := text(s)
	for _, want := range []string{
		"Scenarios · hypothetical", "Current plan", "A Cut costs", "B Raise", "C Customer", "scenarios (hypothetical)",
		"14.2", "18.9", "18.4", "11.2", "2028-01", "2028-06", "2027-10", "+4.7", "-3.0", "▼C", "▼A",
		"Scenario C: customer lost in 2027-02, -$60,000.00 a month.",
	} {
		if !strings.Contains(picture, want) {
			t.Errorf("it does not say %q:\n%s", want, picture)
		}
	}
	press(s, "tab", "tab")
	want := "Scenario B: +$500,000.00 once in 2027-06; all overdue receivables paid now."
	if picture := text(s); !strings.Contains(picture, want) {
		t.Errorf("tab does not choose the next:\n%s", picture)
	}
}

func TestAScenarioIsChangedAndRemoved(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	addScenario(s, "Hire", "", "-5,000", "+2")
	addScenario(s, "", "+10")
	if picture := text(s); !strings.Contains(picture, "A Hire") || !strings.Contains(picture, "B net burn +10%") {
		t.Fatalf("not both are there:\n%s", picture)
	}
	press(s, "tab", "c")
	picture := text(s)
	if !s.Typing() || !strings.Contains(picture, "-5,000.00") || !strings.Contains(picture, "2027-01") {
		t.Fatalf("the form does not have what was typed:\n%s", picture)
	}
	press(s, " and fire", "ctrl+s", "tab", "x")
	if picture := text(s); !strings.Contains(picture, "A Hire and fire") || strings.Contains(picture, "B net burn") {
		t.Fatalf("A is not changed or B not removed:\n%s", picture)
	}
	notice, ok := press(s, "x")().(views.Notice)
	if picture := text(s); !ok || notice.Text != "scenario A removed" || strings.Contains(picture, "hypothetical") {
		t.Fatalf("%v, and:\n%s", notice, picture)
	}
}

func TestALongNameIsWholeWhereThereIsRoom(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	addScenario(s, "", "", "-5,000", "+2")
	for width, want := range map[int]string{
		120: "A -$5,000.00 a month from 2027-01", 80: "A -$5,000.00 a month from …",
	} {
		s.SetSize(width, 37)
		if picture := text(s); !strings.Contains(picture, want) {
			t.Errorf("%d columns: no %q in\n%s", width, want, picture)
		}
	}
}

func TestThereAreThreeAtMostAndALetterIsTakenAgain(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	threeScenarios(s)
	if press(s, "n"); s.Typing() {
		t.Fatal("a fourth one is offered")
	}
	press(s, "tab", "x") // scenario A
	addScenario(s, "Again", "-5")
	if picture := text(s); !strings.Contains(picture, "A Again") || !strings.Contains(picture, "B Raise") {
		t.Errorf("letters have moved:\n%s", picture)
	}
}

func TestTheFormSaysWhatIsWrongAndKeepsWhatWasTyped(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	for _, c := range []struct {
		fields []string
		want   string
	}{
		{nil, "! fill in at least one field"},
		{[]string{"", "-101"}, "! must be a whole percentage"},
		{[]string{"", "", "5000"}, "! must be an amount with a sign: +5,000 comes in"},
		{[]string{"", "", "+5000", "2026-10"}, "! must be this month or a later one"},
		{[]string{"", "", "", "", "-1", "soon"}, "! must be a month"},
		{[]string{"", "", "", "", "", "", "", "-1"}, "! must be an amount such as 1,200.50 or 1.5k"},
	} {
		addScenario(s, c.fields...)
		if picture := text(s); !s.Typing() || !strings.Contains(picture, c.want) {
			t.Errorf("%q: it does not say %q:\n%s", c.fields, c.want, picture)
		}
		press(s, "ctrl+x", "esc")
	}
	press(s, "n", "Later", "esc")
	if s.Typing() || strings.Contains(text(s), "Later") {
		t.Error("esc does not leave")
	}
	if press(s, "n"); !strings.Contains(text(s), "Later") {
		t.Error("what was typed is lost")
	}
	want := "Hypothetical: 15.7 months, zero-cash in 2028-03 (est.), +1.5 months"
	if press(s, "tab", "-10"); !strings.Contains(text(s), want) {
		t.Errorf("no preview:\n%s", text(s))
	}
}

// A field shows how its text is interpreted, and contains the interpretation once the focus leaves
// it.
func TestTheFormShowsWhatItUnderstood(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(80, 21)
	press(s, "n", "Words", "tab", "tab")
	for _, field := range []struct{ typed, understood string }{
		{"-24k", "-24,000.00"}, {"January", "2027-01"}, {"+1.5M", "+1,500,000.00"}, {"in 3 months", "2027-02"},
	} {
		press(s, field.typed)
		picture := text(s)
		if !strings.Contains(picture, field.typed+" ") || !strings.Contains(picture, "= "+field.understood) {
			t.Errorf("%q is not shown as %q:\n%s", field.typed, field.understood, picture)
		}
		press(s, "tab")
		picture = text(s)
		if strings.Contains(picture, field.typed+" ") || strings.Contains(picture, "= ") ||
			!strings.Contains(picture, " "+field.understood+" ") {
			t.Errorf("%q is not written out as %q:\n%s", field.typed, field.understood, picture)
		}
	}
	press(s, "tab", "12345", "tab", "soon", "tab")
	if picture := text(s); !strings.Contains(picture, " 12345 ") || !strings.Contains(picture, " soon ") {
		t.Errorf("what needs no reading, or cannot be read, is changed:\n%s", picture)
	}
}

func TestWithoutAStartThereAreNoScenarios(t *testing.T) {
	states := sample.States(t)
	for _, name := range []string{"loading", "failed", "not allowed", "empty", "no history", "no basis"} {
		s := newScreen(states[name])
		s.SetSize(120, 37)
		for _, b := range s.Help()[1].Bindings {
			if b.Enabled() && b.Help().Key != "y" {
				t.Errorf("%s: %s is offered", name, b.Help().Key)
			}
		}
		if press(s, "n"); s.Typing() {
			t.Errorf("%s: the form opens", name)
		}
	}
}

func TestScenariosOutliveFiguresThatAreAway(t *testing.T) {
	o := sample.New()
	data := o.Snapshot(t)
	s := newScreen(data)
	s.SetSize(120, 37)
	addScenario(s, "Cut costs", "-25")
	for _, c := range []struct {
		sufficient bool
		shown      bool
	}{{false, false}, {true, true}} {
		o.Cash.Sufficient = c.sufficient
		for _, answer := range o.Load(data) {
			s.Update(answer)
		}
		if shown := strings.Contains(text(s), "A Cut costs"); shown != c.shown {
			t.Errorf("history enough: %v, scenario shown: %v", c.sufficient, shown)
		}
	}
	press(s, "c")
	o.Cash.Sufficient = false
	for _, answer := range o.Load(data) {
		s.Update(answer)
	}
	if !strings.Contains(text(s), "There are no figures for a scenario to start from.") {
		t.Errorf("the form counts from nothing:\n%s", text(s))
	}
}

func TestWithoutReceivablesTheOverdueIsNotKnown(t *testing.T) {
	o := sample.New()
	data := o.Unfetched(t)
	o.Load(data)
	data.Aging.Forget()
	s := newScreen(data)
	s.SetSize(120, 37)
	addScenario(s, "Paid", "", "", "", "", "", "yes")
	picture := text(s)
	if !strings.Contains(picture, "The overdue total is unknown.") || strings.Contains(picture, "+0.0") {
		t.Errorf("an unknown amount is counted:\n%s", picture)
	}
}

func TestWithoutABurnAScenarioSaysWhatItCountsFrom(t *testing.T) {
	s := newScreen(sample.NotBurning().Snapshot(t))
	s.SetSize(120, 37)
	addScenario(s, "Customer", "", "", "", "", "", "", "200,000")
	for _, want := range []string{"not burning", "11.8", "Starts from a net burn of zero"} {
		if picture := text(s); !strings.Contains(picture, want) {
			t.Errorf("it does not say %q:\n%s", want, picture)
		}
	}
}

func TestAOneOffThatIsPastIsSaidToBe(t *testing.T) {
	o := sample.New()
	data := o.Snapshot(t)
	s := newScreen(data)
	s.SetSize(120, 37)
	addScenario(s, "Raise", "", "", "", "+500,000", "")
	if picture := text(s); !strings.Contains(picture, "17.1") || strings.Contains(picture, "is past") {
		t.Errorf("a raise this month:\n%s", picture)
	}
	o.Cash.AsOf = o.Cash.AsOf.AddDate(0, 1, 0)
	for _, answer := range o.Load(data) {
		s.Update(answer)
	}
	want := "The one-off amount of 2026-11 is in the past and not counted."
	if picture := text(s); strings.Contains(picture, "17.1") || !strings.Contains(picture, want) {
		t.Errorf("a month later:\n%s", picture)
	}
}

// TestMaskedNoAmountIsSeen covers the other amounts; this covers the form and the comparison.
func TestMaskedASupposedAmountIsSeenOnlyWhileItIsTyped(t *testing.T) {
	dark := theme.New(true)
	dark.Masked = true
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)
	s.SetTheme(dark)
	masked := func() string { return ansi.Strip(mask.Text(s.View())) }
	press(s, "n", "tab", "tab", "+98765.43")
	if text := masked(); !strings.Contains(text, "98765.43") {
		t.Errorf("what is typed is not seen:\n%s", text)
	}
	press(s, "tab")
	if text := masked(); strings.Contains(text, "98765") || !strings.Contains(text, "only while the cursor") {
		t.Errorf("left, it is seen, or nobody says why not:\n%s", text)
	}
	press(s, "tab", "ctrl+s")
	if text := masked(); strings.Contains(text, "98,765") || strings.Contains(text, "98765") {
		t.Errorf("compared, it is seen:\n%s", text)
	}
	sample.CheckMasked(t, s, 9_876_543)
}
