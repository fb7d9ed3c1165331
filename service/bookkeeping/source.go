package bookkeeping

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
)

// Source is a file that is to be imported.
type Source struct {
	Name    string // path of the file, used in messages
	Content io.ReadSeeker
	Options bank.Options // options for this file alone; they take precedence over Options.Read
	// SameAccount is Options.SameAccount for this file; "" for that of all files.
	SameAccount string
	Skip        bool // the user leaves the file out
	// Made is when the file was last changed; zero if unknown.
	Made time.Time
	// Err is the error of opening the file; nil if it was opened.
	Err error
}

// ErrNoStatement is the error for a file that cannot be imported, whatever its content. Among other
// files, such a file is left out.
var ErrNoStatement = errors.New("is no statement, list of open invoices or table of rates that can be read")

// notImported is an ErrNoStatement that says what the file is and what to do.
type notImported struct{ text string }

// Error returns the text.
func (e *notImported) Error() string { return e.text }

// Is reports whether target is ErrNoStatement.
func (e *notImported) Is(target error) bool { return target == ErrNoStatement }

// ErrFolder is the error for a folder. It is an ErrNoStatement.
var ErrFolder error = &notImported{"is a folder: name the files in it, for example with folder/*"}

// recognized is a file whose format is known.
type recognized struct {
	Source
	budget *bank.Budget
	format bank.Format
	file   bookrules.File
}

// budget returns the part of the import's budget that the file may use.
func (s *Source) budget(of *bank.Budget) (*bank.Budget, context.CancelFunc, error) {
	if s.Err != nil {
		return nil, nil, s.Err
	}
	size, err := s.Content.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, nil, err
	}
	return of.File(size)
}

// recognize detects the format of a file and hashes its content. Of a file that holds others, these
// are the format and the content of the one that is read.
func recognize(budget *bank.Budget, s Source, today civil.Date) (*recognized, error) {
	head, err := s.head()
	if err != nil {
		return nil, err
	}
	format, known, err := statements.Detect(budget, head, today)
	if err == nil && !known {
		var inner []byte
		if inner, err = inside(budget, &s, head, today); inner != nil {
			s.Content, head = bytes.NewReader(inner), inner[:min(len(inner), bank.HeadSize)]
			format, known, err = statements.Detect(budget, head, today)
		}
	}
	if err != nil {
		return nil, err
	}
	if !known {
		// Archives with exchange rates have a format.
		if kind := cmp.Or(bank.NotText(head), bank.Archived(head)); kind != "" {
			return nil, &notImported{"is " + kind}
		}
		if bytes.HasPrefix(head, []byte("plan from ")) {
			return nil, &notImported{"is a plan, which `tarmac plan --plan FILE` reads"}
		}
		if bookrules.HoldsRules(head) {
			return nil, &notImported{"is a rules file: its place is beside the settings, as rules.toml"}
		}
		if reason := statements.Explain(budget, head); reason != "" {
			return nil, &notImported{reason}
		}
		return nil, ErrNoStatement
	}
	r := &recognized{Source: s, budget: budget, format: format}
	r.file.Format, r.file.Making, r.file.Rank = format.Name, format.Name, format.Rank
	if format.Making != nil {
		r.file.Making += " " + format.Making(budget, head)
	}
	r.file.SHA256, err = r.sum()
	return r, err
}

// head returns the first bank.HeadSize bytes of the content, or all of a shorter one.
func (s *Source) head() ([]byte, error) {
	head, err := s.upTo(bank.HeadSize)
	if err == nil && len(head) == 0 {
		err = errors.New("is empty")
	}
	return head, err
}

// upTo returns the content, or its first most bytes. If the database transaction is retried, the
// file is read again from its start.
func (s *Source) upTo(most int64) ([]byte, error) {
	if _, err := s.Content.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(s.Content, most))
}

// identify sets the hash of the file. It includes the options, so that a file read with other
// options counts as another file.
func (r *recognized) identify(options bank.Options) {
	r.file.Hash = sha256.Sum256(fmt.Appendf(r.file.SHA256[:], "%+v", options))
}

// sum returns the SHA-256 of the file's content.
func (r *recognized) sum() (sum [32]byte, err error) {
	if _, err := r.Content.Seek(0, io.SeekStart); err != nil {
		return sum, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, r.budget.Reader(r.Content)); err != nil {
		return sum, err
	}
	return [32]byte(h.Sum(nil)), nil
}

// read passes the file to the reader of its format. It returns an error if the content changed
// while it was read.
func (r *recognized) read(options bank.Options, sink bank.Sink) error {
	if _, err := r.Content.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := r.format.Read(r.budget, r.Content, options, bank.Bounded(r.budget, sink)); err != nil {
		return err
	}
	if sum, err := r.sum(); err != nil || sum != r.file.SHA256 {
		return errors.Join(err, errors.New("changed while it was read; import it again"))
	}
	return nil
}

func (s *Source) base() string { return filepath.Base(s.Name) }
