package events

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tarmac/apiclient"
	"tarmac/theme"
	"tarmac/views/parts/table"
)

func TestKeysOfTheEnvelopeStandOut(t *testing.T) {
	for line, want := range map[string]struct {
		lead table.Lead
		text string
	}{
		`  "number": "INV-1",`:   {table.Lead{Text: `  "number": `}, `"INV-1",`},
		`  "a\": b": 12,`:        {table.Lead{Text: `  "a\": b": `, Cut: true}, `12,`},
		`"data": {`:              {table.Lead{Text: `"data": `, Cut: true}, `{`},
		`    "an item: of two",`: {table.Lead{Text: `    `}, `"an item: of two",`},
		`}`:                      {text: `}`},
		`"unclosed`:              {text: `"unclosed`},
		``:                       {},
	} {
		got := memberField(line, table.Ink{})
		if got.Lead == nil {
			got.Lead = &table.Lead{}
		}
		if *got.Lead != want.lead || got.Text != want.text {
			t.Errorf("%s: %+v, %q; want %+v, %q", line, *got.Lead, got.Text, want.lead, want.text)
		}
	}
}

// Characters that control a terminal appear as escapes, as in the output of the commands.
func TestTheEnvelopeIsVisibleJSON(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 5e8, time.UTC)
	e := apiclient.Event{
		ID:         "evt_<1>",
		Type:       "new.kind",
		Version:    2,
		OccurredAt: at,
		Data:       json.RawMessage("{\"a\":\"x\u202ey & \\u001b[31m\",\"n\":1.50e2}"),
	}
	text, ok := envelope(&e)
	want := "{\n  \"id\": \"evt_<1>\",\n  \"type\": \"new.kind\",\n  \"version\": 2,\n" +
		"  \"occurred_at\": \"2026-11-20T12:00:00.5Z\",\n" +
		"  \"data\": {\n    \"a\": \"x\\u202ey & \\u001b[31m\",\n    \"n\": 1.50e2\n  }\n}"
	if !ok || text != want {
		t.Errorf("%t\n%s\nnot\n%s", ok, text, want)
	}
	for name, e := range map[string]apiclient.Event{
		"not kept": {ID: "evt_1", Omitted: 70_000},
		"cut":      {ID: "evt_1", Data: json.RawMessage(`[` + strings.Repeat(`1,`, 30_000) + `1]`)},
		"broken":   {ID: "evt_1", Data: json.RawMessage(`{"a":`)},
	} {
		if _, ok := envelope(&e); ok {
			t.Errorf("what is %s is shown as whole", name)
		}
	}
}

// For any event and search, every line fits the pane, and wrapped text is complete.
func TestThePaneLosesNothing(t *testing.T) {
	dark := theme.New(true)
	words := rapid.StringOf(rapid.RuneFrom([]rune(`ab ":{[,株é<&1`)))
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(
			map[string]any{words.Draw(t, "key"): words.Draw(t, "value"), "total_cents": rapid.Int64().Draw(t, "cents")},
		)
		if err != nil {
			t.Fatal(err)
		}
		e := apiclient.Event{ID: "evt_1", Type: "new.kind", OccurredAt: time.Unix(0, 0), Data: data}
		text, _ := envelope(&e)
		width := rapid.IntRange(60, 120).Draw(t, "width")
		p := table.Detail{}
		p.SetTheme(dark)
		p.Highlight(rapid.SampledFrom([]string{"", "a", `": "`, "株", "cents"}).Draw(t, "search"))
		p.SetSize(width, 400)
		var lines []table.Field
		for l := range strings.SplitSeq(text, "\n") {
			lines = append(lines, memberField(l, table.Ink{}))
		}
		p.Show("Event", lines)
		var drawn strings.Builder
		for _, l := range p.Lines() {
			if ansi.StringWidth(l) != width {
				t.Fatalf("a line of %d cells of %d", ansi.StringWidth(l), width)
			}
			drawn.WriteString(strings.Trim(ansi.Strip(l), "│"))
		}
		dense := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if got := dense(drawn.String()); !strings.Contains(got, dense(text)) {
			t.Fatalf("%s is not all of\n%s", got, text)
		}
	})
}

func TestWhatIsFoundIsMarkedAcrossKeyAndValue(t *testing.T) {
	dark := theme.New(true)
	p := table.Detail{}
	p.SetTheme(dark)
	p.SetSize(60, 5)
	mark, names := table.NewInk(dark.Highlight), newInks(dark).key
	p.Show("Event", []table.Field{memberField(`  "number": "INV-1"`, names)})
	p.Highlight(`er": "in`)
	if want := names.Render(`  "numb`) + mark.Render(`er": "IN`) + `V-1"`; !strings.Contains(
		strings.Join(p.Lines(), "\n"),
		want,
	) {
		t.Errorf("it is not marked in %q", p.Lines())
	}
}

// A number wrapped over two lines would read as two numbers, and the second half would not be
// masked as part of an amount.
func TestANumberStaysOnTheLineOfItsKey(t *testing.T) {
	d := open(t, 9)
	d.press("enter")
	alone := regexp.MustCompile(`(?m)^[│ ]*[0-9]+,?[│ ]*$`)
	for width := 24; width < 100; width++ {
		d.SetSize(width, 40)
		text := d.text()
		if alone.MatchString(text) || width >= 36 && !strings.Contains(text, `"total_cents": 123456,`) {
			t.Errorf("at %d columns:\n%s", width, text)
		}
	}
}

func TestALongKeyIsBrokenToo(t *testing.T) {
	p := table.Detail{}
	p.SetTheme(theme.New(true))
	p.SetSize(24, 12)
	p.Show("Event", []table.Field{
		memberField(`  "株式会社株式会社株式会社": "a b"`, table.Ink{}),
		memberField(`  "exactly as wide": "value"`, table.Ink{}),
	})
	text := ansi.Strip(strings.Join(p.Lines(), "\n"))
	for _, want := range []string{
		`│   "株式会社株式会社  │`, `│   株式会社":         │`, `│     "a b"            │`,
		`│   "exactly as wide": │`, `│     "value"          │`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
