package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// viewsPerFrame is how often the model may draw within one frameTime: for a key press, for the
// message that the resulting command returns, and once more. A single key press is therefore always
// drawn immediately.
const viewsPerFrame = 3

// frameTime is the time between two frames of Bubble Tea's renderer.
const frameTime = time.Second / framesPerSecond

// redraw is the message that the view postponed to this frame must be drawn.
type redraw struct{}

// frames limits how often the model draws. Bubble Tea requests a view after every message but shows
// only the last view of each frame. During a burst, for example of keys typed ahead, most views are
// skipped. The view after the burst is shown within one frame.
type frames struct {
	now        func() time.Time
	sendRedraw func(time.Duration) // sends a redraw message after a delay

	began     time.Time // start of the current frame
	views     int       // number of views drawn in the current frame
	redrawing bool      // a redraw message is scheduled
	last      tea.View  // the latest view

	sendDrawn func(time.Duration) // sends a drawn message after a delay; nil if the renderer is never paused
	announced bool                // a drawn message is scheduled
	drawnAt   time.Time           // when the latest drawn message arrived
	keepNext  bool                // the next call of view returns last, because nothing has changed
}

// view returns a new view from draw. If the current frame has viewsPerFrame views already, it
// returns the previous view and schedules a redraw in the next frame.
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

// scheduleDrawn schedules a drawn message, at most one per frame. It arrives after the message that
// is being handled. By then, the renderer has the new view.
func (f *frames) scheduleDrawn() {
	if f.sendDrawn == nil || f.announced {
		return
	}
	f.announced = true
	f.sendDrawn(min(frameTime, f.drawnAt.Add(frameTime).Sub(f.now())))
}

// arrived notes that a drawn message has arrived.
func (f *frames) arrived() { f.announced, f.drawnAt = false, f.now() }

// paced is the type guarded with limits: it limits the number of views per frame and pauses the
// renderer.
type paced struct {
	guarded
	frames *frames
	pause  *pause
	halves bool   // each wide character of a view is replaced by two private ones (see halve)
	active func() // called for each key, click and paste; may be nil
}

func (p paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == mark {
		p.frames.keepNext = true
		return p, nil
	}
	p.frames.scheduleDrawn()
	if _, ok := msg.(redraw); ok {
		p.frames.redrawing = false
		return p, nil
	}
	_, cmd := p.guarded.Update(msg)
	return p, cmd
}

// View returns a view, limited by frames. The last view before the program ends is always drawn,
// because no later message would cause it to be shown.
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
