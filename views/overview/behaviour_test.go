package overview_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/client/annotations"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/overview"
	"tarmac/views/parts/chart"
)

var (
	tab      = tea.KeyPressMsg{Code: tea.KeyTab}
	shiftTab = tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	enter    = tea.KeyPressMsg{Code: tea.KeyEnter}
)

func TestTabGoesThroughThePanelsAndTheSentencesAndEnterOpensThem(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(160, 37)
	if s.Update(enter) != nil {
		t.Error("enter opened a page while nothing had the focus")
	}
	var opened []string
	for range 8 {
		s.Update(tab)
		cmd := s.Update(enter)
		if cmd == nil {
			opened = append(opened, "cash")
			sample.CheckText(t, s, "Cash, step by step")
			s.Back()
			continue
		}
		opened = append(opened, cmd().(views.Visit).Screen)
	}
	want := "cash receivables runway transactions events runway cash receivables"
	if got := strings.Join(opened, " "); got != want {
		t.Errorf("opened %s, want %s", got, want)
	}
	s.Update(shiftTab)
	s.Update(shiftTab)
	if open := s.Update(enter)().(views.Visit); open.Screen != "runway" {
		t.Errorf("shift+tab from the first panel went to %s", open.Screen)
	}
	if !s.Back() || s.Back() {
		t.Error("esc gives up the focus once")
	}
}

// New figures leave the focus where it is, on a sentence too.
func TestNewFiguresKeepTheFocus(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(160, 37)
	for press := range 8 {
		s.Update(tab)
		focused := s.View()
		s.Update(snapshot.Result{})
		if s.View() != focused {
			t.Errorf("after %d times tab, new figures change the page", press+1)
		}
	}
}

// The steps from the available balance to cash on hand add up to the cent.
func TestTheCashAddsUp(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	for _, size := range [][2]int{{80, 21}, {120, 37}} {
		s.SetSize(size[0], size[1])
		s.Update(tab)
		s.Update(enter)
		var steps []int64
		for line := range strings.SplitSeq(ansi.Strip(s.View()), "\n") {
			if _, amount, ok := strings.Cut(line, "$"); ok && len(steps) < 5 {
				cents, err := strconv.ParseInt(strings.NewReplacer(",", "", ".", "").Replace(strings.Fields(amount)[0]), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				steps = append(steps, cents)
			}
		}
		if len(steps) != 5 || steps[0]+steps[1] != steps[2] || steps[2]+steps[3] != steps[4] {
			t.Errorf("the steps are %v:\n%s", steps, ansi.Strip(s.View()))
		}
		sample.CheckText(t, s, "Available is what this account can", "Organization org_")
		s.Back()
		s.Back()
	}
}

func TestAPanelThatIsNoLongerShownLosesTheFocus(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(160, 37)
	for range 5 {
		s.Update(tab) // the events at last, which the small page does not show
	}
	s.SetSize(80, 21)
	if s.Update(enter) != nil {
		t.Error("enter opened a panel that is not shown")
	}
	s.SetSize(40, 9)
	for _, b := range s.Help()[0].Bindings {
		if b.Enabled() && b.Help().Key != "y" {
			t.Errorf("%s is offered where there are no panels", b.Help().Key)
		}
	}
	if s.Update(tab) != nil || s.Update(shiftTab) != nil {
		t.Error("tab did something where there are no panels")
	}
}

func TestWhatIsSaidInEachState(t *testing.T) {
	states := sample.States(t)
	for name, c := range map[string]struct {
		width, height int
		want, not     []string
	}{
		"ready": {80, 21, []string{"$2,439,188.42",
			"14.2 months ° of cash, until January", "until January 2028", "● comfortable",
			"$167k a month", "$213k overdue, 34.1% of it"}, []string{"stale"}},
		"loading":     {40, 9, []string{"Cash on hand", "loading…"}, []string{"$"}},
		"failed":      {40, 9, []string{"retry in"}, []string{"$"}},
		"stale":       {40, 9, []string{"$2,439,188.42", "◌"}, nil},
		"not allowed": {120, 37, []string{"The token lacks the scope account:read."}, []string{"$"}},
		"empty": {160, 37, []string{"No account is open yet.", "No open receivables", "No transactions yet.",
			"No events yet."}, []string{"$"}},
		"not burning": {120, 37, []string{"not burning", "cash flow was positive"}, []string{"$0.00", "2028"}},
		"no history": {80, 21, []string{"Not enough history: 1 of 3 full months.", "Burn "},
			[]string{"$0.00", "2028"}},
	} {
		s := newScreen(states[name])
		s.SetSize(c.width, c.height)
		picture := ansi.Strip(s.View())
		for _, want := range c.want {
			if !strings.Contains(picture, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, picture)
			}
		}
		for _, not := range c.not {
			if strings.Contains(picture, not) {
				t.Errorf("%s says %q:\n%s", name, not, picture)
			}
		}
	}
}

func TestNewFiguresAndPassingTimeAreShown(t *testing.T) {
	o := sample.New()
	data := o.Snapshot(t)
	now := sample.Now
	s := overview.New(views.Env{Snapshot: data, Now: func() time.Time { return now }, Theme: theme.New(true)})
	s.SetSize(120, 37)
	before := s.View()
	if s.Update(views.Tick{Now: now}); s.View() != before {
		t.Error("the picture of fresh figures went by the clock")
	}
	o.Cash.CashCents = 100_00
	for _, answer := range o.Load(data) {
		s.Update(answer)
	}
	if !strings.Contains(ansi.Strip(s.View()), "$100.00") {
		t.Error("the new cash is not shown")
	}
	o.Break(errors.New("broken"))
	for _, answer := range o.Load(data) {
		s.Update(answer)
	}
	before = s.View()
	now = now.Add(time.Second)
	if s.Update(views.Tick{Now: now}); s.View() == before {
		t.Error("the age of old figures stands still")
	}
}

func TestTheNumberOfAnEventsInvoiceIsWholeOrLeftOut(t *testing.T) {
	o := sample.New()
	for i := range o.Feed {
		o.Feed[i].Type = "invoice.paid"
		o.Feed[i].Data = json.RawMessage(fmt.Sprintf(
			`{"invoice_id":"inv_1","number":"INV-2026-%05d","total_cents":450000,"currency":"USD"}`, i))
		if i%2 == 1 {
			o.Feed[i].Data = json.RawMessage(fmt.Sprintf(`{"invoice_id":"inv_1","number":"INV-2026-%05d"}`, i))
		}
	}
	s := newScreen(o.Snapshot(t))
	for _, width := range []int{150, 160, 180, 200} {
		s.SetSize(width, 37)
		sample.CheckNoText(t, s, "INV-2026…", "INV-2026-0…", "INV-2026-00…", "INV-2026-000…")
		sample.CheckText(t, s, "003")
	}
}

func TestTheOverviewSaysWhatItCouldNotRead(t *testing.T) {
	o := sample.New()
	why := &apiclient.ContractError{Field: "data[0].x", Problem: "is missing"}
	o.Latest[1] = apiclient.Transaction{ID: "txn_1", Unreadable: why}
	o.Feed[1], o.Feed[2] = apiclient.Event{
		ID:         "evt_1",
		Unreadable: why,
	}, apiclient.Event{
		ID:         "evt_2",
		Type:       "invoice.paid",
		Unreadable: why,
	}
	s := newScreen(o.Snapshot(t))

	for _, size := range [][2]int{{150, 37}, {200, 57}} {
		s.SetSize(size[0], size[1])
		sample.CheckText(t, s, "1 transaction could not be read", "2 events could not be read", "unreadable")
		sample.CheckNoText(t, s, "01-01 00:00")
	}
}

func TestTheCashIsSaidAtEverySize(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	for _, size := range [][2]int{{40, 9}, {64, 13}, {80, 21}, {80, 40}, {100, 21}, {120, 37}, {200, 57}} {
		s.SetSize(size[0], size[1])
		sample.CheckText(t, s, "Cash on hand ", "$2,439,188.42")
	}
}

func TestAFigureThatFailedAloneIsNamedWithItsReason(t *testing.T) {
	for part, says := range map[snapshot.Part]string{
		snapshot.Account: "balance: the disk is full",
		snapshot.Aging:   "overdue: the disk is full",
	} {
		o := sample.New()
		o.Fail[part] = errors.New(
			"the disk is full, and that is said in words that go on for longer than any line of a terminal has room for",
		)
		s := newScreen(o.Snapshot(t))
		for _, size := range [][2]int{{40, 9}, {50, 37}, {80, 21}, {120, 37}} {
			s.SetSize(size[0], size[1])
			text := strings.ToLower(sample.Text(s))
			if size[0] < 64 && !strings.Contains(text, says) || !strings.Contains(text, "the disk is full") {
				t.Errorf("at %dx%d nothing says %q:\n%s", size[0], size[1], says, text)
			}
			sample.CheckText(t, s, "$2,439,188.42")
		}
	}
}

// What the server's note says besides the runway stands at the bottom, once.
func TestWhatTheCashLeavesOutIsSaidOnce(t *testing.T) {
	o := sample.New()
	o.Cash.RunwayNote += " 2 transactions have no USD rate and are excluded. 1 bank is too old."
	s := newScreen(o.Snapshot(t))
	for _, size := range [][2]int{{80, 21}, {120, 37}, {200, 57}} {
		s.SetSize(size[0], size[1])
		text := strings.Join(strings.Fields(sample.Text(s)), " ")
		if strings.Count(text, "USD rate") != 1 || strings.Count(text, "bank is too old") != 1 {
			t.Errorf("at %v:\n%s", size, text)
		}
	}
}

func TestThePageBeginsWithHowLongTheCashLasts(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(120, 37)

	lines := strings.Split(ansi.Strip(s.View()), "\n")

	digits, _ := chart.Digits("14.2")
	for y, want := range digits {
		if !strings.HasPrefix(strings.TrimLeft(lines[y], " "), strings.TrimLeft(want, " ")) {
			t.Errorf("line %d is %q, want the digits %q", y, lines[y], want)
		}
	}
	const lasts = "14.2 months ° of cash, until January 2028"
	top := strings.Join(strings.Fields(first(lines[3:9], 44)), " ")
	if !strings.HasPrefix(top, lasts) || len(lines) != 37 {
		t.Errorf("%d lines; below the digits it says %q", len(lines), top)
	}
	s.Update(views.Click{X: 70, Y: 11})
	if open := s.Update(enter)().(views.Visit); open.Screen != views.Receivables {
		t.Errorf("below the sentences, a click on what is owed reaches %s", open.Screen)
	}
	if s.SetSize(40, 9); strings.Contains(s.View(), lasts) {
		t.Error("a small page has sentences instead of figures")
	}
}

// first returns the first cells of lines.
func first(lines []string, cells int) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(ansi.Cut(line, 0, cells) + "\n")
	}
	return b.String()
}

// Large digits decorate one known figure. A range, a masked page, a terminal without block
// characters and a low page have the sentence only.
func TestDigitsDecorateOneKnownFigure(t *testing.T) {
	digits, _ := chart.Digits("14.2")
	for name, c := range map[string]struct {
		height       int
		masked, only bool
		change       func(*sample.Organization)
		want         bool
	}{
		"known":  {height: 21, want: true},
		"low":    {height: 20},
		"masked": {height: 21, masked: true},
		"ASCII":  {height: 21, only: true},
		"no runway": {height: 21, change: func(o *sample.Organization) {
			o.Cash.RunwayMonths, o.Cash.Sufficient = nil, false
		}},
		"used up": {height: 21, change: func(o *sample.Organization) {
			none := int64(-5_00)
			o.Cash.RunwayCashCents = &none
		}},
	} {
		o := sample.New()
		if c.change != nil {
			c.change(o)
		}
		s, looks := newScreen(o.Snapshot(t)), theme.New(true)
		looks.Masked, looks.ASCII = c.masked, c.only
		s.SetTheme(looks)
		s.SetSize(80, c.height)

		if got := strings.Contains(ansi.Strip(s.View()), digits[2]); got != c.want {
			t.Errorf("%s: digits %v, want %v:\n%s", name, got, c.want, ansi.Strip(s.View()))
		}
	}
}

func TestSentencesComputedBeforeTheFiguresCameReplaceNone(t *testing.T) {
	o := sample.New()
	data := o.Unfetched(t)
	s := newScreen(data)
	s.SetSize(120, 37)
	late := s.Update(snapshot.Result{})()
	for _, answer := range o.Load(data) {
		s.Update(answer)
	}
	before := s.View()

	s.Update(late)

	if !strings.Contains(ansi.Strip(before), "months ° of cash") || s.View() != before {
		t.Errorf("the page was\n%s\nand is\n%s", ansi.Strip(before), ansi.Strip(s.View()))
	}
}

func TestTheLatestTransactionsHaveCategoriesWhereThereIsRoom(t *testing.T) {
	o := sample.New()
	known := annotations.InMemory(annotations.Set{o.Latest[0].ID: {Category: "Client\x1b[31m visits"}})
	s := overview.New(views.Env{
		Snapshot: o.Snapshot(t), Now: func() time.Time { return sample.Now }, Theme: theme.New(true), Annotations: known,
	})
	for _, size := range [][2]int{{80, 21}, {120, 37}, {200, 57}} {
		s.SetSize(size[0], size[1])
		sample.CheckText(t, s, "Client visits")
	}
	s.SetSize(40, 9)
	sample.CheckNoText(t, s, "Client visits")

	if _, err := known.Change(o.Latest[0].ID, func(a *annotations.Annotation) { a.Category = "Travel" }); err != nil {
		t.Fatal(err)
	}
	s.SetSize(120, 37)
	s.Update(views.Annotated{})
	sample.CheckText(t, s, "Travel")
}

// At any width, the title has the whole sum, its short form, or none of it.
func TestTheSumInTheTitleOfReceivablesIsNeverCut(t *testing.T) {
	o := sample.New()
	o.Aging.Buckets.CurrentCents = 900_719_925_474_099_300
	o.Aging.Totals.OutstandingCents = nil
	s := newScreen(o.Snapshot(t))

	for width := 40; width <= 200; width++ {
		s.SetSize(width, 36)
		_, title, _ := strings.Cut(sample.Text(s), "Owed to us")
		title, _, _ = strings.Cut(strings.Split(title, "\n")[0], "─")
		if strings.Contains(title, "…") && strings.Contains(title, "$") {
			t.Errorf("in %d cells the title ends in %q", width, title)
		}
	}
}
