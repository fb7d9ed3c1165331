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

// maxFailures is the number of consecutive failures after which an export stops. Rate limiting does
// not count as a failure.
const maxFailures = 8

// exporting is the state of a running export. An export fetches and writes one page at a time, so
// its memory use does not grow with the size of the file.
type exporting struct {
	number   uint64
	ctx      context.Context
	cancel   context.CancelFunc // cancels requests and removes the incomplete file
	file     *export.File
	progress export.Progress
	waiting  bool // a page is being fetched or written
	failures int  // number of consecutive failures
	err      error
	retryAt  time.Time
}

// Begun is the message that the file of an export was created, or why it could not be.
type Begun struct {
	number uint64
	file   *export.File
	err    error
}

// Exported is the message that a page of an export was fetched and written, or why it could not be.
type Exported struct {
	number   uint64
	progress export.Progress // progress after the page
	path     string          // path of the complete file; "" while pages remain to be fetched
	err      error
}

// rateLimited is implemented by a Source that knows the server's rate limit.
type rateLimited interface{ Rate() apiclient.Rate }

// exportName returns the suggested path of the exported file, whose name lists the filters.
func (s *Screen) exportName() string {
	return s.Env.Places.SuggestPath(append([]string{"transactions"}, s.filter.chips()...)...)
}

// beginExport returns the command that creates the file for an export with the current filters. It
// returns an error if the typed path is invalid.
func (s *Screen) beginExport(typed string) (tea.Cmd, error) {
	path, err := s.Env.Places.Path(typed)
	if err != nil {
		return nil, err
	}
	s.input.problem = ""
	s.input.Relabel(export.WritingLabel)
	s.exports.started++
	x := &exporting{number: s.exports.started}
	x.progress = export.Progress{Query: s.filter.query(span{}, ""), Total: s.store.total}
	x.ctx, x.cancel = context.WithCancel(s.Context)
	s.exports.preparing = x
	ctx, msg, currency, known := x.ctx, Begun{number: x.number}, s.Snapshot.Currency(), s.exportsKnown()
	return func() tea.Msg {
		if msg.file, msg.err = export.Create(path, currency, known); msg.err != nil {
			return msg
		}
		// If the export is cancelled or the program ends, remove the file.
		context.AfterFunc(ctx, msg.file.Discard)
		if ctx.Err() != nil {
			msg.file.Discard()
		}
		return msg
	}, nil
}

// exportCreated starts the export once its file exists. If the file could not be created, it says
// why, and the user can edit the path.
func (s *Screen) exportCreated(msg Begun) {
	x := s.exports.preparing
	if x == nil || msg.number != x.number {
		return
	}
	s.exports.preparing = nil
	if msg.err != nil {
		x.cancel()
		s.input.problem = termtext.Line(export.Reason(msg.err))
		s.input.Relabel(export.PromptLabel)
		return
	}
	s.input.leave()
	x.file = msg.file
	s.exports.running = x
}

// continueExport returns the command that fetches and writes the next page. It returns nil if no
// export is running, a page is being fetched, or a retry is not due yet.
func (s *Screen) continueExport() tea.Cmd {
	x := s.exports.running
	if x == nil || x.waiting || s.Now().Before(x.retryAt) {
		return nil
	}
	x.waiting = true
	ctx, file, progress, source, timeout := x.ctx, x.file, x.progress, s.source, s.Timeout
	msg := Exported{number: x.number}
	return func() tea.Msg {
		defer func() {
			if ctx.Err() != nil {
				file.Discard()
			}
		}()
		ask, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		more := false
		msg.progress, more, msg.err = file.AddPage(progress,
			func(q apiclient.TransactionQuery) (*apiclient.TransactionPage, error) {
				return source.TransactionPage(ask, q)
			})
		if msg.err == nil && !more {
			if path, err := file.Commit(); err == nil {
				msg.path = path
			} else {
				msg.err = &export.FileError{Err: err}
			}
		}
		return msg
	}
}

// exported handles the result of fetching and writing a page. After a failure it schedules a retry
// or ends the export.
func (s *Screen) exported(msg Exported) tea.Cmd {
	x := s.exports.running
	if x == nil || msg.number != x.number {
		return s.exportCancelled(msg)
	}
	x.waiting, x.err = false, msg.err
	now := s.Now()
	switch {
	case msg.err != nil && (permanent(msg.err) || x.failures >= maxFailures):
		s.endExport()
		return views.Warn("export failed, no file was written: " + errorLine(msg.err))
	case msg.err != nil:
		x.retryAt = resource.NextRetry(now, msg.err, x.failures)
		if !errors.Is(msg.err, apiclient.ErrRateLimited) {
			x.failures++
		}
		return nil
	}
	x.failures, x.retryAt = 0, s.nextExportRequest(now)
	x.progress = msg.progress
	if msg.path == "" {
		return nil
	}
	s.endExport()
	return msg.report()
}

const exportCanceledText = "export canceled, no file was written"

// exportCancelled handles the last result of an export that was cancelled meanwhile. If the file
// was already complete, it is kept and the returned notice names it.
func (s *Screen) exportCancelled(msg Exported) tea.Cmd {
	if msg.err != nil || msg.path == "" {
		return nil
	}
	if msg.number == s.exports.started && s.input.problem == exportCanceledText {
		s.input.problem = ""
	}
	return msg.report()
}

func (msg Exported) report() tea.Cmd {
	return views.Tell(termtext.Line("exported " + msg.progress.Exported() + " to " + msg.path))
}

// nextExportRequest returns the earliest time for the next request of the export; the zero time
// means immediately. An export leaves the last twentieth of the rate limit, at least two requests,
// to the rest of the dashboard.
func (s *Screen) nextExportRequest(now time.Time) time.Time {
	if source, ok := s.source.(rateLimited); ok {
		if r := source.Rate(); r.Limit > 0 && r.Remaining < max(2, r.Limit/20) {
			return now.Add(max(r.ResetIn, time.Second))
		}
	}
	return time.Time{}
}

// permanent reports whether a retry would fail with the same error.
func permanent(err error) bool {
	var contract *apiclient.ContractError
	var file *export.FileError
	loops := errors.As(err, &contract) && contract.Field == "next_cursor"
	return loops || errors.As(err, &file) || errors.Is(err, apiclient.ErrUnauthorized) ||
		errors.Is(err, apiclient.ErrForbidden) ||
		errors.Is(err, apiclient.ErrInvalid)
}

// endExport stops the export. Its incomplete file is removed in the background, because a disk can
// be slow.
func (s *Screen) endExport() {
	s.exports.running.cancel()
	s.exports.running = nil
}

// exportProgress describes the running export in one line: rows, percentage, and the time until a
// retry.
func (s *Screen) exportProgress() string {
	x := s.exports.running
	done, total := int64(x.progress.Rows), int64(x.progress.Total)
	words := "exporting " + money.Count(done) + " of " + money.Count(total)
	if total > 0 {
		words += " (" + strconv.FormatInt(done*100/total, 10) + "%)"
	}
	words += " · esc cancels"
	wait := x.retryAt.Sub(s.Now())
	if x.err == nil || wait <= 0 {
		return words
	}
	return words + " · " + errorLine(x.err) + ": retry in " + strconv.Itoa(int((wait+time.Second-1)/time.Second)) + "s"
}

// errorLine returns an error of the server or the disk as one line.
func errorLine(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return termtext.Line(path.Path + ": " + path.Err.Error())
	}
	return termtext.Line(problem.Reason(err))
}
