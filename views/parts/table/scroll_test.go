package table

import (
	"testing"

	"pgregory.net/rapid"
)

// Every operation leaves a valid window.
func TestTheCursorIsAlwaysOnARowThatIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := window{n: rapid.IntRange(0, 300).Draw(t, "rows")}.resized(rapid.IntRange(0, 40).Draw(t, "height"))
		for range rapid.IntRange(1, 30).Draw(t, "moves") {
			rows := rapid.IntRange(-400, 400).Draw(t, "by")
			switch rapid.IntRange(0, 4).Draw(t, "move") {
			case 0:
				w = w.step(rows)
			case 1:
				w = w.page(rows)
			case 2:
				w = w.resized(rows)
			case 3:
				w = w.shifted(rows)
			case 4:
				w.n = max(0, rows)
				w = w.clamped()
			}
			if w.n < 0 || w.height < 1 || w.cursor < 0 || (w.n > 0 && w.cursor >= w.n) || (w.n == 0 && w.cursor != 0) {
				t.Fatalf("the cursor is on no row: %+v", w)
			}
			if w.cursor < w.top || w.cursor >= w.top+w.height {
				t.Fatalf("the cursor is not seen: %+v", w)
			}
			if w.top < 0 || w.top > max(0, w.n-w.height) {
				t.Fatalf("lines are left empty: %+v", w)
			}
		}
	})
}

func TestAStepAtTheEdgeScrollsOneLine(t *testing.T) {
	w := window{n: 100}.resized(10).step(9)
	if w.top != 0 {
		t.Fatalf("the last line is reached without scrolling, but top is %d", w.top)
	}
	if w = w.step(1); w.top != 1 {
		t.Errorf("a step past the last line scrolls to %d", w.top)
	}
	if w = w.step(-9); w.top != 1 {
		t.Errorf("steps inside the screen scroll to %d", w.top)
	}
	if w = w.step(-1); w.top != 0 {
		t.Errorf("a step past the first line scrolls to %d", w.top)
	}
}

func TestRowsComingInAboveMoveNothing(t *testing.T) {
	w := window{n: 100}.resized(10).step(50)
	s := w.shifted(7)
	if s.cursor-s.top != w.cursor-w.top || s.cursor != w.cursor+7 || s.n != 107 {
		t.Errorf("%+v became %+v", w, s)
	}
}
