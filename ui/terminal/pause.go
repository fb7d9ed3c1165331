package terminal

import (
	"bytes"
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Bubble Tea checks 120 times a second whether there is something to draw. That takes a percent of
// a core, and a key waits for the next check. Each check first writes the output queued for the
// terminal. So we queue a mark, and its write blocks until there is something to draw. Meanwhile
// the renderer's ticker stands still, and the frame that ends the pause is drawn at once.

// mark is the queued byte. It is removed from the output; a terminal would ignore it.
const mark = "\x00"

// longestPause limits a pause, in case Bubble Tea waits for its renderer to end for a reason that
// no message reports.
const longestPause = 2 * time.Second

// pause blocks the renderer while there is nothing to draw. Exactly one mark is either queued or
// being written.
type pause struct {
	queueMark func() // queues the next mark asynchronously

	mu      sync.Mutex
	pending bool          // a frame is due, so the next wait returns at once
	open    bool          // waits return at once until the next frame
	ended   bool          // waits return at once for good
	woken   chan struct{} // closed to end the current wait; nil if none
}

// wait blocks the write of a mark until a frame is due.
func (p *pause) wait() {
	defer p.queueMark()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.pending && !p.open && !p.ended {
		woken := make(chan struct{})
		p.woken = woken
		p.mu.Unlock()
		longest := time.NewTimer(longestPause)
		select {
		case <-woken:
		case <-longest.C:
		}
		longest.Stop()
		p.mu.Lock()
		p.woken = nil
	}
	p.pending = false
}

// wake ends the current wait. The caller holds the lock.
func (p *pause) wake() {
	if p.woken != nil {
		close(p.woken)
		p.woken = nil
	}
}

// draw lets the renderer draw its new frame and pause again.
func (p *pause) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending, p.open = true, false
	p.wake()
}

// release lets the renderer run until the next frame.
func (p *pause) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
	p.wake()
}

// end lets the renderer run for good.
func (p *pause) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.wake()
}

// drawn reports that the renderer has a new frame. It follows the message that caused the frame.
type drawn struct{}

// markDue requests a new mark in the queue.
type markDue struct{}

// filter sees messages before Bubble Tea does.
func (p paced) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case nil: // the command returned no message
		return nil
	case drawn:
		p.frames.arrived()
		p.pause.draw()
		return nil
	case markDue:
		return tea.RawMsg{Msg: mark}
	}
	if !changesOnlyTheView(msg) {
		p.pause.release()
	}
	return msg
}

var teaPackage = reflect.TypeFor[tea.QuitMsg]().PkgPath()

// changesOnlyTheView reports whether a message only changes the view. For other messages Bubble Tea
// queues terminal output, or ends or pauses the renderer, so the renderer must not be blocked.
func changesOnlyTheView(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.FocusMsg, tea.BlurMsg, tea.WindowSizeMsg, tea.BatchMsg:
		return true
	}
	return reflect.TypeOf(msg).PkgPath() != teaPackage
}

// output is the terminal as the renderer writes to it. Marks block the renderer, and halves are
// joined to wide characters. Each write holds whole characters.
type output struct {
	terminalFile
	pause  *pause
	halves bool
}

func (o output) Write(p []byte) (int, error) {
	sent, marked := p, bytes.IndexByte(p, mark[0]) >= 0
	if marked {
		sent = bytes.ReplaceAll(p, []byte(mark), nil)
	}
	if o.halves && bytes.IndexFunc(sent, isHalf) >= 0 {
		sent = join(nil, sent)
	}
	if len(sent) > 0 {
		if _, err := o.terminalFile.Write(sent); err != nil {
			return 0, err
		}
	}
	if marked {
		o.pause.wait()
	}
	return len(p), nil
}
