package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// viewsPerFrame is how many views are drawn for one frame at most: a key, what it
// sets off, and one more. A single key is never kept waiting.
const viewsPerFrame = 3

// frameTime is how long a frame is shown at least.
const frameTime = time.Second / framesPerSecond

// frameDue is the message for a view that was put off.
type frameDue struct{}

// frames spares drawing what nobody sees: Bubble Tea asks for a view after every
// message and shows the last one with each frame. Of a burst, as of keys that were
// typed ahead, only some are drawn; the last state is always shown, a frame later at
// most.
type frames struct {
	now   func() time.Time
	later func(time.Duration) // has frameDue sent

	since time.Time // when the frame began
	drawn int       // for it
	asked bool      // frameDue is on its way
	last  tea.View

	tell    func(time.Duration) // has drawn sent; nil where nothing rests
	told    bool                // it is on its way
	passed  time.Time           // when it last came
	nothing bool                // a message came that changes nothing
}

// view returns what draw draws, or what it drew last.
func (f *frames) view(draw func() tea.View) tea.View {
	if f.nothing {
		f.nothing = false
		return f.last
	}
	now := f.now()
	if passed := now.Sub(f.since); passed >= frameTime || passed < 0 {
		f.since, f.drawn = now, 0
	}
	if f.drawn < viewsPerFrame {
		f.drawn++
		f.last = draw()
		return f.last
	}
	if !f.asked {
		f.asked = true
		f.later(f.since.Add(frameTime).Sub(now))
	}
	return f.last
}

// due takes note that frameDue has come.
func (f *frames) due() { f.asked = false }

// pass has the renderer told of what it is about to be given, once a frame.
func (f *frames) pass() {
	if f.tell == nil || f.told {
		return
	}
	f.told = true
	f.tell(min(frameTime, f.passed.Add(frameTime).Sub(f.now())))
}

// passOn takes note that it was told.
func (f *frames) passOn() { f.told, f.passed = false, f.now() }

// paced is the guarded model, drawn as often as it is seen.
type paced struct {
	guarded
	frames *frames
	rest   *rest
	halves bool // wide characters are shown to the renderer as two halves
}

func (p paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == mark {
		p.frames.nothing = true
		return p, nil
	}
	p.frames.pass()
	if _, ok := msg.(frameDue); ok {
		p.frames.due()
		return p, nil
	}
	_, cmd := p.guarded.Update(msg)
	return p, cmd
}

// View draws the end always: nothing follows it.
func (p paced) View() tea.View {
	if p.broken() || p.model.leaving {
		return p.draw()
	}
	return p.frames.view(p.draw)
}

func (p paced) draw() tea.View {
	v := p.guarded.View()
	if p.halves {
		v.Content = halve(v.Content)
	}
	return v
}
