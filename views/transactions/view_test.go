package transactions

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/export"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var update = sample.UpdateFlag()

// states returns the screen in each of its states.
func states(t *testing.T) map[string]*fixture {
	out := map[string]*fixture{
		"list":     open(t, 500),
		"empty":    open(t, 0),
		"detail":   open(t, 30),
		"typing":   open(t, 30),
		"filtered": open(t, 300),
	}
	out["detail"].press("enter")
	out["typing"].press("f")
	out["typing"].write("nonsense")
	out["typing"].press("enter")
	out["filtered"].press("d", "/")
	out["filtered"].write("株式会社")
	out["filtered"].press("enter", "down", "down")
	out["place"], out["copy"], out["export"], out["exporting"] = open(t, 30), open(t, 30), open(t, 30), open(t, 30)
	out["place"].press("t")
	out["place"].write("half way")
	out["place"].press("enter")
	out["copy"].press("j", "y")
	out["export"].Env.Places.Documents = "/home/ann/Downloads"
	out["export"].press("e")
	out["exporting"].exports.running = &exporting{progress: export.Progress{Rows: 12_400, Total: 1_000_000}, waiting: true}
	inside := read(t, million())
	inside.to(t, "row 612,004")
	out["inside"] = &fixture{t: t, Screen: inside.Screen}
	way := read(t, million())
	way.Update(press("G"))
	out["way"] = &fixture{t: t, Screen: way.Screen}
	stale := open(t, 500)
	stale.server.fail = errors.New("the server cannot be reached")
	stale.press("G")
	out["stale"] = stale
	failed := open(t, 500)
	failed.server.fail = errors.New("the server cannot be reached")
	failed.press("d")
	out["failed"] = failed
	out["sorted"], out["reading"] = unsorted(t, 300), unsorted(t, 1100)
	out["sorted"].press("S")
	out["reading"].Update(out["reading"].Update(press("S"))())
	return out
}

func TestEverySizeInEveryState(t *testing.T) {
	for name, d := range states(t) {
		t.Run(name, func(t *testing.T) { sample.CheckAllSizes(t, d) })
	}
}

func TestGoldenScreens(t *testing.T) {
	for name, d := range states(t) {
		for _, size := range [][2]int{{120, 20}, {80, 14}, {40, 9}} {
			d.SetSize(size[0], size[1])
			sample.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), d.View(), *update)
		}
	}
}

func BenchmarkStepAndView(b *testing.B) {
	src := &server{}
	src.insert(0, 8000)
	clock := &clock{at: time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)}
	s := New(views.Env{
		Context: b.Context(), Now: clock.now, Timeout: time.Minute, Theme: theme.New(true),
		Snapshot: snapshot.New(b.Context(), src, snapshot.Options{Now: clock.now, Timeout: time.Minute}),
	}, src)
	s.SetSize(120, 37)
	for cmd := s.Init(); cmd != nil; {
		cmd = s.Update(cmd())
	}
	for range 38 {
		for cmd := s.Update(press("G")); cmd != nil; {
			cmd = s.Update(cmd())
		}
	}
	s.Update(press("g"))
	b.ReportAllocs()
	for b.Loop() {
		for cmd := s.Update(press("down")); cmd != nil; {
			cmd = s.Update(cmd())
		}
		if s.View() == "" {
			b.Fatal("nothing drawn")
		}
	}
}

func TestMaskedNoAmountIsSeen(t *testing.T) {
	for name, d := range states(t) {
		t.Run(name, func(t *testing.T) {
			sample.CheckMasked(t, d, 123_456, 1_500_000, 123_456_789, 23_456_789, 100_000_000)
		})
	}
}

func TestMaskedAmountsAreAskedAboutBeforeTheyLeave(t *testing.T) {
	d := open(t, 30)
	looks := theme.New(true)
	looks.Masked = true
	d.SetTheme(looks)
	d.press("e")
	d.says("Amounts are hidden; the file will show them. Export anyway?")
	if !d.Typing() || d.input.Typing() {
		t.Fatal("the file is asked for before the answer")
	}
	d.press("x", "n")
	if d.Typing() {
		t.Fatal("no is no answer")
	}
	d.press("e", "y")
	if !d.input.Typing() {
		t.Error("yes does not go on to the file")
	}
	d.press("esc")
	copied := func(keys ...string) tea.Msg {
		var cmd tea.Cmd
		for _, k := range keys {
			cmd = d.Update(press(k))
		}
		if cmd == nil {
			return nil
		}
		return cmd()
	}
	if got, ok := copied("y", "y").(views.Copy); !ok || got.Text != d.server.ids[0] {
		t.Errorf("an id is not copied at once: %#v", got)
	}
	if got := copied("y", "t"); got != nil {
		t.Errorf("%v is copied unasked", got)
	}
	got, ok := copied("y").(views.Copy)
	if !ok || !got.Unmasked || !strings.Contains(got.Text, "1,234.56") {
		t.Errorf("after yes %#v is copied", got)
	}
	if copied("y", "t"); !d.Back() || d.Typing() {
		t.Error("esc does not leave the question")
	}
}
