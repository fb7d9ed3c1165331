package propose

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A held key repeats after about half a second, then about thirty times a second; some systems
// repeat it only twice. Presses less than tooQuick apart count as one. A second press counts once
// steady has passed without another. After a held key, presses count again once letGo has passed.
const (
	tooQuick = 300 * time.Millisecond
	steady   = 550 * time.Millisecond
	letGo    = steady + 100*time.Millisecond
	// armedFor is how long a first press waits for the second.
	armedFor = 10 * time.Second
)

// action is an action that needs two presses.
type action int

const (
	propose action = iota + 1 // send the proposal
	again                     // send it again with the same key
	isThere                   // the invoice under the cursor is the proposed one
)

// trigger requires two separate presses of a key for an action. It ignores quick presses and held
// keys.
type trigger struct {
	what  action // the action of the first press; 0 for none
	since time.Time
	last  time.Time // the last press of any trigger key
	shot  uint64    // counts the second presses
	drawn bool      // the second press waits for steady to pass
	held  bool      // the last press came from a held key
}

// fired says that steady has passed since a second press.
type fired struct {
	what action
	shot uint64
}

// armed reports whether a first press is waiting for the second.
func (t *trigger) armed(now time.Time) bool { return t.what != 0 && now.Sub(t.since) < armedFor }

// release discards a first press.
func (t *trigger) release() { t.what, t.drawn = 0, false }

// press handles a press of an action's key and reports whether it was the second.
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

// goesOff reports whether no press followed the second one, and resets the trigger if so.
func (t *trigger) goesOff(shot uint64) bool {
	if !t.drawn || shot != t.shot {
		return false
	}
	t.release()
	return true
}

// pull handles a press of an action's key.
func (s *Screen) pull(what action) tea.Cmd {
	s.problem = ""
	if !s.trigger.press(what, s.env.Now()) {
		return nil
	}
	return s.after(steady, fired{what, s.trigger.shot})
}
