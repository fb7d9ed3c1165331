package terminal

import (
	"bytes"
	"reflect"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Bubble Tea's renderer checks 120 times a second whether there is something to draw. That takes a
// percent of a processor core, and a key waits for the next check. Each check first writes the
// output that is queued for the terminal. So this package queues a mark whose write blocks until
// there is something to draw. Meanwhile the renderer makes no checks, and it draws at once when the
// write returns.

// mark is the byte queued as output to pause the renderer. It never reaches the terminal.
const mark = "\x00"

// longestPause limits a pause, since Bubble Tea may wait for its renderer for a reason that no
// message reports.
const longestPause = 2 * time.Second

// pause blocks the renderer while there is nothing to draw. Exactly one mark is either queued or
// being written.
type pause struct {
	queueMark func() // queues the next mark asynchronously

	mu      sync.Mutex
	pending bool          // whether a frame is due, so that the next wait returns at once
	open    bool          // whether waits return at once until the next call of draw
	ended   bool          // whether waits return at once for the rest of the program
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

// release lets the renderer run without pauses until the next call of draw.
func (p *pause) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
	p.wake()
}

// end lets the renderer run without pauses for the rest of the program.
func (p *pause) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.wake()
}

// drawn is the message that reports that the renderer has a new view. It follows the message that
// caused the view.
type drawn struct{}

// markDue is the message that causes a new mark to be queued.
type markDue struct{}

// filter handles the messages of the pause before they reach Bubble Tea, and lets the renderer run
// for messages that need more of it than drawing a view. It is the program's tea.WithFilter.
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
