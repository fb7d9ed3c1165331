package ui

import (
	"testing"
)

func TestEscapeLeadsBackThroughThePages(t *testing.T) {
	d := open(t, healthy())
	d.press("4", "2", "6", "6")
	for _, want := range []int{1, 3, 0, 0} {
		d.press("esc")
		if d.session.active != want {
			t.Fatalf("esc led to page %d, want %d", d.session.active, want)
		}
	}
}
