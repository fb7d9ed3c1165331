package runway_test

import (
	"fmt"
	"testing"
	"time"

	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/runway"
)

var update = sample.UpdateFlag()

func newScreen(data *snapshot.Snapshot) *runway.Screen {
	return runway.New(views.Env{Snapshot: data, Now: func() time.Time { return sample.Now }, Theme: theme.New(true)}, nil)
}

func TestPictures(t *testing.T) {
	s := newScreen(sample.New().Snapshot(t))
	for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}, {40, 9}} {
		s.SetSize(size[0], size[1])
		sample.CheckSize(t, s.View(), size[0], size[1])
		sample.Golden(t, fmt.Sprintf("%dx%d", size[0], size[1]), s.View(), *update)
	}
}

func TestEverySizeIsFilledExactlyInEveryState(t *testing.T) {
	for name, data := range sample.States(t) {
		t.Run(name, func(t *testing.T) { sample.CheckAllSizes(t, newScreen(data)) })
	}
}

func BenchmarkDraw(b *testing.B) {
	s := newScreen(sample.New().Snapshot(b))
	for b.Loop() {
		s.SetSize(120, 37)
		s.View()
	}
}

func BenchmarkViewUnchanged(b *testing.B) {
	s := newScreen(sample.New().Snapshot(b))
	s.SetSize(120, 37)
	for b.Loop() {
		s.View()
	}
}

func TestMaskedNoAmountIsSeen(t *testing.T) {
	sample.CheckMasked(t, newScreen(sample.New().Snapshot(t)), sample.New().Amounts()...)
}
