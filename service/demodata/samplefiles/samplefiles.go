// Package samplefiles generates the bank files of the sample company, so that imports can be
// tried without a bank: statements of four accounts in five formats, open invoices and exchange
// rates.
//
// The files tell one story, that of demodata with the same seed and time:
//
//   - Every settled transaction is a line of one account.
//   - Money moves between the accounts by pairs of lines whose texts name the other account.
//   - Opening balance, lines and closing balance of every statement add up to the cent.
//   - Files that overlap have the same lines for the same days.
package samplefiles

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/demodata"
)

const (
	// fullMonths is the number of full months that the files cover. The current month up to
	// yesterday follows.
	fullMonths = 18
	// openItemsAge is the age of the list of open invoices in days. Customers have paid some of
	// them since.
	openItemsAge = 14
)

// Options configures the generated files.
type Options struct {
	Company string // name of the company
	Seed    int64
	Today   time.Time // time of the download; the files cover the days before it
}

// File is a generated file.
type File struct {
	Name    string
	Content []byte
}

// Generate returns the files. The same options give the same files, byte for byte.
func Generate(opts Options) ([]File, error) {
	h, err := demodata.NewHistory(demodata.Options{
		Seed: opts.Seed, Transactions: demodata.DefaultTransactions, Today: opts.Today,
	})
	if err != nil {
		return nil, err
	}
	today := civil.Of(opts.Today.UTC())
	last := today.AddDays(-1)
	first := last.FirstOfMonth().AddMonths(-fullMonths)
	c := newCompany(opts.Company, newRates(opts.Seed, first, last), first, last)
	c.book(h.Rows)

	s := &set{company: c, today: today}
	s.writeOperating()
	s.writeEuro()
	s.writeSavings()
	s.writeCard()
	s.writeOpenItems(openItems(h, today.AddDays(-openItemsAge)))
	s.writeRates()
	return s.files, s.err
}

// set is the set of files written so far.
type set struct {
	*company
	today civil.Date
	files []File
	err   error // the first error
}

// add writes a file, unless writing an earlier one failed.
func (s *set) add(name string, write func(io.Writer) error) {
	if s.err != nil {
		return
	}
	var content bytes.Buffer
	if err := write(&content); err != nil {
		s.err = fmt.Errorf("writing %s: %w", name, err)
		return
	}
	s.files = append(s.files, File{name, content.Bytes()})
}
