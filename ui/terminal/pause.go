package terminal

import (
	"bytes"
	"io"
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Bubble Tea's renderer checks 120 times a second whether there is something to draw. The checks
// take one percent of a processor core, and a key press waits for the next check. Before each
// check, the renderer writes the output queued for the terminal. This package therefore queues a
// mark whose write blocks until there is something to draw. In the meantime the renderer makes no
// checks; when the write returns, it draws at once.

// mark is the byte that is queued as output in order to pause the renderer. It never reaches the
// terminal.
const mark = "\x00"

// longestPause limits the length of a pause, because Bubble Tea may wait for its renderer for
// reasons that no message reports.
const longestPause = 2 * time.Second

// pause blocks the renderer while there is nothing to draw. At any time, exactly one mark is queued
// or being written.
type pause struct {
	queueMark func() // queues the next mark without blocking

	mu      sync.Mutex
	pending bool          // a frame is due, so the next call of wait returns at once
	open    bool          // calls of wait return at once until draw is called
	ended   bool          // calls of wait return at once until the program ends
	woken   chan struct{} // closed to end the current wait; nil if there is none
}

// wait blocks the write of the mark until a frame is due.
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

// wake ends the current wait. The caller must hold the lock.
func (p *pause) wake() {
	if p.woken != nil {
		close(p.woken)
		p.woken = nil
	}
}

// draw lets the renderer draw one new frame and then pause again.
func (p *pause) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending, p.open = true, false
	p.wake()
}

// release lets the renderer run without pauses until draw is called.
func (p *pause) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
	p.wake()
}

// disable lets the renderer run without pauses until the program ends.
func (p *pause) disable() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.wake()
}

// drawn is the message that the renderer has a new view. It arrives after the message that changed
// the view.
type drawn struct{}

// markDue is the message that the next mark must be queued.
type markDue struct{}

// filter is the program's tea.WithFilter. It handles the messages of the pause before they reach
// Bubble Tea. For messages that need more of the renderer than to draw a view, it lets the renderer
// run.
func (p paced) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	switch msg.(type) {
	case nil: // a command that returned no message
		return nil
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg:
		if p.active != nil {
			p.active()
		}
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

// changesOnlyTheView reports whether a message does nothing but change the view. Other messages
// make Bubble Tea queue output for the terminal, or end or pause the renderer, so the renderer must
// not be blocked then.
func changesOnlyTheView(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.FocusMsg, tea.BlurMsg, tea.WindowSizeMsg, tea.BatchMsg:
		return true
	}
	return reflect.TypeOf(msg).PkgPath() != teaPackage
}

// output is the terminal to which the renderer writes. Marks in the output block the renderer,
// halves are joined to wide characters, and scroll regions are reset. Each write contains whole
// characters and sequences.
type output struct {
	terminal io.Writer
	pause    *pause
	halves   bool
}

// fileOutput is an output that Bubble Tea recognizes as a terminal.
type fileOutput struct {
	terminalFile
	output output
}

func (f fileOutput) Write(p []byte) (int, error) { return f.output.Write(p) }

func (o output) Write(p []byte) (int, error) {
	sent, marked := p, bytes.IndexByte(p, mark[0]) >= 0
	if marked {
		sent = bytes.ReplaceAll(p, []byte(mark), nil)
	}
	if o.halves && bytes.IndexFunc(sent, isHalf) >= 0 {
		sent = join(nil, sent)
	}
	if sent = withWholeRegion(sent); len(sent) > 0 {
		if _, err := o.terminal.Write(sent); err != nil {
			return 0, err
		}
	}
	if marked {
		o.pause.wait()
	}
	return len(p), nil
}
