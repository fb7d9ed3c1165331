package bai2

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// reader follows the records of a file.
type reader struct {
	ctx     context.Context
	options bank.Options
	sink    bank.Sink
	records records

	open       []string // the codes of the headers whose trailers have not come
	statements int
	file       envelope
	group      group
	account    account
}

// envelope counts what a trailer says about the records between it and its header.
type envelope struct {
	parts    int // accounts of a group, groups of a file
	records  int
	total    int64
	overflow bool
}

// add adds an amount.
func (e *envelope) add(minor int64) {
	sum, ok := money.Add(e.total, minor)
	e.total, e.overflow = sum, e.overflow || !ok
}

// group is the accounts of a bank at one time.
type group struct {
	envelope
	bank     string
	currency string
	asOf     civil.Date
	interim  bool // its day is not over
	ignored  bool // it is a test or takes back what was sent
}

func (r *reader) read() error {
	for count := 0; ; count++ {
		if count%1024 == 0 && r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		next, err := r.records.read()
		if errors.Is(err, io.EOF) {
			return r.finish()
		}
		if err != nil {
			return err
		}
		if err := r.take(next); err != nil {
			return err
		}
	}
}

// finish checks that the file is whole.
func (r *reader) finish() error {
	switch {
	case len(r.open) > 0:
		return bank.Errorf(r.records.line, "the file ends without a record %s: it is cut short", ends[r.open[len(r.open)-1]])
	case r.statements == 0:
		return bank.Errorf(0, "contains no account")
	}
	return nil
}

// Headers, the trailers that end them, and the header that must be around them.
var (
	ends    = map[string]string{fileHeader: fileEnd, groupHeader: groupEnd, accountStart: accountEnd}
	outside = map[string]string{
		groupHeader: fileHeader, accountStart: groupHeader, transaction: accountStart, accountEnd: accountStart,
		groupEnd: groupHeader, fileEnd: fileHeader,
	}
)

// take handles a record in its place.
func (r *reader) take(next record) error {
	around := ""
	if len(r.open) > 0 {
		around = r.open[len(r.open)-1]
	}
	if around != outside[next.code] {
		return bank.Errorf(next.line, "a record %s stands where none may be", next.code)
	}
	switch next.code {
	case fileHeader, groupHeader, accountStart:
		r.open = append(r.open, next.code)
	case fileEnd, groupEnd, accountEnd:
		r.open = r.open[:len(r.open)-1]
	}
	switch next.code {
	case fileHeader:
		return r.beginFile(next)
	case groupHeader:
		return r.beginGroup(next)
	case accountStart:
		return r.beginAccount(next)
	case transaction:
		return r.transaction(next)
	case accountEnd:
		return r.endAccount(next)
	case groupEnd:
		return r.endGroup(next)
	}
	return r.endFile(next)
}

func (r *reader) beginFile(next record) error {
	r.file = envelope{records: next.count}
	if version := next.fields()[7]; version != "2" && version != "" {
		return bank.Errorf(next.line, "version %q of BAI is not read, only version 2", bank.Short(version))
	}
	return nil
}

// beginGroup reads the header of a group: receiver, bank, status, date, time, currency and
// whether the day is over.
func (r *reader) beginGroup(next record) error {
	fields := next.fields()
	asOf, err := parseDate(fields[3], next.line)
	if err != nil {
		return err
	}
	r.group = group{
		envelope: envelope{records: next.count}, bank: bank.Text(fields[1]), asOf: asOf,
		interim: fields[6] == "1" || fields[6] == "3",
	}
	if r.group.currency, err = currency(fields[5], next.line); err != nil {
		return err
	}
	switch fields[2] {
	case "2", "4":
		r.group.ignored = true
		r.sink.Problem(next.line, map[string]string{
			"2": "a group of accounts takes back what was sent before: it is not read",
			"4": "a group of accounts is a test: it is not read",
		}[fields[2]])
	case "3":
		r.sink.Problem(next.line, "a group of accounts corrects what was sent before")
	}
	return nil
}

// currency reads the code of a currency, which may be missing.
func currency(text string, line int) (string, error) {
	code := strings.ToUpper(text)
	if code != "" && !bank.IsCurrency(code) {
		return "", bank.Errorf(line, "%q is not a currency", bank.Short(text))
	}
	return code, nil
}

// endGroup compares the trailer of a group with its accounts.
func (r *reader) endGroup(next record) error {
	g := &r.group
	g.records += next.count
	fields := next.fields()
	r.check(next, "group", g.envelope, fields[0], fields[1], fields[2])
	r.file.parts++
	r.file.records += g.records
	r.addControl(&r.file, fields[0])
	return nil
}

// endFile compares the trailer of a file with its groups.
func (r *reader) endFile(next record) error {
	r.file.records += next.count
	fields := next.fields()
	r.check(next, "file", r.file, fields[0], fields[1], fields[2])
	return nil
}

// addControl adds the control total of a part to that of its whole.
func (r *reader) addControl(e *envelope, text string) {
	total, err := parseAmount(text, 0)
	e.add(total)
	e.overflow = e.overflow || err != nil
}

// check compares the totals of a trailer with what was counted, and names a difference.
func (r *reader) check(next record, what string, found envelope, total, parts, records string) {
	wrong := ""
	switch control, err := parseAmount(total, 0); {
	case err != nil || found.overflow || control != found.total:
		wrong = "control total"
	case parts != "" && !isCount(parts, found.parts):
		wrong = "number of parts"
	case records != "" && !isCount(records, found.records):
		wrong = "number of records"
	default:
		return
	}
	r.sink.Problem(next.line, fmt.Sprintf("the %s of the %s is not that of its content: lines may be missing or wrong",
		wrong, what))
}
