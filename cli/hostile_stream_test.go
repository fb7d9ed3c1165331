package cli_test

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/termtext"
	"tarmac/internal/testsupport/hostile"
)

// dashboardSequences are the only terminal sequences that the dashboard may write, each as its
// private marker, intermediates and final byte.
var dashboardSequences = map[string]string{
	"m": "looks", "H": "place", "A": "up", "B": "down", "C": "right", "D": "left", "G": "column", "d": "line",
	"E": "next line", "F": "line before",
	"J": "erase below", "K": "erase line", "X": "erase cells", "b": "repeat", "P": "delete cells", "@": "insert cells",
	"L": "insert lines", "M": "delete lines", "S": "scroll up", "T": "scroll down", "r": "scroll region",
	"`": "column", "Z": "tab back", "I": "tab", "a": "right", "e": "down",
	"?h": "mode on", "?l": "mode off", "?$p": "mode query",
	"=u": "keyboard", ">u": "keyboard", "<u": "keyboard", "?u": "keyboard query", ">m": "other keys",
	">q": "name query", " q": "shape of the cursor", "?W": "tab stops",
}

// dashboardModes are the numbered modes that the dashboard may set and query: cursor, focus,
// mouse, wrapping, alternate screen, paste, synchronized output, graphemes, themes.
var dashboardModes = []int{7, 25, 1000, 1002, 1003, 1004, 1006, 1049, 2004, 2026, 2027, 2031, 2048}

// plainSequences are the sequences that commands may write: only the one that erases the
// progress line.
var plainSequences = map[string]string{"K": "erase line"}

// stream checks terminal output byte by byte.
type stream struct {
	t         testing.TB
	sequences map[string]string
	what      string
	marks     int
	wrong     map[string]bool
	text      strings.Builder // visible text
	copied    []string
}

// harmless fails the test if the output contains sequences that are not allowed, and returns
// the visible text.
func harmless(t testing.TB, what, output string, sequences map[string]string) (text string, copied []string) {
	t.Helper()
	s := &stream{t: t, sequences: sequences, what: what, wrong: map[string]bool{}}
	if !utf8.ValidString(output) {
		s.bad("invalid UTF-8", "")
	}
	for _, r := range output {
		if r >= 0x80 && r <= 0x9f {
			s.bad("an 8-bit control character", fmt.Sprintf("%U", r))
		}
	}
	p := ansi.NewParser()
	p.SetParamsSize(64)
	p.SetDataSize(1 << 20)
	p.SetHandler(ansi.Handler{
		Print: s.print, Execute: s.execute, HandleCsi: s.control, HandleEsc: s.escape, HandleOsc: s.command,
		HandleDcs: func(cmd ansi.Cmd, _ ansi.Params, data []byte) { s.device(cmd, data) },
		HandlePm:  func(data []byte) { s.bad("PM", string(data)) },
		HandleApc: func(data []byte) { s.bad("APC", string(data)) },
		HandleSos: func(data []byte) { s.bad("SOS", string(data)) },
	})
	p.Parse([]byte(output))
	if p.StateName() != "GroundState" {
		s.bad("an open sequence", p.StateName())
	}
	return s.text.String(), s.copied
}

// bad reports each kind of violation once.
func (s *stream) bad(kind, detail string) {
	s.t.Helper()
	if !s.wrong[kind] {
		s.wrong[kind] = true
		s.t.Errorf("%s wrote %s %.200q behind %.200q", s.what, kind, detail, s.text.String()[max(0, s.text.Len()-100):])
	}
}

func (s *stream) print(r rune) {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		s.bad("a character that is not to be seen", fmt.Sprintf("%U", r))
	case unicode.In(r, unicode.Mn, unicode.Me):
		if s.marks++; s.marks > 3 {
			s.bad("a flood of marks", fmt.Sprintf("%U", r))
		}
	default:
		s.marks = 0
	}
	s.text.WriteRune(r)
}

func (s *stream) execute(b byte) {
	s.marks = 0
	if !strings.ContainsRune("\r\n", rune(b)) &&
		(len(s.sequences) <= len(plainSequences) || !strings.ContainsRune("\b\t", rune(b))) {
		s.bad("a control character", fmt.Sprintf("%#x", b))
	}
	s.text.WriteByte(' ')
}

func (s *stream) control(cmd ansi.Cmd, params ansi.Params) {
	name := ""
	for _, part := range []byte{cmd.Prefix(), cmd.Intermediate(), cmd.Final()} {
		if part != 0 {
			name += string(part)
		}
	}
	if s.sequences[name] == "" {
		s.bad("the sequence CSI "+name, fmt.Sprint(params))
	}
	params.ForEach(0, func(_, number int, _ bool) {
		if (name == "?h" || name == "?l" || name == "?$p") && !slices.Contains(dashboardModes, number) {
			s.bad("mode "+fmt.Sprint(number), name)
		}
	})
	first, _, _ := params.Param(0, 0)
	switch {
	case name == "m" && (first == 8 || first == 5 || first == 6):
		s.bad("text that is concealed or blinks", fmt.Sprint(first))
	case name == "J" && first > 2:
		s.bad("an end to what can be scrolled back to", fmt.Sprint(first))
	}
	s.text.WriteByte(' ')
}

func (s *stream) escape(cmd ansi.Cmd) {
	// Save and restore cursor, reverse index, keypad modes, string terminator.
	if len(s.sequences) <= len(plainSequences) || cmd.Intermediate() != 0 ||
		!strings.ContainsRune(`78M=>\`, rune(cmd.Final())) {
		s.bad("the sequence ESC", string(cmd.Final()))
	}
}

// ownTitle matches the allowed window titles: the program, the server's name and a page.
var ownTitle = regexp.MustCompile(`^tarmac( · (demo|[\w.:-]+))?( · (` +
	`Overview|Runway|Receivables|Transactions|Invoices|Events|Webhooks|Propose|Payment))?$`)

// command accepts a window title, and clipboard text without control characters.
func (s *stream) command(number int, data []byte) {
	_, value, _ := strings.Cut(string(data), ";")
	switch {
	case len(s.sequences) <= len(plainSequences):
		s.bad("OSC", string(data))
	case number == 2 && (value == "" || ownTitle.MatchString(value)),
		number >= 10 && number <= 12 && value == "?", number >= 110 && number <= 112:
	case number == 52:
		encoded, ours := strings.CutPrefix(value, "c;")
		text, err := base64.StdEncoding.DecodeString(encoded)
		if !ours || err != nil || termtext.Block(string(text)) != string(text) || string(text) == hostile.Word {
			s.bad("to the clipboard", string(text))
		}
		s.copied = append(s.copied, string(text))
	default:
		s.bad("OSC", string(data))
	}
}

// device accepts queries of the terminal's capabilities.
func (s *stream) device(cmd ansi.Cmd, data []byte) {
	if len(s.sequences) <= len(plainSequences) || cmd.Intermediate() != '+' || cmd.Final() != 'q' ||
		strings.Trim(string(data), "0123456789abcdefABCDEF;") != "" {
		s.bad("DCS", string(data))
	}
}

// The checker detects every sequence that a terminal would act on.
func TestEveryAttackIsSeenInAStream(t *testing.T) {
	visible := []string{
		"a formula", "quotes, commas and lines for CSV", "a format", "ten thousand characters", "wide characters",
		"letters that combine when they meet", "tabs and line ends", "a carriage return over the line",
		"backspaces over an amount", "a mark on what stands before",
	}
	for _, text := range hostile.Texts() {
		seen := &counter{TB: t}
		harmless(seen, text.Name, text.Value, dashboardSequences)
		if harmlessKind := slices.Contains(visible, text.Name); seen.errors == 0 && !harmlessKind {
			t.Errorf("%s: nothing was seen in %q", text.Name, text.Value)
		}
		clean := &counter{TB: t}
		if harmless(clean, text.Name, termtext.Line(text.Value), plainSequences); clean.errors > 0 {
			t.Errorf("%s: cleaned, it is still bad", text.Name)
		}
	}
}

// counter counts errors instead of reporting them.
type counter struct {
	testing.TB
	errors int
}

func (c *counter) Errorf(string, ...any) { c.errors++ }
