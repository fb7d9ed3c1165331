package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// viewsPerFrame is the maximum number of views drawn for one frame: a key, the change it causes,
// and one more. A single key never waits.
const viewsPerFrame = 3

// frameTime is the minimum time that a frame is shown.
const frameTime = time.Second / framesPerSecond

// redraw requests the postponed view.
type redraw struct{}

// frames limits how often the model draws. Bubble Tea requests a view after every message but shows
// only the last one of each frame. During a burst, such as keys typed ahead, most views are
// skipped; the last state is shown within a frame.
type frames struct {
	now        func() time.Time
	sendRedraw func(time.Duration) // sends redraw after a delay

	began     time.Time // start of the frame
	views     int       // drawn in this frame
	redrawing bool      // redraw is scheduled
	last      tea.View

	sendDrawn func(time.Duration) // sends drawn after a delay; nil without pauses
	announced bool                // drawn is scheduled
	drawnAt   time.Time           // when drawn last arrived
	keepNext  bool                // the message changed nothing, so the next view is the last one
}

// view returns a new view from draw, or the previous one if the frame has enough views.
func (f *frames) view(draw func() tea.View) tea.View {
	if f.keepNext {
		f.keepNext = false
		return f.last
	}
	now := f.now()
	if passed := now.Sub(f.began); passed >= frameTime || passed < 0 {
		f.began, f.views = now, 0
	}
	if f.views < viewsPerFrame {
		f.views++
		f.last = draw()
		return f.last
	}
	if !f.redrawing {
		f.redrawing = true
		f.sendRedraw(f.began.Add(frameTime).Sub(now))
	}
	return f.last
}

// announce sends drawn once a frame, behind the message that changes the frame.
func (f *frames) announce() {
	if f.sendDrawn == nil || f.announced {
		return
	}
	f.announced = true
	f.sendDrawn(min(frameTime, f.drawnAt.Add(frameTime).Sub(f.now())))
}

// arrived records that drawn has arrived.
func (f *frames) arrived() { f.announced, f.drawnAt = false, f.now() }

// paced is the guarded model with a limited number of views per frame.
type paced struct {
	guarded
	frames *frames
	pause  *pause
	halves bool // the renderer is given wide characters as two halves
}

func (p paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == mark {
		p.frames.keepNext = true
		return p, nil
	}
	p.frames.announce()
	if _, ok := msg.(redraw); ok {
		p.frames.redrawing = false
		return p, nil
	}
	_, cmd := p.guarded.Update(msg)
	return p, cmd
}

// View always draws the last frame, since no later message would show it.
func (p paced) View() tea.View {
	if p.broken() || p.model.Leaving() {
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
