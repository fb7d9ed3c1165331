package ui

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"tarmac/internal/testsupport/long"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// states returns a dashboard for every state of the screens.
func states() map[string]func(*testing.T) *dashboard {
	return map[string]func(*testing.T) *dashboard{
		"loading":   func(t *testing.T) *dashboard { d, _ := connect(t, healthy()); return d },
		"ready":     func(t *testing.T) *dashboard { return open(t, healthy()) },
		"empty":     func(t *testing.T) *dashboard { return open(t, empty()) },
		"own books": func(t *testing.T) *dashboard { d, _ := openOwn(t); return d },
		"stale": func(t *testing.T) *dashboard {
			d := open(t, healthy())
			d.api.fail = errRefused
			d.press("r")
			return d
		},
		"failed": func(t *testing.T) *dashboard {
			a := healthy()
			a.fail = errRefused
			return open(t, a)
		},
		"not allowed": func(t *testing.T) *dashboard {
			a := healthy()
			a.status = http.StatusForbidden
			return open(t, a)
		},
	}
}

// Every screen fits every window size in every state.
func TestGeometry(t *testing.T) {
	if testing.Short() {
		t.Skip("draws frames, one after the other")
	}
	for name, reach := range states() {
		t.Run(name, func(t *testing.T) {
			d := reach(t)
			for _, p := range d.session.pages {
				d.reach(p)
				sweep(t, d, name+" "+p.Name)
			}
			d.press("?")
			sweep(t, d, name+" help")
			d.press("?", "*", ":")
			sweep(t, d, name+" palette")
		})
	}
}

// sweep draws at sizes from 1x1 to 250x60, in small steps for small sizes. Long tests and
// TARMAC_SWEEP=all draw every size, which takes minutes.
func sweep(t *testing.T, d *dashboard, what string) {
	t.Helper()
	sparse := 3
	switch {
	case long.Tests, os.Getenv("TARMAC_SWEEP") == "all":
		sparse = 0
	case testing.Short():
		sparse = 4
	}
	for width := 1; width <= 250; width += 1 + sparse*width/12 {
		for height := 1; height <= 60; height += 1 + sparse*height/6 {
			d.Update(tea.WindowSizeMsg{Width: width, Height: height})
			lines := strings.Split(d.render(), "\n")
			if len(lines) != height {
				t.Fatalf("%s at %dx%d: %d lines", what, width, height, len(lines))
			}
			for i, line := range lines {
				if w := ansi.StringWidth(line); w > width {
					t.Fatalf("%s at %dx%d: line %d is %d cells wide: %q", what, width, height, i, w, ansi.Strip(line))
				}
			}
		}
	}
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
}
