package propose

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A terminal reports a held key as repeated presses: the first repeat comes after about half a
// second, later ones about thirty times a second. Some systems send only two repeats.
const (
	// minGap is the minimum time between the two presses of a confirmation. A faster second press
	// is ignored.
	minGap = 300 * time.Millisecond
	// settleTime is how long after the second press the action runs, unless another key arrives. It
	// exceeds the delay before the first repeat of a held key.
	settleTime = 550 * time.Millisecond
	// releaseTime is how long no repeat of a held key must arrive before its presses count again.
	releaseTime = settleTime + 100*time.Millisecond
	// confirmTime is how long a first press stays valid while waiting for the second.
	confirmTime = 10 * time.Second
)

// action is something that runs only after two presses of its key.
type action int

const (
	propose action = iota + 1 // send the proposal
	resend                    // send the proposal again with the same idempotency key
	adopt                     // accept the draft under the cursor as the proposed invoice
)

// confirmation requires two separate presses of a key before an action runs. It ignores presses
// that follow each other too fast, and the repeats of a held key.
type confirmation struct {
	action  action // action of the first press, or 0
	firstAt time.Time
	lastAt  time.Time // time of the last press of any key that needs a confirmation
	number  uint64    // counts second presses; identifies the latest one in confirmDue
	pending bool      // there was a second press, and settleTime has not passed since
	held    bool      // the last press was a repeat of a held key
}

// confirmDue is sent when settleTime has passed since a second press.
type confirmDue struct {
	action action
	number uint64
}

// waiting reports whether there was a first press that is still waiting for the second.
func (c *confirmation) waiting(now time.Time) bool {
	return c.action != 0 && now.Sub(c.firstAt) < confirmTime
}

// cancel discards both presses.
func (c *confirmation) cancel() { c.action, c.pending = 0, false }

// press records a press of the key for action a, and reports whether it was a valid second press.
func (c *confirmation) press(a action, now time.Time) (second bool) {
	gap := now.Sub(c.lastAt)
	c.lastAt = now
	if c.held = c.pending || c.held && gap < releaseTime; c.held {
		c.cancel()
		return false
	}
	switch {
	case gap < minGap:
	case c.action != a || !c.waiting(now):
		c.cancel()
		c.action, c.firstAt = a, now
	default:
		c.pending = true
		c.number++
		return true
	}
	return false
}

// accept resets the confirmation and returns true if no key was pressed after the second press,
// which has the given number. Otherwise it returns false.
func (c *confirmation) accept(number uint64) bool {
	if !c.pending || number != c.number {
		return false
	}
	c.cancel()
	return true
}

// confirm handles a press of the key for action a. After the second press it returns a command that
// waits for settleTime; the action runs then, unless another key was pressed.
func (s *Screen) confirm(a action) tea.Cmd {
	s.problem = ""
	if !s.confirmation.press(a, s.env.Now()) {
		return nil
	}
	return s.after(settleTime, confirmDue{a, s.confirmation.number})
}
