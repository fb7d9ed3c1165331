package bai2

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/service/statements/bank"
)

// reader reads the records of a file in order.
type reader struct {
	options bank.Options
	sink    bank.Sink
	records records

	// open has the codes of the headers whose trailers were not read yet, the outermost first.
	open       []string
	statements int
	file       envelope
	group      group
	account    account
}

// envelope counts the records between a header and its trailer, to compare them with the totals in
// the trailer.
type envelope struct {
	parts    int // number of accounts in a group, or of groups in a file
	records  int
	total    int64
	overflow bool
}

// add adds an amount to the total.
func (e *envelope) add(minor int64) {
	sum, ok := money.Add(e.total, minor)
	e.total, e.overflow = sum, e.overflow || !ok
}

// group is a group of accounts that a bank reports together, as of one day.
type group struct {
	envelope
	bank     string
	currency string
	asOf     civil.Date
	interim  bool // true if the day is not over, so that its closing balances are preliminary
	ignored  bool // true if the group is a test or deletes an earlier one
}

func (r *reader) read() error {
	for {
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

// finish returns an error if the file is cut short or has no account.
func (r *reader) finish() error {
	switch {
	case len(r.open) > 0:
		return bank.Errorf(r.records.line, "the file ends without a record %s: it is cut short", ends[r.open[len(r.open)-1]])
	case r.statements == 0:
		return bank.Errorf(0, "contains no account")
	}
	return nil
}

// ends maps headers to their trailers. outside maps each record to the header that must be
// open before it.
var (
	ends    = map[string]string{fileHeader: fileEnd, groupHeader: groupEnd, accountStart: accountEnd}
	outside = map[string]string{
		groupHeader: fileHeader, accountStart: groupHeader, transaction: accountStart, accountEnd: accountStart,
		groupEnd: groupHeader, fileEnd: fileHeader,
	}
)

// take handles a record. It returns an error if the record is not allowed at this point of the
// file.
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

// beginGroup reads a group header: receiver, bank, status, date, time, currency, and a code that
// says whether the day is over.
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

// currency returns a currency code in capitals. It returns "" for an empty text, and an error for
// other text that is not a currency.
func currency(text string, line int) (string, error) {
	code := strings.ToUpper(text)
	if code != "" && !bank.IsCurrency(code) {
		return "", bank.Errorf(line, "%q is not a currency", bank.Short(text))
	}
	return code, nil
}

// endGroup compares the totals in a group's trailer with its accounts.
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

// endFile compares the totals in a file's trailer with its groups.
func (r *reader) endFile(next record) error {
	r.file.records += next.count
	fields := next.fields()
	r.check(next, "file", r.file, fields[0], fields[1], fields[2])
	return nil
}

// addControl adds a control total to the next higher level: the total of an account to its group,
// or the total of a group to its file.
func (r *reader) addControl(e *envelope, text string) {
	total, err := parseAmount(text, 0)
	e.add(total)
	e.overflow = e.overflow || err != nil
}

// check compares the totals in a trailer with those that were counted. If one differs, it passes a
// warning to the sink.
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
