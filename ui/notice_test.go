package ui

import (
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/theme"
	"tarmac/views"
)

func TestANoticeStaysForAMomentAndIsClean(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var n notice
	n.show(views.Notice{Text: "copied\x1b]52;c;x\a INV-1\n"}, now)
	if line := n.line(theme.New(true)); strings.ContainsAny(line, "\a\n") || !strings.Contains(line, "INV-1") {
		t.Errorf("%q", line)
	}
	n.expire(now.Add(noticeLasts - time.Millisecond))
	if n.text == "" {
		t.Error("it went early")
	}
	n.expire(now.Add(noticeLasts))
	if n.text != "" {
		t.Error("it stays")
	}
}

func TestAWarningGoesWithTheNextInput(t *testing.T) {
	for name, input := range map[string]tea.Msg{
		"key":   tea.KeyPressMsg{Code: 'j', Text: "j"},
		"paste": tea.PasteMsg{Content: "text"},
		"mouse": tea.MouseClickMsg{X: 1, Y: 9, Button: tea.MouseLeft},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, healthy())
			d.handle(Warning("this session ends in 1 minute"))
			d.handle(tea.BlurMsg{})
			d.after(2 * noticeLasts)
			d.shows("! this session ends in 1 minute")

			d.handle(input)

			if strings.Contains(d.text(), "this session ends") {
				t.Errorf("the warning is still there:\n%s", d.text())
			}
		})
	}
}

func TestANoticeStandsBesideTheKeysAndNotOverThem(t *testing.T) {
	d := open(t, healthy())
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.press("4")
	before := strings.Split(d.text(), "\n")

	d.handle(views.Notice{Text: "copied the id"})
	after := strings.Split(d.text(), "\n")

	last := len(after) - 1
	if after[last] != before[last] || !strings.HasPrefix(after[last-1], "✓ copied the id") {
		t.Errorf("the foot is\n%s", strings.Join(after[last-1:], "\n"))
	}
	if len(after) != len(before) {
		t.Errorf("%d lines, not %d", len(after), len(before))
	}
}

func TestANoticeLeavesWhatIsTypedInSight(t *testing.T) {
	d := open(t, healthy())
	d.press("3", "e")
	if !d.front().State().Typing {
		t.Fatal("no name of a file is asked for")
	}
	before := strings.Split(d.text(), "\n")

	d.handle(views.Notice{Text: "late news"})
	after := strings.Split(d.text(), "\n")

	d.shows("late news")
	if at := len(after) - 2; after[at] != before[at] {
		t.Errorf("the name is not seen:\n%s", d.text())
	}
}

// A notice stands between the borders of panels, on every page, in every window.
func TestANoticeCutsNoBorder(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	sizes := []tea.WindowSizeMsg{{Width: 80, Height: 24}, {Width: 120, Height: 40}, {Width: 200, Height: 60}}
	for _, name := range []string{"ready", "empty", "failed", "own books", "not allowed"} {
		d := states()[name](t)
		d.handle(tea.BackgroundColorMsg{Color: color.White})
		for _, size := range sizes {
			d.Update(size)
			for _, p := range d.session.pages {
				for _, keys := range [][]string{nil, {"enter"}, {"?"}} {
					d.reach(p)
					d.press(keys...)
					before := strings.Split(d.text(), "\n")

					d.handle(views.Notice{Text: "theme: dark"})

					for i, line := range strings.Split(d.text(), "\n") {
						if strings.Contains(before[i], "theme: dark") {
							continue
						}
						if got, want := bordersOf(line), bordersOf(before[i]); !slices.Equal(got, want) {
							t.Fatalf("%s, %s after %v at %v: borders at %v, not %v:\n%s\n%s",
								name, p.Name, keys, size, got, want, before[i], line)
						}
					}
					d.shows("✓ theme: dark")
					d.after(2 * noticeLasts)
					d.press("esc")
				}
			}
		}
	}
}

// bordersOf returns the columns of the sides and corners of panels on a line.
func bordersOf(line string) (columns []int) {
	at := 0
	for _, r := range line {
		if strings.ContainsRune("│╭╮╰╯", r) {
			columns = append(columns, at)
		}
		at += ansi.StringWidth(string(r))
	}
	return columns
}

func TestALongNoticeIsReadWholeWhereAWindowHasRoom(t *testing.T) {
	text := strings.Repeat("long ", 20) + "end"
	for _, line := range []string{
		"╰" + strings.Repeat("─", 70) + "╯╰" + strings.Repeat("─", 46) + "╯",
		"row" + strings.Repeat(" ", 60) + "│" + strings.Repeat(" ", 55) + "│",
		strings.Repeat("株", 60),
		"",
	} {
		n := notice{text: text}
		drawn := ansi.Strip(n.over(theme.New(true), line, 120))
		if !strings.Contains(drawn, text) || ansi.StringWidth(drawn) != 120 {
			t.Errorf("%q", drawn)
		}
	}
}
