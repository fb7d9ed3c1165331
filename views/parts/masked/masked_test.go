package masked_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/masked"
	"tarmac/views/parts/table"
)

func looks(on bool) theme.Theme {
	t := theme.New(true)
	t.Masked = on
	return t
}

func TestAQuestionIsAskedOnlyWhileAmountsAreMasked(t *testing.T) {
	done := 0
	do := func() tea.Cmd { done++; return views.Tell("done") }
	q := masked.NewQuestion()
	if cmd := q.Ask(looks(false), "Export", "the file", do); cmd == nil || done != 1 || q.Open() {
		t.Fatal("what is not masked is asked about")
	}
	for _, c := range []struct {
		key  string
		done int
		open bool
	}{{"x", 1, true}, {"enter", 1, true}, {"n", 1, false}, {"y", 1, false}} {
		if c.key == "x" {
			q.Ask(looks(true), "Export", "the file", do)
		}
		if q.Press(sample.Press(c.key)); done != c.done || q.Open() != c.open {
			t.Errorf("after %s it was done %d times, and the question is open: %v", c.key, done, q.Open())
		}
	}
	q.Ask(looks(true), "Export", "the file", do)
	const question = "! Amounts are hidden; the file will show them. Export anyway?"
	if line := ansi.Strip(q.Draw()); !strings.HasPrefix(line, question) {
		t.Errorf("it asks %q", line)
	}
	if cmd := q.Press(sample.Press("y")); cmd == nil || done != 2 || q.Open() {
		t.Error("yes does not do it")
	}
	q.Ask(looks(true), "Export", "the file", do)
	if q.Press(sample.Press("esc")); q.Open() || done != 2 {
		t.Error("esc is no answer")
	}
}

func TestWhatHasNoAmountIsCopiedUnasked(t *testing.T) {
	q := masked.NewQuestion()
	if got := q.Copy(looks(true), "the id", "inv_1")(); got != (views.Copy{What: "the id", Text: "inv_1"}) {
		t.Errorf("%#v", got)
	}
	if cmd := q.Copy(looks(true), "the amount", "$1.50"); cmd != nil || !q.Open() {
		t.Fatal("an amount is copied unasked")
	}
	if got := q.Press(sample.Press("y"))(); got != (views.Copy{What: "the amount", Text: "$1.50", Unmasked: true}) {
		t.Errorf("%#v", got)
	}
}

func TestFieldsAreMaskedLineByLine(t *testing.T) {
	fields := func() []table.Field {
		return []table.Field{{Label: "Total", Text: "1,234.56 USD"}, {Text: "{\n  \"amount_cents\": 12500,\n  \"id\": 7\n}"}}
	}
	if got := masked.Fields(looks(false), fields()); got[0].Text != "1,234.56 USD" {
		t.Errorf("unmasked it is %q", got[0].Text)
	}
	got := masked.Fields(looks(true), fields())
	if got[0].Text != "••• USD" || got[1].Text != "{\n  \"amount_cents\": •••,\n  \"id\": 7\n}" {
		t.Errorf("%+v", got)
	}
}
