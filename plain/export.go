package plain

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/seek"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// export writes all transactions that match the filter to a file. If it fails, it leaves no
// incomplete file.
func (p *transactionsPage) export(s *session, args string) error {
	path := s.places().Absolute(args)
	if args == "" {
		path = s.places().SuggestPath("transactions", p.words())
	}
	file, err := export.Create(path)
	switch {
	case errors.Is(err, fs.ErrExist): // the error's text already begins with the file name
		return s.answer("%s.", termtext.Line(export.Reason(err)))
	case err != nil:
		return s.answer("%s", problem.Sentence(export.Reason(err)))
	}
	defer file.Discard()
	q, done, said, missing := p.filter, int64(0), s.Now(), 0
	q.Limit = seek.PageRows
	for {
		page, err := s.transactions(q)
		more := false
		if err == nil {
			q, more, err = page.Next(q)
		}
		if err == nil {
			err = file.Add(page.Data)
		}
		if err != nil {
			return s.answer("Export failed, no file was written: %s", errorInWords(err))
		}
		done += int64(len(page.Data))
		n, _ := apiclient.CountUnreadable(page.Data)
		missing += n
		if !more {
			break
		}
		if now := s.Now(); now.Sub(said) >= 5*time.Second {
			said = now
			s.say("%s of %s exported; Ctrl+C cancels.", money.Count(done), money.Count(page.Summary.Count))
		}
	}
	if path, err = file.Commit(); err != nil {
		return s.answer("%s No file is left.", problem.Sentence(export.Reason(err)))
	}
	return s.answer("Exported %s%s to %s.", plural.Count(done-int64(missing), "transaction"), problem.LeftOut(missing),
		termtext.Line(path))
}

// places returns the directories for exported files. A relative file name refers to the documents
// directory.
func (s *session) places() export.Directories {
	home, _ := os.UserHomeDir()
	return export.Directories{Current: s.Documents, Home: home}
}
