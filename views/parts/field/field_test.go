package field_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/termtext"
	"tarmac/theme"
	"tarmac/views/parts/field"
)

var today = civil.MustParse("2026-11-20")

func TestSettledDatesStayTheSameTomorrow(t *testing.T) {
	for text, want := range map[string]string{"net 30": "2026-12-20", "in 30 days": "2026-12-20",
		"2026-12-31": "2026-12-31", "soon": "soon", "": ""} {
		d := field.NewDate("")
		d.Set(text)
		d.Normalize(today)
		if d.Value() != want {
			t.Errorf("%q settles as %q, want %q", text, d.Value(), want)
		}
	}
}

func TestALineIsSettledAsItWasUnderstood(t *testing.T) {
	price, quantity := field.NewMoney(""), field.NewQuantity("")
	price.Set("1.5k")
	quantity.Set("12.5 hours")
	price.Normalize()
	quantity.Normalize()
	if price.Value() != "1,500.00" || quantity.Value() != "12.5" {
		t.Errorf("%q × %q", quantity.Value(), price.Value())
	}
}

func TestASecretIsTypedUnseen(t *testing.T) {
	f := field.NewSecret("paste the token", 20)
	f.Focus()
	f.Update(tea.PasteMsg{Content: "日本-key\n"})
	f.Update(tea.KeyPressMsg{Code: tea.KeyLeft})

	for width := range 20 {
		if drawn := ansi.Strip(f.Draw(theme.New(true), width)); strings.ContainsAny(drawn, "日本key-") ||
			ansi.StringWidth(drawn) != width {
			t.Errorf("in %d cells it draws %q", width, drawn)
		}
	}
	f.Blur()
	if drawn := ansi.Strip(f.Draw(theme.New(true), 8)); drawn != "••••••• " || f.Value() != "日本-key " {
		t.Errorf("without focus it draws %q of %q", drawn, f.Value())
	}
}

func TestAFieldTakesKeysOnlyWithTheCursorInIt(t *testing.T) {
	f := field.NewText("name", 20)
	if f.Update(tea.KeyPressMsg{Code: 'a', Text: "a"}) || f.Value() != "" {
		t.Errorf("without the cursor it took %q", f.Value())
	}
	f.Focus()
	if !f.Update(tea.KeyPressMsg{Code: 'a', Text: "a"}) || f.Value() != "a" {
		t.Errorf("with the cursor it holds %q", f.Value())
	}
	if f.Update(tea.KeyPressMsg{Code: tea.KeyLeft}) {
		t.Error("moving the cursor changes the text")
	}
	f.Blur()
	if f.Focused() || f.Update(tea.PasteMsg{Content: "x"}) {
		t.Error("it takes a paste after it was left")
	}
}

func TestAPasteIsOneLineWithinBounds(t *testing.T) {
	f := field.NewText("", 100)
	f.Focus()
	f.Update(tea.PasteMsg{Content: "one\r\ntwo\n\x1b[31mthree\u202e\t4"})
	if got := f.Value(); got != "one two three 4" {
		t.Errorf("%q", got)
	}
	f.Update(tea.PasteMsg{Content: strings.Repeat("é", 4<<20)})
	if n := utf8.RuneCountInString(f.Value()); n != 150 {
		t.Errorf("%d characters are kept", n)
	}
	if !utf8.ValidString(f.Value()) {
		t.Error("a character was cut in two")
	}
}

// A field fills its width exactly and stores only text that is safe for a terminal.
func TestAFieldFillsItsRoom(t *testing.T) {
	looks := theme.New(true)
	rapid.Check(t, func(t *rapid.T) {
		f := field.NewText("a hint 株", 60)
		f.Set(rapid.StringOf(rapid.RuneFrom([]rune("ab 株式é…\u0301\u200d👩\x1b\n"))).Draw(t, "text"))
		if rapid.Bool().Draw(t, "focused") {
			f.Focus()
			for range rapid.IntRange(0, 40).Draw(t, "left") {
				f.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
			}
		}
		if clean := termtext.Block(f.Value()); clean != f.Value() {
			t.Fatalf("%q is kept instead of %q", f.Value(), clean)
		}
		width := rapid.IntRange(0, 70).Draw(t, "width")
		if drawn := f.Draw(looks, width); ansi.StringWidth(drawn) != width {
			t.Fatalf("%q is drawn in %d cells instead of %d: %q", f.Value(), ansi.StringWidth(drawn), width, ansi.Strip(drawn))
		}
	})
}

func TestTheCursorIsAlwaysInView(t *testing.T) {
	looks := theme.New(true)
	f := field.NewText("", 200)
	f.Set("start 株式会社 " + strings.Repeat("middle ", 10) + "end")
	f.Focus()
	for range 100 {
		if drawn := f.Draw(looks, 12); !strings.Contains(drawn, "\x1b[7m") {
			t.Fatalf("no cursor in %q", drawn)
		}
		f.Update(tea.KeyPressMsg{Code: tea.KeyLeft})
	}
	if drawn := ansi.Strip(f.Draw(looks, 12)); !strings.HasPrefix(drawn, "start") {
		t.Errorf("at the beginning: %q", drawn)
	}
}
