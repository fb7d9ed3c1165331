package bookkeeping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/bookrules"
	"tarmac/service/ids"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
)

// Options are the user's choices for an import.
type Options struct {
	Read    bank.Options   // values that the files do not contain, such as a currency
	Covers  bookrules.Span // days covered by files that name no period; zero if unknown
	Preview bool           // if true, the report is made but nothing is stored
	// AllowUnnamed allows files that do not name their account or currency. It is for previews.
	AllowUnnamed bool
	// NameAccounts gives accounts without a name in their files one from the bank and the currency,
	// unless the books have such an account already. The preview shows these names.
	NameAccounts bool
	// AcceptResidual says to import statements even if their lines do not add up to their balances.
	AcceptResidual bool
	// Feed is the connection that the only source is a reading of; nil for files.
	Feed *Feed
	// Balances are balances that the user stated. Undoing the import also removes them.
	Balances []StatedBalance
	// ReportIn answers in which currency the books report, which the first import of statements
	// asks; "" if the user has not said.
	ReportIn string
	// SameAccount answers whether files with the lines of another account are of that account:
	// SameAccount, OtherAccount, or "" to ask.
	SameAccount string
	// Progress is called with the index of each file before the file is read, and with the number
	// of files when all are read. It may be nil. If a transaction is retried on PostgreSQL, it is
	// called again from the first file.
	Progress func(file int)
}

// Books are an organization's own books: everything that was imported from bank files.
type Books struct {
	Store *store.Store
	Org   store.OrgKey
	IDs   *ids.Source
	Now   func() time.Time
	// RulesFile is the file in which the user keeps the rules. It is nil if only the database has
	// the rules, as for an organization that an operator serves.
	RulesFile RulesFile
	// Company is the name that the user has given the company, for previews before it is stored; ""
	// for the stored name.
	Company string

	atOnce    int    // replaces maxAtOnce if it is not 0; in some tests
	onDerived func() // called before an import with a stage is published; nil but in some tests
}

// maxImport is the timeout of one import. A million lines take less than a minute.
const maxImport = 15 * time.Minute

// Errors that roll back the transaction of an import: errPreview for a preview, and errRefused if a
// file could not be read.
var (
	errPreview = errors.New("nothing is kept of a preview")
	errRefused = errors.New("nothing was imported")
)

// Import imports all files, or none of them. Readers see all of the import or nothing. Files that
// are not statements are listed in the report and skipped, unless there is only one file. If a file
// cannot be read, nothing is imported: the report says which file and why, and Report.Import is
// nil. With Options.Feed, an error in the reading is the error of Import.
func (b *Books) Import(ctx context.Context, sources []Source, options Options) (*ownbooks.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, maxImport)
	defer cancel()
	run := b.importFiles
	if options.Feed != nil {
		run = b.importFeed
	}
	report, err := run(ctx, sources, options)
	ownbooks.Clean(report)
	return report, err
}

// importFiles imports all files, or none of them.
func (b *Books) importFiles(ctx context.Context, sources []Source, options Options) (
	report *ownbooks.Report, err error,
) {
	err = b.changeBooks(ctx, func(c *change) error {
		c.preview = options.Preview
		i := &importing{
			change: c, options: options, budget: bank.NewBudget(ctx),
			report: &ownbooks.Report{Files: []ownbooks.FileReport{}},
		}
		report = i.report
		return i.run(sources)
	})
	if errors.Is(err, errPreview) || errors.Is(err, errRefused) {
		report.Import = ""
		err = nil
	}
	return report, err
}

// importing holds the state of one import.
type importing struct {
	change  *change
	options Options
	report  *ownbooks.Report
	budget  *bank.Budget // of all files

	accounts   []bookrules.Account
	indexed    accountIndex                  // result of index
	closings   map[int64][]bookrules.Account // result of closingAccounts; nil until needed
	statements []bookrules.Statement         // statements of earlier imports
	answers    map[string]string             // the user's answers, by question
	company    string                        // name of the organization
	record     bookrules.Import
	// rulesChanged is true if the rules file has other rules than those in force before the import.
	rulesChanged bool
	current      string        // name of the file that is being read
	made         bookrules.Day // day on which it was made, at the latest
	readOptions  bank.Options  // options for the file named current
	read         []readFile
	collector    *collector                // what is read of the file named current
	copies       map[string]int64          // results of copied for the file named current
	contents     map[int64]*accountContent // results of contentOf; nil until needed
	compared     int                       // number of accounts whose lines were compared with those of files
	sameAccount  string                    // answer to the question of copied for it; "" if there is none
}

// run reads all files and then updates the ledger.
func (i *importing) run(sources []Source) error {
	if err := i.change.write(i.begin); err != nil {
		return err
	}
	for n := range sources {
		i.progress(n)
		if err := i.file(&sources[n], len(sources) == 1); err != nil {
			return err
		}
	}
	i.progress(len(sources))
	if err := i.coverKnown(); err != nil {
		return err
	}
	i.proposeAnswers()
	if i.options.Preview {
		i.report.Company = i.proposedCompany()
	}
	if !i.report.Failed() {
		if err := errors.Join(i.answerReporting(), i.stateBalances(), i.reportBalances()); err != nil {
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
	i.report.Import = ownbooks.Optional(i.record.ID)
	return nil
}

func (i *importing) progress(file int) {
	if i.options.Progress != nil {
		i.options.Progress(file)
	}
}

// refuseForeign returns an error for an organization whose transactions do not come from imported
// files. Publishing its books would delete those transactions.
func (b *Books) refuseForeign(tx *store.Tx) error {
	foreign, err := tx.HasForeignTransactions(b.Org)
	if err == nil && foreign {
		err = errors.New("this organization has transactions that no import brought; import into an organization of its own")
	}
	return err
}

// begin reads the stored accounts and statements, and inserts the record of the import.
func (i *importing) begin(tx *store.Tx) error {
	if err := i.change.refuseForeign(tx); err != nil {
		return err
	}
	if err := i.readStored(tx); err != nil {
		return err
	}
	return i.addImport(tx)
}

// readStored reads the stored accounts, statements and answers, and the rules file.
func (i *importing) readStored(r reader) (err error) {
	if i.accounts, err = r.BookAccounts(i.change.Org); err != nil {
		return err
	}
	i.indexed, i.closings, i.contents = accountIndex{}, nil, nil
	if i.statements, err = r.BookStatements(i.change.Org); err != nil {
		return err
	}
	if i.answers, err = r.BookAnswers(i.change.Org); err != nil {
		return err
	}
	if i.company, err = i.change.companyName(r); err != nil {
		return err
	}
	rules, err := i.change.changedRules(r)
	i.rulesChanged = rules != nil
	i.change.edits = bookEdits{answers: map[string]string{}, rules: rules}
	return err
}

// answer stores an answer of the user.
func (i *importing) answer(question, answer string) {
	i.answers[question], i.change.edits.answers[question] = answer, answer
}

// addImport inserts the record of the import.
func (i *importing) addImport(tx *store.Tx) (err error) {
	i.record.At = i.change.Now().UTC()
	if i.record.ID, err = i.change.IDs.New(ids.Import, i.record.At); err != nil {
		return err
	}
	i.record.Key, err = tx.InsertBookImport(i.change.Org, i.record)
	return err
}

// file reads one file and adds it to the report. Errors in the file are put into the report. It
// returns an error only if the whole import must stop, for example because the database failed.
func (i *importing) file(s *Source, alone bool) error {
	i.current, i.made, i.readOptions = s.base(), i.madeOn(s), s.Options.Or(i.options.Read)
	report := ownbooks.FileReport{Name: s.Name, Statements: []ownbooks.Statement{}, Problems: []string{}}
	if s.Skip {
		report.Problems = append(report.Problems, "is left out, as you said")
		i.report.Files = append(i.report.Files, report)
		return nil
	}
	budget, cancel, err := s.budget(i.budget)
	if err == nil {
		defer cancel()
		var r *recognized
		if r, err = recognize(budget, *s, civil.Of(i.change.Now())); err == nil {
			report.Format = r.file.Format
			err = i.take(r, &report)
		}
	}
	switch {
	case err == nil:
	case isOwn(err):
		return err
	case errors.Is(err, ErrNoStatement) && !alone:
		report.Problems = append(report.Problems, err.Error()+"; skipped")
	default:
		report.Error = err.Error()
		if q := new(bank.Question); errors.As(err, &q) {
			report.Question = &ownbooks.Question{
				File: len(i.report.Files), Name: s.Name, Reason: q.Reason, Flag: q.Flag, Choices: q.Choices,
				Samples: q.Samples,
			}
			if unnamed := new(unnamedAccount); errors.As(err, &unnamed) {
				report.Question.Proposed, report.Question.Currency = unnamed.proposed, unnamed.currency
			}
		}
	}
	i.report.Files = append(i.report.Files, report)
	return nil
}

// madeOn returns the day on which a file was made, at the latest.
func (i *importing) madeOn(s *Source) bookrules.Day {
	made := i.record.At
	if !s.Made.IsZero() && s.Made.Before(made) {
		made = s.Made
	}
	return bookrules.DayOf(civil.Of(made))
}

// storeError marks an error of the database. It stops the import, because the next file would fail
// too.
type storeError struct{ error }

func (e storeError) Unwrap() error { return e.error }

func isOwn(err error) bool {
	return errors.As(err, new(storeError)) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrBusy)
}

// take reads a file of a known format and stores its content. A file that was imported before is
// not read again.
func (i *importing) take(r *recognized, report *ownbooks.FileReport) error {
	given := i.readOptions
	i.readOptions = i.recall(r, given)
	r.identify(i.readOptions)
	known, err := i.addFile(r)
	if err != nil {
		return storeError{err}
	}
	if known {
		return i.takeKnown(r.file, report)
	}
	c := &collector{
		write: i.change.write, org: i.change.Org, company: i.company, file: r.file, shows: i.options.Preview,
		said:          r.Name == coveredDays,
		today:         civil.Of(i.change.Now()),
		byAddress:     map[*bank.Statement]*collected{},
		listsBySource: map[*bank.OpenItems]*collectedList{},
	}
	i.collector, i.copies, i.sameAccount = c, map[string]int64{}, cmp.Or(r.SameAccount, i.options.SameAccount)
	defer func() { _ = c.wait() }() // after a panic too
	err = r.read(i.readOptions, c)
	if waited := c.wait(); err == nil {
		err = waited
	}
	if err == nil {
		err = c.finish(i.options.Covers, i.resolve)
	}
	report.OpenItems, report.Bills, report.Rates = c.openItems, c.bills, c.rates
	report.Problems = append(report.Problems, c.problems...)
	if err != nil {
		return errors.Join(err, i.giveUp(r.file))
	}
	if err := i.remember(r, given, c.statements); err != nil {
		return err
	}
	report.Problems = append(report.Problems, i.recalled(r, given)...)
	if len(c.statements) == 0 && len(c.lists) == 0 && c.rates == 0 {
		report.Problems = append(report.Problems, "there is nothing in it to import")
	}
	if err := i.link(r.file); err != nil {
		return err
	}
	file := readFile{
		key: r.file.Key, report: len(i.report.Files), sources: c.statements, unnamed: i.readOptions.Account == "",
	}
	for _, s := range c.statements {
		file.statements = append(file.statements, s.stored)
	}
	i.read, i.contents = append(i.read, file), nil
	return nil
}

// addFile stores a file, or reads it if an earlier import has stored it.
func (i *importing) addFile(r *recognized) (known bool, err error) {
	err = i.change.write(func(tx *store.Tx) error {
		stored, err := tx.BookFile(i.change.Org, r.file.Hash)
		if known = err == nil; known {
			r.file = stored
		}
		if errors.Is(err, store.ErrNotFound) {
			r.file.Key, err = tx.InsertBookFile(i.change.Org, r.file)
		}
		return err
	})
	return known, err
}

// takeKnown adds a file that was imported before to this import, without reading it again.
func (i *importing) takeKnown(file bookrules.File, report *ownbooks.FileReport) error {
	known := readFile{known: true, key: file.Key, report: len(i.report.Files)}
	for _, s := range i.statements {
		if s.File == file.Key {
			known.statements = append(known.statements, s)
		}
	}
	i.read, i.contents = append(i.read, known), nil
	report.Problems = append(report.Problems, fmt.Sprintf("imported before: the same %s file", file.Format))
	return i.link(file)
}

// link adds a file to the import.
func (i *importing) link(file bookrules.File) error {
	err := i.change.write(func(tx *store.Tx) error {
		return tx.LinkBookFile(i.change.Org, i.record.Key,
			bookrules.ImportedFile{Name: i.current, Made: i.made, File: file})
	})
	if err != nil {
		return storeError{err}
	}
	return nil
}

// giveUp leaves out what is stored of a file that could not be read to its end.
func (i *importing) giveUp(file bookrules.File) error {
	return i.change.write(func(tx *store.Tx) error {
		if i.change.stage == nil {
			return tx.DeleteUnlinkedBookFiles(i.change.Org)
		}
		return tx.GiveUpFile(i.change.Org, file.Key)
	})
}
