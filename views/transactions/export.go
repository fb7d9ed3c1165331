package transactions

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/resource"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
	"tarmac/views"
)

// mostFailures is how often in a row an export is tried again before it is given
// up. Being told to wait does not count.
const mostFailures = 8

// exporting is an export under way: page after page of the whole filter is fetched
// and written, one at a time, so that its size does not matter to memory.
type exporting struct {
	number   uint64
	ctx      context.Context
	cancel   context.CancelFunc // gives the file up too
	file     *export.File
	query    apiclient.TransactionQuery
	waiting  bool
	done     int
	missing  int // of those, rows that could not be read
	total    int
	failures int
	err      error
	retryAt  time.Time
}

// Begun is the file of an export, or why there is none.
type Begun struct {
	number uint64
	file   *export.File
	err    error
}

// Exported is the answer to one step of an export.
type Exported struct {
	number  uint64
	page    *apiclient.TransactionPage
	path    string // of the whole file, at the end
	rows    int    // that came so far
	missing int    // of those, rows that could not be read and are not in the file
	err     error
	broken  bool // the file is: trying again is no use
}

// rated is a source that knows what the server allows.
type rated interface{ Rate() apiclient.Rate }

// exportName returns the file that is offered.
func (s *Screen) exportName() string {
	return s.env.Places.Offer(append([]string{"transactions"}, s.filter.chips()...)...)
}

// beginExport returns the command that begins a file for the filter in force.
func (s *Screen) beginExport(typed string) (tea.Cmd, error) {
	path, err := s.env.Places.Path(typed)
	if err != nil {
		return nil, err
	}
	s.input.problem = ""
	s.input.prompt.Relabel(export.Writing)
	s.exports.started++
	x := &exporting{number: s.exports.started, query: s.filter.query(span{}, ""), total: s.store.total}
	x.ctx, x.cancel = context.WithCancel(s.env.Context)
	s.exports.preparing = x
	ctx, msg := x.ctx, Begun{number: x.number}
	return func() tea.Msg {
		if msg.file, msg.err = export.Create(path); msg.err != nil {
			return msg
		}
		// Also when the program ends in the middle.
		context.AfterFunc(ctx, msg.file.Discard)
		if ctx.Err() != nil {
			msg.file.Discard()
		}
		return msg
	}, nil
}

// begun takes the file of an export, which goes on then, or says why there is none:
// what was typed can be changed. A file that came too late is given up already.
func (s *Screen) begun(msg Begun) {
	x := s.exports.preparing
	if x == nil || msg.number != x.number {
		return
	}
	s.exports.preparing = nil
	if msg.err != nil {
		x.cancel()
		s.input.problem = termtext.Line(export.Why(msg.err))
		s.input.prompt.Relabel(export.Asking)
		return
	}
	s.leaveInput()
	x.file = msg.file
	s.exports.running = x
}

// exportOn returns the command for the next step, or nil while one is under way or
// it is too early.
func (s *Screen) exportOn() tea.Cmd {
	x := s.exports.running
	if x == nil || x.waiting || s.env.Now().Before(x.retryAt) {
		return nil
	}
	x.waiting = true
	step := Exported{number: x.number, rows: x.done, missing: x.missing}
	ctx, file, query, source, timeout := x.ctx, x.file, x.query, s.source, s.env.Timeout
	return func() tea.Msg {
		defer func() {
			if ctx.Err() != nil {
				file.Discard()
			}
		}()
		ask, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		page, err := source.TransactionPage(ask, query)
		if err == nil && page.NextCursor != "" && page.NextCursor == query.Cursor {
			err = errLoop
		}
		if err != nil {
			step.err = err
			return step
		}
		step.page, step.rows = page, step.rows+len(page.Data)
		unreadable, _ := apiclient.CountUnreadable(page.Data)
		step.missing += unreadable
		err = file.Add(page.Data)
		if err == nil && (page.NextCursor == "" || len(page.Data) == 0) {
			step.path, err = file.Commit()
		}
		step.err, step.broken = err, err != nil
		return step
	}
}

// exported takes the answer to a step.
func (s *Screen) exported(msg Exported) tea.Cmd {
	x := s.exports.running
	if x == nil || msg.number != x.number {
		return s.gaveUp(msg)
	}
	x.waiting, x.err = false, msg.err
	now := s.env.Now()
	switch {
	case msg.err != nil && (msg.broken || hopeless(msg.err) || x.failures >= mostFailures):
		s.endExport()
		return views.Warn("export failed, no file was written: " + brief(msg.err))
	case msg.err != nil:
		x.retryAt = resource.RetryAt(now, msg.err, x.failures)
		if !errors.Is(msg.err, apiclient.ErrRateLimited) {
			x.failures++
		}
		return nil
	}
	x.failures, x.retryAt = 0, s.spare(now)
	x.done, x.missing = msg.rows, msg.missing
	x.query.Cursor = msg.page.NextCursor
	x.total = max(x.done, int(msg.page.Summary.Count))
	if msg.path == "" {
		return nil
	}
	s.endExport()
	return msg.tell()
}

const noneLeft = "export canceled, no file was written"

// gaveUp takes the answer to a step of an export that was given up meanwhile: only a
// file is told of that was whole already.
func (s *Screen) gaveUp(msg Exported) tea.Cmd {
	if msg.err != nil || msg.path == "" {
		return nil
	}
	if msg.number == s.exports.started && s.input.problem == noneLeft {
		s.input.problem = ""
	}
	return msg.tell()
}

func (msg Exported) tell() tea.Cmd {
	what := money.Count(int64(msg.rows-msg.missing)) + " transactions" + problem.LeftOut(msg.missing)
	return views.Tell(termtext.Line("exported " + what + " to " + msg.path))
}

// spare returns when an export may ask again: the last of the requests that the
// server allows at once are left to the rest of the dashboard.
func (s *Screen) spare(now time.Time) time.Time {
	if source, ok := s.source.(rated); ok {
		if r := source.Rate(); r.Limit > 0 && r.Remaining < max(2, r.Limit/20) {
			return now.Add(max(r.ResetIn, time.Second))
		}
	}
	return time.Time{}
}

// hopeless reports whether asking again brings the same answer.
func hopeless(err error) bool {
	return errors.Is(err, apiclient.ErrUnauthorized) || errors.Is(err, apiclient.ErrForbidden) || errors.Is(err, apiclient.ErrInvalid) ||
		errors.Is(err, errLoop)
}

// endExport lets go of the export; what is not whole is removed beside: a disk may take
// its time.
func (s *Screen) endExport() {
	s.exports.running.cancel()
	s.exports.running = nil
}

// exportWords says how far the export is.
func (s *Screen) exportWords() string {
	x := s.exports.running
	words := "exporting " + money.Count(int64(x.done)) + " of " + money.Count(int64(x.total))
	if x.total > 0 {
		words += " (" + strconv.Itoa(int(int64(x.done)*100/int64(x.total))) + "%)"
	}
	words += " · esc cancels"
	wait := x.retryAt.Sub(s.env.Now())
	if x.err == nil || wait <= 0 {
		return words
	}
	return words + " · " + brief(x.err) + ": retry in " + strconv.Itoa(int((wait+time.Second-1)/time.Second)) + "s"
}

// brief says what went wrong, at the server or on the disk.
func brief(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return termtext.Line(path.Path + ": " + path.Err.Error())
	}
	return termtext.Line(problem.Reason(err))
}
