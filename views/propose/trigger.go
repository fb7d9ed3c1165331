package propose

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A key that is held down repeats after half a second or so, then thirty times a
// second or, as some systems are set, only twice. Presses closer together than
// tooQuick are no second thought; a press is only believed once steady has passed
// without the next, and after a key that was held down only once it was let go.
const (
	tooQuick = 300 * time.Millisecond
	steady   = 550 * time.Millisecond
	letGo    = steady + 100*time.Millisecond
	// armedFor is how long a first press waits for the second.
	armedFor = 10 * time.Second
)

// action is what takes two presses.
type action int

const (
	propose action = iota + 1 // send the proposal
	again                     // send it again, under the same key
	isThere                   // the invoice under the cursor is the one
)

// trigger makes an action take two presses of its key, with nothing between them,
// neither in haste nor by holding the key down.
type trigger struct {
	what  action // that is armed; 0 for none
	since time.Time
	last  time.Time // of the last press of any trigger key
	shot  uint64    // numbers the second presses
	drawn bool      // the second press came, and must only prove steady
	held  bool      // the last one was no press but a key held down
}

// fired says that a second press has proved steady.
type fired struct {
	what action
	shot uint64
}

// armed reports whether a first press is waiting for the second.
func (t *trigger) armed(now time.Time) bool { return t.what != 0 && now.Sub(t.since) < armedFor }

// release makes the next press a first one.
func (t *trigger) release() { t.what, t.drawn = 0, false }

// press takes a press of an action's key, and reports whether it was the second.
func (t *trigger) press(what action, now time.Time) (second bool) {
	since := now.Sub(t.last)
	t.last = now
	if t.held = t.drawn || t.held && since < letGo; t.held {
		t.release()
		return false
	}
	switch {
	case since < tooQuick:
	case t.what != what || !t.armed(now):
		t.release()
		t.what, t.since = what, now
	default:
		t.drawn = true
		t.shot++
		return true
	}
	return false
}

// goesOff reports whether a second press was followed by no third.
func (t *trigger) goesOff(shot uint64) bool {
	if !t.drawn || shot != t.shot {
		return false
	}
	t.release()
	return true
}

// pull takes a press of an action's key.
func (s *Screen) pull(what action) tea.Cmd {
	s.problem = ""
	if !s.trigger.press(what, s.env.Now()) {
		return nil
	}
	return s.after(steady, fired{what, s.trigger.shot})
}
