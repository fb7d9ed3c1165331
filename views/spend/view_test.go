package spend_test

import (
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
)

func TestPictures(t *testing.T) {
	r := open(t, nil)
	for _, c := range []struct {
		name string
		keys []string
	}{
		{"counterparties", nil}, {"recurring", []string{"]"}}, {"changes", []string{"]"}},
		{"rows", []string{"enter"}}, {"details", []string{"enter"}},
	} {
		r.press(c.keys...)
		for _, size := range [][2]int{{200, 57}, {120, 37}, {80, 21}} {
			r.SetSize(size[0], size[1])
			sample.CheckSize(t, r.View(), size[0], size[1])
			sample.Golden(t, fmt.Sprintf("%s-%dx%d", c.name, size[0], size[1]), r.View(), *update)
		}
	}
}

func TestEverySizeIsFilledExactlyInEveryState(t *testing.T) {
	states := map[string]*rig{
		"nothing read": newRig(t, nil),
		"ready":        open(t, nil),
		"no rows":      open(t, only(func(apiclient.Transaction) bool { return false })),
		"one row":      open(t, oneRow),
		"failed":       open(t, func(o *sample.Organization) { o.Break(errBroken) }),
		"hostile":      open(t, func(o *sample.Organization) { o.Hostile() }),
	}
	reading := newRig(t, nil)
	reading.read(5)
	states["reading"] = reading
	for name, r := range states {
		t.Run(name, func(t *testing.T) {
			sample.CheckAllSizes(t, r)
			if name != "ready" {
				return
			}
			for _, keys := range [][]string{{"]"}, {"]"}, {"enter"}, {"enter"}, {"/"}} {
				r.press(keys...)
				sample.CheckAllSizes(t, r)
			}
		})
	}
}

func TestMaskedNoAmountShareOrBarIsSeen(t *testing.T) {
	r := open(t, nil)
	var amounts []int64
	for _, row := range r.org.Rows {
		if cents, known := row.Reporting.Minor(); known {
			amounts = append(amounts, cents, cents*3, cents*6, cents*12)
		}
	}
	for _, keys := range [][]string{nil, {"]"}, {"]"}, {"enter"}, {"enter"}} {
		r.press(keys...)
		sample.CheckMasked(t, r, amounts...)
		looks := theme.New(true)
		looks.Masked = true
		r.SetTheme(looks)
		for _, width := range []int{80, 200} {
			r.SetSize(width, 40)
			if text := sample.Text(r); strings.ContainsAny(text, "▁▂▃▄▅▆▇█%") {
				t.Errorf("a share or a bar is seen:\n%s", text)
			}
		}
		r.SetTheme(theme.New(true))
	}
}
