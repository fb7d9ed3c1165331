package books

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var update = sample.UpdateFlag()

func states(t testing.TB) map[string]*fixture {
	broken := errors.New("the books are in use by another program")
	question := func(b *bank) {
		b.question = &ownbooks.Question{
			Name: "open.csv", Reason: `"03/04/2026" may be 2026-04-03 or 2026-03-04`, Flag: "--date-format",
			Choices: []string{"dmy", "mdy"},
		}
	}
	out := map[string]*fixture{
		"list":      open(t),
		"empty":     open(t, func(b *bank) { b.contents = emptyBooks() }),
		"no-lines":  open(t, func(b *bank) { b.contents.Accounts = nil }),
		"failed":    open(t, func(b *bank) { b.fail = broken }),
		"read-only": openAs(t, views.Env{ReadOnly: true}),
		"hostile":   open(t, hostile),
	}
	for name, keys := range map[string][]string{
		"contradiction": {"down"}, "import": {"tab", "down"}, "account-open": {"down", "enter"}, "prompt": {"n"},
		"undo": {"tab", "u"},
	} {
		out[name] = open(t)
		out[name].press(keys...)
	}
	out["completing"] = open(t)
	out["completing"].press("n")
	out["completing"].write("s")
	out["completing"].press("tab")
	for name, change := range map[string]func(*bank){
		"preview": func(*bank) {}, "question": question,
		"preview-residual": residual,
		"preview-damaged":  func(b *bank) { b.report.Files[1].Error = "line 17: the file is cut short" },
		"preview-files":    residual,
		"preview-lines":    residual,
		"preview-nothing":  func(b *bank) { b.report.Files = b.report.Files[:0] },
		"preview-hostile":  hostile,
	} {
		out[name] = open(t, change)
		out[name].named()
	}
	out["preview-files"].press("enter")
	out["preview-lines"].press("enter", "enter")
	running := open(t)
	running.named()
	running.bank.wait = func(ctx context.Context) { <-ctx.Done() }
	running.Update(sample.Press("y"))
	out["importing"] = running
	out["imported"] = open(t)
	out["imported"].named()
	out["imported"].press("y")
	for name, keys := range map[string][]string{
		"asks": nil, "asks-first": {"a"}, "asks-selected": {"a", "2"}, "asks-second": {"a", "1", "enter"},
		"asks-answered": {"a", "1", "enter", "2", "enter"},
	} {
		out[name] = open(t, questioning)
		out[name].press(keys...)
	}
	storing := open(t, questioning)
	storing.press("a", "2")
	storing.Update(sample.Press("enter"))
	out["asks-storing"] = storing
	out["asks-hostile"] = open(t, hostileQuestions)
	out["asks-hostile"].press("a", "1")
	stale := open(t)
	stale.bank.fail = broken
	stale.run(stale.Update(views.Refresh{}))
	out["stale"] = stale
	return out
}

// residual lets a file contradict itself.
func residual(b *bank) {
	f := &b.report.Files[0]
	f.Problems = []string{"…4821 does not add up from 2026-09-30 to 2026-10-31: -120.00 is missing between the balances"}
	f.Statements[0].Contradiction, f.Statements[0].Reason = true, f.Problems[0]
}

// hostile fills the books with the worst text that passes the cleaning.
func hostile(b *bank) {
	endless := strings.Repeat("日本e\u0301", 80)
	const huge = int64(1<<63 - 1)
	a := &b.contents.Accounts[0]
	a.Number, a.Bank, a.Name, a.Role, a.Currency = endless, endless, endless, endless, endless
	a.Balance, a.PendingMinor = ptr(-huge), huge
	b.contents.Imports[1].ID, b.contents.Imports[1].New = endless, int(huge)
	b.contents.Imports[1].Files = []ownbooks.ImportedFile{{Name: endless, Format: endless}}
	f := &b.report.Files[0]
	f.Name, f.Format, f.Problems, f.Statements[0].Account = endless, endless, []string{endless}, endless
	f.Statements[0].InMinor, f.Statements[0].Closing, f.Statements[0].Lines = huge, ptr(-huge), int(huge)
}

// hostileQuestions does for questions what the function hostile does for accounts and files.
func hostileQuestions(b *bank) {
	questioning(b)
	endless := strings.Repeat("日本e\u0301", 80)
	q := &b.open[0]
	q.Text, q.Meanwhile = endless, endless
	q.Choices[0] = ownbooks.Choice{Answer: endless, Text: endless, Changes: endless}
	b.contents.Questions = int(1<<63 - 1)
}

func TestEverySizeIsFilledExactlyInEveryState(t *testing.T) {
	for name, d := range states(t) {
		for width := 0; width <= 250; width += step(width) {
			for height := 0; height <= 60; height += step(height) {
				d.SetSize(width, height)
				sample.CheckSize(t, d.View(), width, height)
			}
		}
		if t.Failed() {
			t.Fatalf("in the state %s", name)
		}
	}
}

func step(n int) int { return 1 + n/6 }

func TestGoldenScreens(t *testing.T) {
	for name, d := range states(t) {
		for _, size := range [][2]int{{120, 37}, {80, 21}, {40, 9}} {
			d.SetSize(size[0], size[1])
			sample.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), d.View(), *update)
		}
	}
}

func TestALongPreviewScrolls(t *testing.T) {
	d := open(t, func(b *bank) {
		b.report.Files = b.report.Files[:1]
		for n := range 60 {
			f := b.report.Files[0]
			f.Statements = []ownbooks.Statement{f.Statements[0]}
			f.Statements[0].Key, f.Statements[0].Account = int64(n+1), fmt.Sprintf("…%04d", n+1)
			b.report.Files = append(b.report.Files, f)
		}
	})
	d.named()
	d.SetSize(80, 21)
	d.shows("61 files: ", "…4821", "Import 61 files?")
	d.hides("…0060")

	d.press("G")

	d.shows("…0060", "Import 61 files?")
	d.hides("61 files: ")
	d.press("g")
	d.shows("61 files: ", "…4821")
}

func TestAnAccountOfThePreviewOpensItsFiles(t *testing.T) {
	d := open(t, func(b *bank) {
		first := &b.report.Files[0]
		again := *first
		again.Name, again.Statements = "/home/ada/Downloads/november.qfx", []ownbooks.Statement{first.Statements[0]}
		s := &again.Statements[0]
		s.First, s.Last, s.Lines, s.New, s.Known = day("2026-11-01"), day("2026-11-20"), 10_000, 9_000, 1_000
		s.Contradiction, s.Reason, s.Closing = true, "…4821 does not add up", ptr(int64(62411550))
		again.Problems = []string{s.Reason}
		card := ownbooks.Statement{Key: 7, Account: "…9016", Currency: "USD", Lines: 3, Known: 3}
		first.Statements = append([]ownbooks.Statement{card}, first.Statements...)
		b.report.Files = append(b.report.Files, again)
	})
	d.named()
	d.SetSize(100, 30)

	// The account that contradicts itself comes first, with the sums of its two files.
	d.shows("✕ november.qfx: …4821 does not add up Compare these days",
		"✕ …4821 2 2026-10-01 to 2026-11-20 10,054 9,034",
		"624,115.50 USD …9016 1 — 3 0 — 39 open invoices 1")
	if strings.Count(d.flat(), "does not add up") != 1 {
		t.Errorf("it says twice what does not add up:\n%s", d.flat())
	}
	d.press("enter")
	d.shows("2 files: 10,054 lines", "statement.qfx 54", "november.qfx 10,000",
		"736,598.57", "[2 Check]")
	d.hides("…9016")
	d.press("esc", "down", "enter")
	d.shows("1 file: 3 lines, 0 new, 3 known", "statement.qfx 3 0")
	d.press("esc", "down", "enter")
	d.shows("39 open invoices", "y imports them anyway")
}

func TestAFileOfThePreviewOpensItsLines(t *testing.T) {
	d := open(t, func(b *bank) {
		known := b.report.Files[0]
		known.Name, known.Statements = "/home/ada/Downloads/again.qfx", slices.Clone(known.Statements)
		known.Statements[0].Read = nil
		b.report.Files = append(b.report.Files, known)
	})
	d.named()
	d.press("enter", "enter")

	d.shows("statement.qfx", "The first 3 of 56 lines", "2026-10-02 +12,500.00 USD Osprey Analytics · INV-000248",
		"pending · a charge", "[2 Check]")

	hidden := theme.New(true)
	hidden.Masked = true
	d.SetTheme(hidden)
	d.hides("12,500.00", "18.20", "145.36")
	d.press("y", "esc", "down", "enter")
	d.shows("again.qfx", "imported before")
	d.hides("Osprey")
	d.press("esc", "esc")
	d.shows("Import 3 files?")
	if calls := d.current(); strings.Contains(calls, "import") {
		t.Errorf("a key of the lines imported: %s", calls)
	}
}

func TestAPreviewWithoutNewsSaysSo(t *testing.T) {
	d := open(t, func(b *bank) {
		b.report.Files = b.report.Files[:1]
		s := &b.report.Files[0].Statements[0]
		s.New, s.Known, s.Changed, s.Pending = 0, 54, 0, 0
	})
	d.named()
	d.shows("Nothing new: the books have all these lines.", "Import 1 file?")
}

func TestCountsAndAmountsOfAPreviewAreWhole(t *testing.T) {
	d := open(t, func(b *bank) {
		s := &b.report.Files[0].Statements[0]
		s.Lines, s.New, s.InMinor, s.OutMinor = 300_000, 299_999, 123_743_594_412, 123_755_903_705
	})
	d.SetSize(100, 21)

	d.named()
	d.press("enter")

	d.shows("300,000", "299,999", "1,237,435,944.12", "1,237,559,037.05")
}
