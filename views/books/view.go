package books

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/client/figures"
	"tarmac/client/resource"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/panel"
)

// Minimum heights of the page in lines.
const (
	bothHeight   = 12 // two lists
	allHeight    = 16 // three lists
	detailHeight = 18 // two lists and details
)

// heights are the heights of the page's parts in lines. A part of height 0 is hidden.
type heights struct {
	lists  [3]int // by focus
	detail int
}

// frameLines returns how many lines of a list are not rows: its frame and its header.
func (s *Screen) frameLines() int {
	if panel.IsOpen(s.height) {
		return 2
	}
	return 3
}

// inner returns the size of the content of a panel.
func (s *Screen) inner(width, height int) (int, int) {
	return panel.InnerOf(panel.IsOpen(s.height), width, height)
}

// heights divides the page's height below the message among its parts.
func (s *Screen) heights() (h heights) {
	height, frame := s.height-len(s.message()), s.frameLines()
	if s.opened {
		return heights{detail: height}
	}
	value, _ := s.contents.Value()
	counts, shown := value.counts(), s.shownLists(height)
	last, left := len(shown)-1, height
	details := last > 0 && height >= detailHeight+(last-1)*(frame+2)
	for n, list := range shown[:last] {
		most := left - (frame+2)*(last-n)
		if details {
			most = max(frame+2, height*2/5)
		}
		h.lists[list] = min(max(2, counts[list])+frame, most)
		left -= h.lists[list]
	}
	h.lists[shown[last]] = left
	if details {
		h.lists[shown[last]] = min(max(2, counts[shown[last]])+frame, max(frame+2, left/2))
		h.detail = left - h.lists[shown[last]]
	}
	return h
}

// shownLists returns the lists with rows that fit into a height. The focused list is always one of
// them.
func (s *Screen) shownLists(height int) (shown []focus) {
	shown = s.lists()
	if len(shown) == 0 {
		return []focus{s.list}
	}
	switch {
	case height < bothHeight:
		return []focus{s.list}
	case len(shown) > 2 && height < allHeight && s.list == onConnections:
		return []focus{onAccounts, onConnections}
	case len(shown) > 2 && height < allHeight:
		return []focus{onAccounts, onImports}
	}
	return shown
}

// arrange sets the sizes of the tables and of the details.
func (s *Screen) arrange() {
	h := s.heights()
	for list, t := range s.tables() {
		t.SetSize(s.inner(s.width, h.lists[list]))
	}
	s.detail.SetOpen(panel.IsOpen(s.height))
	if a, beside := s.accountBeside(h.detail); beside {
		s.layAccountOut(a, h.detail)
	} else {
		s.layout = accountLayout{}
		s.detail.SetSize(s.width, h.detail)
	}
}

// View draws the screen.
func (s *Screen) View() string {
	if s.width <= 0 || s.height <= 0 {
		return strings.Repeat("\n", max(0, s.height-1))
	}
	if d := s.dialog(); d != nil {
		return d.draw()
	}
	return strings.Join(s.page(), "\n")
}

// page draws the lists and the details.
func (s *Screen) page() []string {
	lines := s.message()
	h := s.heights()
	value, _ := s.contents.Value()
	state, now := s.contents.State(), s.env.Now()
	if !state.HasFigures() {
		frame := panel.Frame{
			Title: "Books", EmptyText: s.emptyText(), Width: s.width, Height: s.height - len(lines), Focused: true,
		}
		return append(lines, panel.Draw(s.theme, frame, state, now)...)
	}
	titles := [...]string{onAccounts: "Accounts", onConnections: "Providers", onImports: "Imports"}
	counts := value.counts()
	for list, height := range h.lists {
		if height <= 0 {
			continue
		}
		note := hidden(counts[list] - height + s.frameLines())
		if focus(list) == onAccounts {
			loadedAt := s.contents.LoadedAt()
			note = figures.WithTime("updated", &loadedAt, now)
			if value.Currency != "" {
				note = "figures in " + value.Currency + " · " + note
			}
		}
		frame := panel.Frame{
			Title: titles[list], Width: s.width, Height: height, Focused: s.list == focus(list), Note: note,
			Open: panel.IsOpen(s.height),
			Body: func(int, int) []string { return s.tables()[list].Lines() },
		}
		lines = append(lines, panel.Draw(s.theme, frame, state, now)...)
	}
	if s.layout.right > 0 {
		return append(lines, s.accountPanels(s.selectedAccount())...)
	}
	if h.detail > 0 {
		lines = append(lines, s.detail.Lines()...)
	}
	return lines
}

// hidden returns how many rows of a list don't fit, as text.
func hidden(rows int) string {
	if rows <= 0 {
		return ""
	}
	return strconv.Itoa(rows) + " more"
}

func (s *Screen) emptyText() string {
	if s.env.ReadOnly {
		return "The books are empty, and this session is read-only."
	}
	contents, _ := s.contents.Value()
	text := contents.EmptyText("Press n: it")
	if s.providers != nil {
		return text + " Or press c to connect a provider, which fills them by itself."
	}
	return text
}

// message returns the lines about open questions and the latest import or undoing, at most two
// thirds of the page.
func (s *Screen) message() []string {
	if s.mode != browsing {
		return nil
	}
	lines := append(s.questionsLine(), s.outcomeLines()...)
	if lines == nil {
		return nil
	}
	return panel.Box(lines, s.width, min(len(lines), s.height*2/3))
}

// outcomeLines returns the lines about the latest import or undoing, or nil.
func (s *Screen) outcomeLines() []string {
	if s.outcome.text == "" {
		return nil
	}
	text, style := "✓ "+s.outcome.text, s.theme.Good
	if s.outcome.problem {
		text, style = "! "+s.outcome.text, s.theme.Critical
	}
	return styled(style, masked.Text(s.theme, text), s.width)
}

// namesLines returns the prompt for the files and the index of its line.
func (s *Screen) namesLines(width, rows int) (lines []string, at int) {
	i := &s.intake
	const label = "Files  "
	lines = append(lines, s.theme.Faint.Render(label)+i.names.Draw(s.theme, max(1, width-len(label))))
	lines = append(lines, alarm(s.theme, i.problem, width)...)
	if len(i.downloads.files) > 0 && len(i.candidates) == 0 {
		lines = append(lines, "")
		lines = append(lines, styled(s.theme.Faint, i.downloads.summary(), width)...)
		list, cursor := i.downloads.lines(s.theme, width)
		return append(lines, list...), len(lines) + cursor
	}
	if len(i.candidates) > 0 {
		lines = append(lines, "")
		return append(lines, s.candidateLines(width, rows-len(lines))...), 0
	}
	lines = append(lines, "")
	lines = append(lines, styled(s.theme.Text, "Paths of files that your bank or accounting program wrote, or patterns: "+
		"~/Downloads/*.csv ~/Downloads/*.qfx", width)...)
	lines = append(lines, "")
	return append(lines, styled(s.theme.Faint, "Tab completes a name. The next page shows what is in the files; "+
		"nothing is imported before you say yes. Files may overlap or have been imported before: nothing is counted "+
		"twice.", width)...), 0
}

// candidateLines returns names in columns, in at most the given number of lines.
func (s *Screen) candidateLines(width, rows int) []string {
	names := s.intake.candidates
	widest := 1
	for _, name := range names {
		widest = max(widest, termtext.Width(name))
	}
	widest = min(widest, width)
	columns := max(1, (width+2)/(widest+2))
	height := (len(names) + columns - 1) / columns
	shown := height
	if height > rows {
		shown = max(0, rows-1)
	}
	var lines []string
	for row := range shown {
		var b strings.Builder
		for at := row; at < len(names); at += height {
			b.WriteString(termtext.Fit(names[at], widest) + "  ")
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	if shown < height {
		lines = append(lines, s.theme.Faint.Render(strconv.Itoa(len(names))+" names; type more of it"))
	}
	return lines
}

func (s *Screen) drawPreview() string {
	frame := panel.Frame{
		Title: "Nothing is imported yet", Note: s.steps(), Width: s.width, Height: s.height, Focused: true,
	}
	lines := s.previewLines(s.innerWidth())
	rows := s.previewRows()
	if below := len(lines) - s.intake.offset - rows; below > 0 {
		frame.Note = strconv.Itoa(below) + " more below · " + frame.Note
	}
	frame.Body = func(width, height int) []string {
		verdict := s.verdictLines(width)
		body := lines[min(s.intake.offset, len(lines)):]
		body = panel.Box(body, width, max(0, min(rows, height-len(verdict)-1, len(body))))
		if len(body) > 0 {
			body = append(body, "")
		}
		return append(body, verdict...)
	}
	return strings.Join(panel.Draw(s.theme, frame, resource.State{Status: resource.Ready}, s.env.Now()), "\n")
}

// styled wraps a text to width cells and renders each line. Amounts and dates stay on one line.
func styled(style lipgloss.Style, text string, width int) []string {
	const unbreakable = "\u2011"
	text = hyphens.ReplaceAllString(text, unbreakable+"$1")
	var lines []string
	for line := range strings.SplitSeq(ansi.Wrap(text, max(1, width), ""), "\n") {
		lines = append(lines, style.Render(strings.ReplaceAll(line, unbreakable, "-")))
	}
	return lines
}

// hyphens matches a hyphen before a digit.
var hyphens = regexp.MustCompile(`-(\d)`)

// alarm returns an error text as styled lines. It returns nil for "".
func alarm(t theme.Theme, text string, width int) []string {
	if text == "" {
		return nil
	}
	return styled(t.Critical, "! "+text, width)
}

func fit(text string, width int) string { return termtext.Fit(text, width) }

func upperFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

func lowerFirst(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:]
}
