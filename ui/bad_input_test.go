package ui

import (
	"image/color"
	"strings"
	"testing"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// withTexts returns the API of an organization whose records all name what is given, in a currency.
func withTexts(name, cents, currency string) *api {
	a := linked()
	for path, body := range a.bodies {
		a.bodies[path] = strings.NewReplacer(
			"Łukasz 株式会社", name, "Ironwood", name, `"Work"`, `"`+name+`"`,
			`"amount_cents":125000`, `"amount_cents":`+cents, `"total_cents":120`, `"total_cents":`+cents,
			`"outstanding_cents":43858600`, `"outstanding_cents":`+cents, `"cash_cents":403979673`, `"cash_cents":`+cents,
			`"available_cents":378667246`, `"available_cents":`+cents,
			`"currency":"USD","direction"`, `"currency":"`+currency+`","direction"`,
			`"status":"overdue","currency":"USD"`, `"status":"overdue","currency":"`+currency+`"`,
		).Replace(body)
	}
	return a
}

// No name, amount or currency widens a page or reaches the terminal as more than text.
func TestBadInputFitsEveryPageAndItsDetails(t *testing.T) {
	const many = "123456789012345678"
	for name, a := range map[string]*api{
		"400 characters":              withTexts(strings.Repeat("Osprey Ana ", 36)+"last", "125000", "USD"),
		"400 characters, one word":    withTexts(strings.Repeat("W", 400), "125000", "USD"),
		"right to left":               withTexts("حساب التشغيل 42 של החברה", "125000", "USD"),
		"overridden direction":        withTexts("ab\u202ecd\u202c\u2067ef\u2069", "125000", "USD"),
		"wide characters":             withTexts(strings.Repeat("株式会社", 100), "125000", "USD"),
		"invisible characters alone":  withTexts("\u200b\u2060\ufeff\u00ad\u3164", "125000", "USD"),
		"invisible characters within": withTexts("Os\u200bprey\u2060 Ana\ufefflytics", "125000", "USD"),
		"18 digits":                   withTexts("Osprey Analytics", many, "USD"),
		"18 digits, all of them gone": withTexts("Osprey Analytics", "-"+many, "USD"),
		"a currency without symbol":   withTexts("Osprey Analytics", "125000", "CHF"),
		"a currency without cents":    withTexts("Osprey Analytics", many, "ISK"),
		"an unknown currency":         withTexts("Osprey Analytics", "125000", "XTS"),
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, a)
			for _, p := range d.session.pages {
				d.reach(p)
				checkFrames(t, d, p.Name)
				d.press("enter")
				checkFrames(t, d, p.Name+", its details")
				d.press("esc")
			}
		})
	}
}

// checkFrames draws at a few sizes, down to 20 columns, and checks that each line is as wide as the
// window at most and has no characters that change how others are shown.
func checkFrames(t *testing.T, d *dashboard, what string) {
	t.Helper()
	for _, size := range [][2]int{{20, 8}, {20, 60}, {40, 12}, {80, 24}, {200, 60}, {120, 40}} {
		d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		lines := strings.Split(d.text(), "\n")
		if len(lines) != size[1] {
			t.Errorf("%s at %v has %d lines", what, size, len(lines))
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > size[0] || strings.ContainsFunc(line, isInvisible) {
				t.Errorf("%s at %v: %q", what, size, line)
			}
		}
	}
}

func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp) || r == '\u3164'
}

func TestAmountsOf18DigitsAreNotCut(t *testing.T) {
	d := open(t, withTexts("Osprey Analytics", "123456789012345678", "CHF"))
	for _, c := range []struct{ digit, whole string }{
		{"3", "1,234,567,890,123,456.78"}, {"4", "-1,234,567,890,123,456.78  CHF"}, {"5", "1,234,567,890,123,456.78  CHF"},
		{"6", "1,234,567,890,123,456.78  USD"},
	} {
		d.press(c.digit)
		for _, size := range [][2]int{{80, 24}, {200, 60}, {120, 40}} {
			d.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.shows(c.whole)
		}
	}
	d.press("4", "enter")
	d.shows("-1,234,567,890,123,456.78 CHF")
}

func TestACurrencyWithoutSymbolIsNamed(t *testing.T) {
	d := open(t, withTexts("Osprey Analytics", "125000", "CHF"))

	d.press("4", "enter")

	d.shows("-1,250.00 CHF")
}

// Terminals may report a background that they do not have, another one later, or none at all.
func TestWhatATerminalSaysOfItsColoursChangesNoText(t *testing.T) {
	d := open(t, healthy())
	before := d.text()

	for _, background := range []color.Color{color.White, color.Black, nil, color.Transparent, color.White} {
		d.Update(tea.BackgroundColorMsg{Color: background})

		if got := d.text(); got != before {
			t.Errorf("on %v it says\n%s", background, got)
		}
	}
}

func TestWhatIsGoneWhileTheFinderIsOpenIsSearchedOrNotOpened(t *testing.T) {
	d := withHistory(t)
	d.after(0)
	d.press(":")
	d.press(strings.Split("łukasz", "")...)
	d.shows("Łukasz 株式会社")

	d.handle(answer{d.session, noPage, namesIndexed{nil, ledgerNames(many(0))}})
	d.press("enter")

	if d.palette.open {
		t.Error("the finder is still open")
	}
	checkFrames(t, d, "after the finder")
}

// Each panel says how old its own figures are, and fresh ones say nothing.
func TestFiguresOfTwoAgesOnOnePageSayTheirOwnAge(t *testing.T) {
	a := healthy()
	d := open(t, a)

	a.broken = "/receivables/aging"
	d.now = d.now.Add(20 * time.Second)
	d.press("r")

	text := d.text()
	for line := range strings.SplitSeq(text, "\n") {
		if isOld := strings.Contains(line, "stale, 20s old"); isOld != strings.Contains(line, "Owed to us") {
			t.Errorf("%q", line)
		}
	}
	if strings.Count(text, "stale, ") != 1 {
		t.Errorf("one panel is old:\n%s", text)
	}
}
