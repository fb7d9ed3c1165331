package plain

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/download"
	"tarmac/client/export"
	"tarmac/client/problem"
	"tarmac/client/seek"
	"tarmac/internal/money"
	"tarmac/internal/plural"
	"tarmac/internal/termtext"
)

// export writes every row of the filter to a file: the whole file, or none.
func (p *transactionsPage) export(s *session, args string) error {
	path := args
	if path == "" {
		path = download.Name("transactions "+p.words(), "transactions", ".csv")
	}
	path = s.path(path)
	file, err := export.Create(path)
	if err != nil {
		if errors.Is(err, fs.ErrExist) {
			s.say("%s is there already: choose another name.", termtext.Line(path))
		} else {
			s.say("Not exported: %s", sentence(disk(err)))
		}
		return nil
	}
	defer file.Discard()
	q, done, said, missing := p.filter, int64(0), s.Now(), 0
	q.Limit = seek.PageRows
	for {
		page, err := ask(s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
			return s.server.Client.TransactionPage(ctx, q)
		})
		if err == nil && page.NextCursor != "" && page.NextCursor == q.Cursor {
			err = errors.New("the server leads back to the same page")
		}
		if err == nil {
			err = file.Add(page.Data)
		}
		if err != nil {
			s.say("Not exported, and no file is left: %s", explain(err))
			return nil
		}
		done += int64(len(page.Data))
		n, _ := apiclient.CountUnreadable(page.Data)
		missing += n
		if q.Cursor = page.NextCursor; q.Cursor == "" || len(page.Data) == 0 {
			break
		}
		if now := s.Now(); now.Sub(said) >= 5*time.Second {
			said = now
			s.say("%s of %s so far; ctrl+c gives it up.", money.Count(done), money.Count(page.Summary.Count))
		}
	}
	if path, err = file.Commit(); err != nil {
		s.say("Not exported, and no file is left: %s", sentence(disk(err)))
		return nil
	}
	s.say("Exported %s%s to %s.", plural.Count(done-int64(missing), "transaction"), problem.LeftOut(missing), termtext.Line(path))
	return nil
}

// path is where a file goes that somebody named: relative ones to the documents.
func (s *session) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(s.Documents, name)
}

// disk says what went wrong with a file, and with which.
func disk(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Path + ": " + path.Err.Error()
	}
	return err.Error()
}
