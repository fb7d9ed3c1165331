package bookkeeping

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tarmac/service/books"
	"tarmac/service/ids"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// Options are a person's choices for an import.
type Options struct {
	Read    bank.Options // what the files do not say
	Covers  books.Span   // days that files without a period cover; zero if unknown
	Preview bool         // nothing is kept
	// AllowUnnamed describes files that do not say their account or currency, for a preview.
	AllowUnnamed bool
	// AcceptResidual imports statements that contradict their balances.
	AcceptResidual bool
}

// Books are the own books of an organization.
type Books struct {
	Store *store.Store
	Org   store.OrgKey
	IDs   *ids.Source
	Now   func() time.Time
	Rules books.Rules // a person's rules about lines
}

// maxImport bounds the time of one import: a million lines take less than a minute.
const maxImport = 15 * time.Minute

// errPreview ends the transaction of a preview, and errRefused that of an import with a file
// that cannot be read.
var (
	errPreview = errors.New("nothing is kept of a preview")
	errRefused = errors.New("nothing was imported")
)

// Import imports files in one transaction, or none of them. Files that are no statement are
// named in the report and left out, unless there is no other. A file that cannot be read refuses
// the whole import: the report says which file and why, and has no import's id.
func (b *Books) Import(ctx context.Context, sources []Source, options Options) (*Report, error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	var report *Report
	err := b.Store.WriteOf(ctx, b.Org, func(tx *store.Tx) error {
		i := &importing{Books: b, ctx: ctx, tx: tx, org: b.Org, options: options, report: &Report{Files: []FileReport{}}}
		report = i.report
		return i.run(sources)
	})
	if errors.Is(err, errPreview) || errors.Is(err, errRefused) {
		report.Import = nil
		err = nil
	}
	return report, err
}

// importing is one import under way.
type importing struct {
	*Books
	ctx     context.Context
	tx      *store.Tx
	org     store.OrgKey
	options Options
	report  *Report

	accounts    []books.Account
	statements  []books.Statement // of the books before the import
	record      books.Import
	current     string       // name of the file that is read
	readOptions bank.Options // for that file
	read        []readFile
}

// readFile is a file that was read, with its place in the report.
type readFile struct {
	key        int64
	report     int // index in Report.Files
	statements []books.Statement
	known      bool         // the books had the file already
	sources    []*collected // of a file that they did not have
	unnamed    bool         // no option names an account
}

// run reads all files, then derives what follows from them.
func (i *importing) run(sources []Source) error {
	foreign, err := i.tx.HasForeignTransactions(i.org)
	if err != nil {
		return err
	}
	if foreign {
		return errors.New("this organization has transactions that no import brought; import into an organization of its own")
	}
	if err := i.begin(); err != nil {
		return err
	}
	for n := range sources {
		if err := i.file(&sources[n], len(sources) == 1); err != nil {
			return err
		}
	}
	if err := i.derive(); err != nil {
		return err
	}
	switch {
	case i.report.Failed() || len(i.read) == 0:
		return errRefused
	case i.options.Preview:
		return errPreview
	}
	i.report.Import = &i.record.ID
	return nil
}

// begin reads the books and adds the import.
func (i *importing) begin() (err error) {
	if i.accounts, err = i.tx.BookAccounts(i.org); err != nil {
		return err
	}
	if i.statements, err = i.tx.BookStatements(i.org); err != nil {
		return err
	}
	i.record.At = i.Now().UTC()
	if i.record.ID, err = i.IDs.New(ids.Import, i.record.At); err != nil {
		return err
	}
	i.record.Key, err = i.tx.InsertBookImport(i.org, i.record)
	return err
}

// file reads one file into the books. It returns an error only if the import cannot go on;
// what is wrong with the file is in the report.
func (i *importing) file(s *Source, alone bool) error {
	i.current, i.readOptions = s.base(), s.Options.Or(i.options.Read)
	report := FileReport{File: s.Name, Statements: []StatementReport{}, Problems: []string{}}
	r, err := recognize(*s, i.readOptions)
	if err == nil {
		report.Format = r.file.Format
		err = i.take(r, &report)
	}
	switch {
	case err == nil:
	case isOwn(err):
		return err
	case errors.Is(err, errNoStatement) && !alone:
		report.Problems = append(report.Problems, err.Error()+"; skipped")
	default:
		report.Error = err.Error()
		errors.As(err, &report.Question)
	}
	i.report.Files = append(i.report.Files, report)
	return nil
}

// storeError marks an error of the database or of the context, which no other file can change.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

func isOwn(err error) bool {
	return errors.As(err, new(storeError)) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrBusy)
}

// take reads a recognized file, unless the books have it already.
func (i *importing) take(r *recognized, report *FileReport) error {
	stored, err := i.tx.BookFile(i.org, r.file.Hash)
	switch {
	case err == nil:
		return i.takeKnown(stored, report)
	case !errors.Is(err, store.ErrNotFound):
		return storeError{err}
	}
	if r.file.Key, err = i.tx.InsertBookFile(i.org, r.file); err != nil {
		return storeError{err}
	}
	c := &collector{
		tx: i.tx, org: i.org, file: r.file, byAddress: map[*bank.Statement]*collected{},
		lists: map[*bank.OpenItems]*books.OpenList{},
	}
	err = r.read(i.ctx, i.readOptions, c)
	if err == nil {
		err = c.finish(i.options.Covers, i.resolve)
	}
	report.Problems = append(report.Problems, c.problems...)
	if err != nil {
		return errors.Join(err, i.tx.DeleteUnlinkedBookFiles(i.org))
	}
	if len(c.statements) == 0 && c.openItems == 0 && c.rates == 0 {
		report.Problems = append(report.Problems, "there is nothing in it to import")
	}
	if err := i.tx.LinkBookFile(i.org, i.record.Key, r.file.Key, i.current); err != nil {
		return storeError{err}
	}
	file := readFile{
		key: r.file.Key, report: len(i.report.Files), sources: c.statements, unnamed: i.readOptions.Account == "",
	}
	for _, s := range c.statements {
		file.statements = append(file.statements, s.stored)
	}
	i.read = append(i.read, file)
	return nil
}

// takeKnown adds a file that the books have already to the import.
func (i *importing) takeKnown(file books.File, report *FileReport) error {
	known := readFile{known: true, key: file.Key, report: len(i.report.Files)}
	for _, s := range i.statements {
		if s.File == file.Key {
			known.statements = append(known.statements, s)
		}
	}
	i.read = append(i.read, known)
	report.Problems = append(report.Problems, fmt.Sprintf("imported before: the same %s file", file.Format))
	if err := i.tx.LinkBookFile(i.org, i.record.Key, file.Key, i.current); err != nil {
		return storeError{err}
	}
	return nil
}
