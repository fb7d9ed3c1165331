package panel_test

import (
	"errors"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/resource"
	"tarmac/theme"
	"tarmac/views/parts/panel"
)

func TestANoteIsCutBetweenWords(t *testing.T) {
	for width, want := range map[int]string{
		32: "╭─ Months ─ updated 12:00 UTC ─╮",
		30: "╭─ Months ── updated 12:00… ─╮",
		28: "╭─ Months ─────────────────╮",
	} {
		frame := panel.Frame{
			Title: "Months", Note: "updated 12:00 UTC", Width: width, Height: 4,
			Body: func(int, int) []string { return nil },
		}
		lines := panel.Draw(theme.New(true), frame, resource.State{Status: resource.Ready}, noon)
		if got := ansi.Strip(lines[0]); got != want {
			t.Errorf("in %d columns %q, want %q", width, got, want)
		}
	}
}

func TestANoteLosesWholePartsFirst(t *testing.T) {
	for width, want := range map[int]string{
		60: "╭─ Bills ────── before part payments · days are estimates ─╮",
		50: "╭─ Bills ───────────────── before part payments ─╮",
		32: "╭─ Bills ─────── before part… ─╮",
	} {
		frame := panel.Frame{
			Title: "Bills", Note: "before part payments · days are estimates", Width: width, Height: 4,
			Body: func(int, int) []string { return nil },
		}
		lines := panel.Draw(theme.New(true), frame, resource.State{Status: resource.Ready}, noon)
		if got := ansi.Strip(lines[0]); got != want {
			t.Errorf("in %d columns %q, want %q", width, got, want)
		}
	}
}

func TestAFigureInATitleIsNeverCut(t *testing.T) {
	for width, want := range map[int]string{
		44: "╭─ Owed to us $9,007,199,254,740.93 ° ─────╮",
		38: "╭─ Owed to us $9.01T ° ──────────────╮",
		25: "╭─ Owed to us $9.01T ° ─╮",
		24: "╭─ Owed to us… ° ──────╮",
	} {
		frame := panel.Frame{
			Title: "Owed to us $9,007,199,254,740.93", Briefs: []string{"Owed to us $9.01T"}, Marked: true,
			Width: width, Height: 4, Body: func(int, int) []string { return nil },
		}
		lines := panel.Draw(theme.New(true), frame, resource.State{Status: resource.Ready}, noon)
		if got := ansi.Strip(lines[0]); got != want {
			t.Errorf("in %d columns %q, want %q", width, got, want)
		}
	}
}

func TestTheNoticeOfStaleFiguresIsShortenedByParts(t *testing.T) {
	var r resource.Resource[int]
	settle(&r, 7, resource.Ready, nil, noon)
	at := noon.Add(2 * time.Minute)
	settle(&r, 0, resource.Ready, errors.New("broken"), at)

	for room, want := range map[int]string{
		40: "stale, 2m old: broken · retry in 4s", 34: "stale, 2m old: broken", 20: "stale, 2m old", 12: "stale",
	} {
		if got := panel.NoticeWithin(r.State(), at, room); got != want {
			t.Errorf("in %d cells %q, want %q", room, got, want)
		}
	}
}
