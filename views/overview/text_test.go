package overview_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

func TestTheFiguresAreCopiedWithLabelsAndWhenTheyAreFrom(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	s.SetSize(40, 9)
	copied, ok := s.Update(sample.Press("y"))().(views.Copy)
	if !ok || copied.What != "the figures" {
		t.Fatalf("copied %+v", copied)
	}
	for _, want := range []string{
		"Balance, synced 2026-", "\n  Available: $", "\n  Organization: org_1\n",
		"\nRunway, as of 2026-", "\n  Cash on hand: $", " months (",
		"\n  Zero-cash (est.): ~20",
		"\n  Overdue: ≥$213,851.49 (~34.1%)\n", "\n  Over 90 days: ≥$", "\nMoney in and out by month, USD, updated 2026-",
		" so far: in $",
	} {
		if !strings.Contains(copied.Text, want) {
			t.Errorf("it lacks %q:\n%s", want, copied.Text)
		}
	}
	if strings.ContainsAny(copied.Text, "\x1b\t") {
		t.Errorf("it is not plain: %q", copied.Text)
	}
}

func TestEachStateIsCopiedAsWhatItIs(t *testing.T) {
	for name, want := range map[string]string{"stale": "stale, ", "failed": "", "loading": "", "empty": ""} {
		s := newScreen(sample.States(t)[name])
		s.SetSize(120, 37)
		cmd := s.Update(sample.Press("y"))
		if want == "" {
			if cmd != nil {
				t.Errorf("%s: something was copied", name)
			}
			continue
		}
		if got, _ := cmd().(views.Copy); !strings.Contains(got.Text, want) {
			t.Errorf("%s: it lacks %q:\n%s", name, want, got.Text)
		}
	}
}

func TestMaskedFiguresAreAskedAboutBeforeTheyAreCopied(t *testing.T) {
	s, looks := newScreen(sample.New().Snapshot(t)), theme.New(true)
	looks.Masked = true
	s.SetTheme(looks)
	s.SetSize(80, 21)
	if s.Update(sample.Press("y")) != nil || !s.State().Typing ||
		!strings.Contains(ansi.Strip(s.View()), "the clipboard will show them") {
		t.Fatalf("it does not ask:\n%s", ansi.Strip(s.View()))
	}
	sample.CheckSize(t, s.View(), 80, 21)
	if s.Update(sample.Press("n")) != nil || s.State().Typing {
		t.Error("n copies")
	}
	s.Update(sample.Press("y"))
	if got, _ := s.Update(sample.Press("y"))().(views.Copy); !got.Unmasked {
		t.Error("y does not copy")
	}
	s.Update(sample.Press("y"))
	if !s.Back() || s.State().Typing {
		t.Error("esc does not leave it")
	}
}
