package plain

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/seek"
	"tarmac/internal/money"
	"tarmac/internal/termtext"
)

// export writes all transactions that match the filter to a file. If it fails, it leaves no
// incomplete file.
func (p *transactionsPage) export(s *session, args string) error {
	path := s.places().Absolute(args)
	if args == "" {
		path = s.places().SuggestPath("transactions", p.words())
	}
	file, err := export.Create(path, p.total.Currency, s.exported())
	switch {
	case errors.Is(err, fs.ErrExist): // the error's text already begins with the file name
		return s.answer("%s.", termtext.Line(export.Reason(err)))
	case err != nil:
		return s.answer("%s", problem.Sentence(export.Reason(err)))
	}
	defer file.Discard()
	x, said, more := export.Progress{Query: p.filter}, s.Now(), true
	x.Query.Limit = seek.PageRows
	for more {
		if x, more, err = file.AddPage(x, s.transactions); err != nil {
			return s.answer("Export failed, no file was written: %s", errorInWords(err))
		}
		if now := s.Now(); more && now.Sub(said) >= 5*time.Second {
			said = now
			s.say("%s of %s exported; Ctrl+C cancels.", money.Count(int64(x.Rows)), money.Count(int64(x.Total)))
		}
	}
	if path, err = file.Commit(); err != nil {
		return s.answer("%s No file is left.", problem.Sentence(export.Reason(err)))
	}
	return s.answer("Exported %s to %s.", x.Exported(), termtext.Line(path))
}

// places returns the directories for exported files. A relative file name refers to the documents
// directory.
func (s *session) places() export.Directories {
	home, _ := os.UserHomeDir()
	return export.Directories{Current: s.Documents, Home: home}
}
