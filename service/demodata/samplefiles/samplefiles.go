// Package samplefiles generates bank files of the sample company, so that imports can be tried
// without a bank: statements of four accounts in five formats, open invoices, bills to pay,
// exchange rates, a plan and rules.
//
// The files show the transactions of demodata with the same seed, at a fixed time of the same day:
//
//   - Every transaction with a known amount is a line of one account.
//   - A transfer between two of the accounts has a line on each, which names the other account.
//   - In every statement, the opening balance and the lines add up to the closing balance.
//   - Files that overlap have the same lines on the same days.
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
	// fullMonths is the number of full months that the files cover. They also cover the current
	// month up to yesterday.
	fullMonths = 18
	// openItemsAge is the age in days of the list of open invoices. Customers have paid some of
	// these invoices since.
	openItemsAge = 14
	// downloadTime is the time of day at which the history ends. Histories depend on the time, and
	// files that are generated twice on a day must be the same.
	downloadTime = 18 * time.Hour
)

// Options configures the generated files.
type Options struct {
	Company  string // name of the sample company
	Currency string // of the company: USD or EUR; "" means USD
	Seed     int64
	Today    civil.Date // day on which the files are generated; they cover the days before it
}

// File is a generated file.
type File struct {
	Name    string
	Content []byte
}

// Generate returns the bank files of the sample company. The same options give the same bytes.
func Generate(opts Options) ([]File, error) {
	h, err := demodata.NewHistory(demodata.Options{
		Seed: opts.Seed, Transactions: demodata.DefaultTransactions, Today: opts.Today.Time().Add(downloadTime),
	})
	if err != nil {
		return nil, err
	}
	last := opts.Today.AddDays(-1)
	first := last.FirstOfMonth().AddMonths(-fullMonths)
	c := newCompany(opts, first, last)
	c.book(h.Rows)

	s := &set{company: c, today: opts.Today}
	s.writeOperating()
	s.writeForeign()
	s.writeSavings()
	s.writeCard()
	s.writeOpenItems(c.openItems(h, opts.Today.AddDays(-openItemsAge)))
	billed := opts.Today.AddDays(-billsAge)
	s.writeBills(billed, c.bills(h, billed))
	s.writePlan(h)
	s.writeRules(h)
	s.writeRates()
	return s.files, s.err
}

// set collects the generated files.
type set struct {
	*company
	today civil.Date
	files []File
	err   error // first error of add
}

// add adds a file with the content that write writes. After an error it does nothing.
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
