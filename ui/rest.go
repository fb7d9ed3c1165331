package ui

import (
	"bytes"
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Bubble Tea looks for something to draw 120 times a second for as long as it runs,
// which is a percent of a core, and a key waits for the next look. Each look begins
// with writing what is queued for the terminal: a mark is queued, and the write of it
// does not return before there is something to draw. Meanwhile the clock stands still,
// and the frame that ends the rest is drawn at once.

// mark is what is queued. It is taken out again; a terminal would take no notice of it.
const mark = "\x00"

// longestRest bounds a rest, in case Bubble Tea waits for its renderer to end for a
// reason that no message tells of.
const longestRest = 2 * time.Second

// rest keeps the renderer waiting. One mark is on its way or waited at at any time.
type rest struct {
	again func() // has the next mark queued, later

	mu    sync.Mutex
	due   bool          // a frame is due: the next wait is none
	open  bool          // there is no waiting for now
	ended bool          // nor ever again
	woken chan struct{} // closed to end the wait that is; nil when none is
}

// wait is the write of a mark.
func (r *rest) wait() {
	defer r.again()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.due && !r.open && !r.ended {
		woken := make(chan struct{})
		r.woken = woken
		r.mu.Unlock()
		longest := time.NewTimer(longestRest)
		select {
		case <-woken:
		case <-longest.C:
		}
		longest.Stop()
		r.mu.Lock()
		r.woken = nil
	}
	r.due = false
}

// wake ends the wait that is. It is called with the lock held.
func (r *rest) wake() {
	if r.woken != nil {
		close(r.woken)
		r.woken = nil
	}
}

// draw lets the renderer draw what it was given, and rest again.
func (r *rest) draw() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.due, r.open = true, false
	r.wake()
}

// release lets it do what it likes until the next frame.
func (r *rest) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = true
	r.wake()
}

// end lets it do what it likes for good.
func (r *rest) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.wake()
}

// drawn is the message that the renderer has been given a frame: it comes behind the
// one that the frame was drawn for.
type drawn struct{}

// markDue is the message that a mark is to be queued.
type markDue struct{}

// filter sees messages before Bubble Tea does.
func (p paced) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case nil: // the answer of a command that has none
		return nil
	case drawn:
		p.frames.passOn()
		p.rest.draw()
		return nil
	case markDue:
		return tea.RawMsg{Msg: mark}
	}
	if !inward(msg) {
		p.rest.release()
	}
	return msg
}

var teaPackage = reflect.TypeFor[tea.QuitMsg]().PkgPath()

// inward reports whether a message only changes what is drawn. With others Bubble Tea
// queues something for the terminal, or ends or pauses the renderer, and must not find
// it waiting.
func inward(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.FocusMsg, tea.BlurMsg, tea.WindowSizeMsg, tea.BatchMsg:
		return true
	}
	return reflect.TypeOf(msg).PkgPath() != teaPackage
}

// screen is a terminal that the renderer rests at, and that is sent the wide characters
// for their halves. Each write holds whole characters.
type screen struct {
	terminalFile
	rest   *rest
	halves bool
}

func (s screen) Write(p []byte) (int, error) {
	sent, marked := p, bytes.IndexByte(p, mark[0]) >= 0
	if marked {
		sent = bytes.ReplaceAll(p, []byte(mark), nil)
	}
	if s.halves && bytes.IndexFunc(sent, half) >= 0 {
		sent = join(nil, sent)
	}
	if len(sent) > 0 {
		if _, err := s.terminalFile.Write(sent); err != nil {
			return 0, err
		}
	}
	if marked {
		s.rest.wait()
	}
	return len(p), nil
}
