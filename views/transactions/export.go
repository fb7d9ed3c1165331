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

// mostFailures is the number of consecutive failures after which an export stops. Rate limiting
// does not count.
const mostFailures = 8

// exporting is a running export. It fetches and writes one page at a time, so memory use does
// not grow with the size of the file.
type exporting struct {
	number   uint64
	ctx      context.Context
	cancel   context.CancelFunc // also removes the unfinished file
	file     *export.File
	query    apiclient.TransactionQuery
	waiting  bool
	done     int
	missing  int // rows that could not be read, included in done
	total    int
	failures int
	err      error
	retryAt  time.Time
}

// Begun reports the new file of an export, or why it could not be created.
type Begun struct {
	number uint64
	file   *export.File
	err    error
}

// Exported is the result of one step of an export.
type Exported struct {
	number  uint64
	page    *apiclient.TransactionPage
	path    string // set once the file is complete
	rows    int    // rows fetched so far
	missing int    // rows that could not be read, included in rows; the file omits them
	err     error
	broken  bool // writing failed, so retrying does not help
}

// rated is a source that knows the server's rate limit.
type rated interface{ Rate() apiclient.Rate }

// exportName returns the suggested path of the file.
func (s *Screen) exportName() string {
	return s.env.Places.SuggestPath(append([]string{"transactions"}, s.filter.chips()...)...)
}

// beginExport returns the command that creates the file for the current filter. It fails if the
// typed path is invalid.
func (s *Screen) beginExport(typed string) (tea.Cmd, error) {
	path, err := s.env.Places.Path(typed)
	if err != nil {
		return nil, err
	}
	s.input.problem = ""
	s.input.prompt.Relabel(export.WritingLabel)
	s.exports.started++
	x := &exporting{number: s.exports.started, query: s.filter.query(span{}, ""), total: s.store.total}
	x.ctx, x.cancel = context.WithCancel(s.env.Context)
	s.exports.preparing = x
	ctx, msg := x.ctx, Begun{number: x.number}
	return func() tea.Msg {
		if msg.file, msg.err = export.Create(path); msg.err != nil {
			return msg
		}
		// Remove the file even if the program ends first.
		context.AfterFunc(ctx, msg.file.Discard)
		if ctx.Err() != nil {
			msg.file.Discard()
		}
		return msg
	}, nil
}

// exportCreated starts the export once its file exists. On an error it shows the problem,
// and the user can edit the path.
func (s *Screen) exportCreated(msg Begun) {
	x := s.exports.preparing
	if x == nil || msg.number != x.number {
		return
	}
	s.exports.preparing = nil
	if msg.err != nil {
		x.cancel()
		s.input.problem = termtext.Line(export.Reason(msg.err))
		s.input.prompt.Relabel(export.PromptLabel)
		return
	}
	s.leaveInput()
	x.file = msg.file
	s.exports.running = x
}

// continueExport returns the command for the next step. It returns nil while a step is running or a
// retry is not due.
func (s *Screen) continueExport() tea.Cmd {
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
		more := false
		if err == nil {
			_, more, err = page.Next(query)
		}
		if err != nil {
			step.err = err
			return step
		}
		step.page, step.rows = page, step.rows+len(page.Data)
		unreadable, _ := apiclient.CountUnreadable(page.Data)
		step.missing += unreadable
		err = file.Add(page.Data)
		if err == nil && !more {
			step.path, err = file.Commit()
		}
		step.err, step.broken = err, err != nil
		return step
	}
}

// exported handles the result of a step.
func (s *Screen) exported(msg Exported) tea.Cmd {
	x := s.exports.running
	if x == nil || msg.number != x.number {
		return s.exportCancelled(msg)
	}
	x.waiting, x.err = false, msg.err
	now := s.env.Now()
	switch {
	case msg.err != nil && (msg.broken || permanent(msg.err) || x.failures >= mostFailures):
		s.endExport()
		return views.Warn("export failed, no file was written: " + brief(msg.err))
	case msg.err != nil:
		x.retryAt = resource.NextRetry(now, msg.err, x.failures)
		if !errors.Is(msg.err, apiclient.ErrRateLimited) {
			x.failures++
		}
		return nil
	}
	x.failures, x.retryAt = 0, s.nextExportRequest(now)
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

// exportCancelled handles a late result of a cancelled export. It reports the file only if it was
// already complete.
func (s *Screen) exportCancelled(msg Exported) tea.Cmd {
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

// nextExportRequest returns the earliest time of the next export request. It leaves the last
// requests of the rate limit to the rest of the dashboard.
func (s *Screen) nextExportRequest(now time.Time) time.Time {
	if source, ok := s.source.(rated); ok {
		if r := source.Rate(); r.Limit > 0 && r.Remaining < max(2, r.Limit/20) {
			return now.Add(max(r.ResetIn, time.Second))
		}
	}
	return time.Time{}
}

// permanent reports whether a retry would fail in the same way.
func permanent(err error) bool {
	var contract *apiclient.ContractError
	loops := errors.As(err, &contract) && contract.Field == "next_cursor"
	return loops || errors.Is(err, apiclient.ErrUnauthorized) || errors.Is(err, apiclient.ErrForbidden) ||
		errors.Is(err, apiclient.ErrInvalid)
}

// endExport ends the export. An incomplete file is removed in the background, because a disk
// may be slow.
func (s *Screen) endExport() {
	s.exports.running.cancel()
	s.exports.running = nil
}

// exportProgress describes the progress of the export.
func (s *Screen) exportProgress() string {
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

// brief describes an error of the server or the disk in one line.
func brief(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return termtext.Line(path.Path + ": " + path.Err.Error())
	}
	return termtext.Line(problem.Reason(err))
}
