package ui

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/internal/testsupport/hostile"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func TestTheHeaderSaysWhoseFiguresAndHowFresh(t *testing.T) {
	d, first := connect(t, healthy())
	d.shows("tarmac", "test", "◌ loading")
	d.drain(first)
	d.shows("tarmac  test ", "● live")
	if header, _, _ := strings.Cut(d.text(), "\n"); strings.Contains(header, "org_test") {
		t.Error("the header shows the organization's id")
	}

	d.api.fail = errRefused
	d.after(20 * time.Second)
	d.shows("✕ offline 20s", "retry in 2s", "◌ stale, 20s old")
	d.after(time.Second)
	d.shows("✕ offline 21s", "retry in 1s")
	d.api.fail = nil
	d.after(2 * time.Second)
	d.shows("● live")

	d.api.status = http.StatusUnauthorized
	d.after(20 * time.Second)
	d.shows("✕ token refused")
}

func TestNoNameOfAProfileHidesTheConnectionState(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, healthy())
	for _, name := range append(hostile.Texts(), hostile.Text{Name: "wide", Value: strings.Repeat("株", 500)}) {
		d.session.connection.Profile = name.Value
		for _, width := range []int{20, 40, 80, 120, 250} {
			d.Update(tea.WindowSizeMsg{Width: width, Height: 24})

			first, _, _ := strings.Cut(d.text(), "\n")

			if !strings.HasSuffix(first, "● live") || ansi.StringWidth(first) != width {
				t.Errorf("%s at %d columns: %q", name.Name, width, first)
			}
		}
	}
}

func TestTheHeaderSaysThatNothingCanBeChanged(t *testing.T) {
	d := open(t, healthy())
	if strings.Contains(d.text(), "read-only") {
		t.Error("it says so when much can be changed")
	}
	d.session.readOnly = true
	d.shows("test  read-only ")
}

func TestWhatNeverCameIsNotLive(t *testing.T) {
	a := healthy()
	a.bodies["/receivables/aging"] = "not what the contract says"
	d := open(t, a)
	d.shows("◌ some figures failed")
	a.bodies["/receivables/aging"] = healthy().bodies["/receivables/aging"]
	d.after(3 * time.Second)
	d.shows("● live")
}

func TestTheHeaderSaysWhyNothingAtAllCouldBeRead(t *testing.T) {
	a := healthy()
	for path := range a.bodies {
		a.bodies[path] = "<title>Sign in</title>"
	}

	d := open(t, a)

	d.shows("✕ the response could not be read")
}

func TestTheFooterNamesOnlyKeysThatWork(t *testing.T) {
	d := open(t, healthy())
	footer := func() string { lines := strings.Split(d.text(), "\n"); return lines[len(lines)-1] }
	for _, c := range []struct {
		keys []string
		want []string
		not  []string
	}{
		{nil, []string{"tab next panel", "q quit", ": find  ? help"}, nil},
		{[]string{"4"}, []string{"enter open", "/ filter", "f dates", "e export", "c category", "q quit"}, nil},
		{[]string{"enter"}, []string{"esc back"}, []string{"enter open"}},
		{[]string{"/"}, []string{"enter apply", "esc cancel"}, []string{"q quit", "* mask", "? help"}},
		{[]string{"esc", "?"}, []string{"enter run", "esc close"}, []string{"q quit", "/ filter"}},
		{[]string{"esc", ":"}, []string{"enter run", "esc close"}, []string{"? help"}},
	} {
		d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		d.press(c.keys...)
		for _, want := range c.want {
			if !strings.Contains(footer(), want) {
				t.Errorf("after %v the footer lacks %q: %q", c.keys, want, footer())
			}
		}
		for _, not := range c.not {
			if strings.Contains(footer(), not) {
				t.Errorf("after %v the footer has %q: %q", c.keys, not, footer())
			}
		}
	}
}

func TestTheHintToHelpIsNeverCut(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, healthy())
	for width := 6; width <= 200; width++ {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		lines := strings.Split(d.text(), "\n")
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, "? help") {
			t.Fatalf("at %d columns the footer is %q", width, last)
		}
	}
}

// A page without a digit has a tab while it is shown, at any width.
func TestATabLineSaysWhereOneIs(t *testing.T) {
	d := open(t, healthy())
	for _, width := range []int{80, 120} {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		for _, p := range d.session.pages {
			d.drain(views.Go(p.Name, nil))
			if line := strings.Split(d.text(), "\n")[1]; !strings.Contains(line, p.Title) {
				t.Errorf("%d columns: %q does not name %s", width, line, p.Title)
			}
		}
	}
}

func TestTheTabLineShortensNamesOnlyWhereItMust(t *testing.T) {
	for width, want := range map[int]string{
		96: " 1 Overview  2 Runway  3 Receivables  4 Transactions  5 Invoices  6 Events  7 Webhooks  8 Spend ",
		89: " 1 Overview 2 Runway 3 Receivables  4 Transactions 5 Invoices 6 Events 7 Webhooks 8 Spend",
		88: " 1 Overview 2 Runway 3 Receivables  4 Trans 5 Invoices 6 Events 7 Webhooks 8 Spend",
		80: " 1 Overview 2 Runway 3 Receivables  4 Trans 5 Inv 6 Events 7 Webhooks 8 Spend",
		63: " 1 Over 2 Run 3 Receivables  4 Trans 5 Inv 6 Ev 7 Hooks 8 Spend",
		62: " 1  2  3 Receivables  4  5  6  7  8 ",
	} {
		d := open(t, healthy())
		d.press("3")
		if got := strings.Join(tabLabels(d.session.pages, d.session.active, width), ""); got != want {
			t.Errorf("at %d columns: %q, not %q", width, got, want)
		}
	}
}

// With all pages that a session can have, each tab has its digit and a name at 80 columns, and a
// click on any cell of a tab opens its page.
func TestAllTabsHaveNamesAt80Columns(t *testing.T) {
	d := open(t, linked())
	all := d.session.pages
	for _, digit := range []string{"8", "9"} {
		if !slices.ContainsFunc(all, func(p page) bool { return p.Digit == digit }) {
			extra := page{}
			extra.Digit, extra.Title, extra.Short = digit, "Spend", "Spend"
			all = append(all, extra)
		}
	}
	for active := range all {
		labels := tabLabels(all, active, 80)
		if width := tabsWidth(labels); width > 80 {
			t.Errorf("on %s the tab line takes %d columns: %q", all[active].Title, width, labels)
		}
		for i, p := range all {
			named := strings.Contains(labels[i], p.Title) || i != active && strings.Contains(labels[i], p.Short)
			if p.Digit != "" && (!named || !strings.Contains(labels[i], p.Digit)) {
				t.Errorf("on %s the tab of %s is %q", all[active].Title, p.Title, labels[i])
			}
		}
	}
}

func TestClicksOnShortenedTabsOpenTheirPages(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, healthy())
	for _, width := range []int{54, 72, 80, 120} {
		d.Update(tea.WindowSizeMsg{Width: width, Height: 24})
		d.press("3")
		labels := tabLabels(d.session.pages, d.session.active, width)
		at := 0
		for i, label := range labels {
			if label == "" {
				continue
			}
			for _, x := range []int{at, at + ansi.StringWidth(label) - 1} {
				d.press("3")
				d.drain(d.click(tea.MouseClickMsg{X: x, Y: tabLine, Button: tea.MouseLeft}))
				if got := d.session.pages[d.session.active].Title; got != d.session.pages[i].Title {
					t.Errorf("at %d columns, column %d opens %s, not %s", width, x, got, d.session.pages[i].Title)
				}
			}
			at += ansi.StringWidth(label)
		}
	}
}

func TestTheWindowTitleSaysWhoseFiguresAndWhichPage(t *testing.T) {
	d := open(t, healthy())
	if got := d.View().WindowTitle; got != "tarmac · test · Overview" {
		t.Errorf("the title is %q", got)
	}
	d.press("4")
	d.session.connection.Profile = "wo\x1b]2;x\ark\n\u009d"
	if got := d.View().WindowTitle; got != "tarmac · work · Transactions" {
		t.Errorf("of another profile's page it is %q", got)
	}
	d.session.connection.Profile = ""
	if got := d.View().WindowTitle; got != "tarmac · Transactions" {
		t.Errorf("without a profile it is %q", got)
	}
	d.leaving = true
	if got := d.View().WindowTitle; got != "" {
		t.Errorf("it leaves %q behind", got)
	}
}

func TestAnASCIIFrameIsAsWideAndHigh(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	d := open(t, linked())
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for _, p := range d.session.pages {
		d.reach(p)
		frame := d.render()
		ascii, rest := termtext.AppendASCII(nil, []byte(frame))
		before, after := strings.Split(frame, "\n"), strings.Split(string(ascii), "\n")
		if len(before) != len(after) || len(rest) > 0 {
			t.Fatalf("%s has %d lines, not %d", p.Title, len(after), len(before))
		}
		for i := range before {
			if ansi.StringWidth(before[i]) != ansi.StringWidth(after[i]) {
				t.Errorf("%s, line %d: %q became %q", p.Title, i, before[i], after[i])
			}
		}
		if p.Name == views.Events {
			sample.Golden(t, "ascii_80x24", string(ascii), *update)
		}
	}
}
