package listdetail_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/theme"
	"tarmac/views/parts/listdetail"
)

// pane is a fake pane that draws one letter in all its cells.
type pane struct {
	letter        string
	width, height int
}

func (p *pane) SetSize(width, height int) { p.width, p.height = width, height }

func (p *pane) Lines() []string {
	lines := make([]string, max(0, p.height))
	for i := range lines {
		lines[i] = strings.Repeat(p.letter, max(0, p.width))
	}
	return lines
}

func TestTheDetailStandsBesideTheListWhereBothHaveRoom(t *testing.T) {
	for _, c := range []struct {
		width        int
		open, behind bool
		list, detail int // their widths in cells
	}{
		{200, false, true, 200, 0},
		{200, true, true, 135, 64},
		{120, true, true, 71, 48},
		{100, true, true, 59, 40},
		{99, true, true, 0, 99},
		{200, true, false, 0, 200},
		{1, true, true, 0, 1},
		{0, true, true, 0, 0},
	} {
		list, detail := &pane{letter: "l"}, &pane{letter: "d"}
		f := listdetail.Frame{List: list, Detail: detail}
		f.Arrange(c.width, 3, c.open, c.behind)
		lines := f.Lines()
		if len(lines) != 3 {
			t.Fatalf("%+v: %d lines", c, len(lines))
		}
		if l, d := strings.Count(lines[1], "l"), strings.Count(lines[1], "d"); l != c.list || d != c.detail ||
			len(lines[1]) > c.width {
			t.Errorf("%+v: %d cells of the list, %d of the detail: %q", c, l, d, lines[1])
		}
	}
}

func TestBothEndsOfALineKeepWithinIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z 株]{0,40}`)
		left, right, width := text.Draw(t, "left"), text.Draw(t, "right"), rapid.IntRange(0, 90).Draw(t, "width")
		line := listdetail.AlignEnds("\x1b[1m"+left+"\x1b[m", right, width)
		if got := ansi.StringWidth(line); got > width {
			t.Fatalf("%q is %d cells wide, of %d", line, got, width)
		}
		if room := width - 2 - ansi.StringWidth(right); room >= 4 && !strings.HasSuffix(line, right) {
			t.Fatalf("%q has no %q at its end", line, right)
		}
	})
}

func TestWhatIsPastedIsOneCleanLine(t *testing.T) {
	var p listdetail.Prompt
	p.SetTheme(theme.New(true))
	p.SetWidth(40)
	p.Paste(tea.PasteMsg{Content: "not yet"})
	p.Open("Search  ", "a number", 10, "")
	if line := ansi.Strip(p.Line()); !p.Typing() || !strings.HasPrefix(line, "Search  a number") {
		t.Errorf("opened, it is %q", line)
	}
	p.Paste(tea.PasteMsg{Content: "  a\n\x1b]52;c;x\ab\u202e"})
	p.Press(tea.KeyPressMsg{Code: 'c', Text: "c"})
	if got := p.Text(); strings.ContainsAny(got, "\n\x1b\a\u202e") || !strings.HasPrefix(got, "a") ||
		!strings.HasSuffix(got, "c") {
		t.Errorf("%q was typed", got)
	}
	for range 40 {
		p.Press(tea.KeyPressMsg{Code: 'x', Text: "x"})
	}
	if n := len(p.Text()); n > 10 {
		t.Errorf("%d characters were taken, of 10", n)
	}
	p.Close()
	if p.Press(tea.KeyPressMsg{Code: 'z', Text: "z"}); p.Typing() || strings.Contains(p.Text(), "z") {
		t.Error("it takes text when it is closed")
	}
}
