package bai2

import (
	"io"
	"strings"

	"github.com/moov-io/bai2/pkg/lib"

	"tarmac/service/statements/bank"
)

// Codes of records.
const (
	fileHeader   = "01"
	groupHeader  = "02"
	accountStart = "03"
	transaction  = "16"
	accountEnd   = "49"
	continuation = "88"
	groupEnd     = "98"
	fileEnd      = "99"
)

// record is a record with its continuations.
type record struct {
	code  string
	line  int
	count int // physical records: itself and its continuations
	text  string
}

// records splits text into records.
type records struct {
	lines *bank.Lines
	next  record
	begun bool
	rest  string // of the line, after a record that ended within it
	line  int
}

// read returns the next record, or io.EOF.
func (r *records) read() (record, error) {
	for {
		if err := r.nextLine(); err == io.EOF && r.begun {
			r.begun = false
			return r.next, nil
		} else if err != nil {
			return record{}, err
		}
		found, ok, err := r.take(r.rest)
		if ok || err != nil {
			return found, err
		}
	}
}

// nextLine reads a line unless a part of the last is left.
func (r *records) nextLine() error {
	if r.rest != "" {
		return nil
	}
	text, line, err := r.lines.Next()
	if err != nil {
		return err
	}
	r.line = line
	r.rest = strings.TrimFunc(text, func(c rune) bool { return c <= ' ' })
	return nil
}

// take takes the first record of a line. It returns the record before it if it is not its
// continuation.
func (r *records) take(text string) (before record, had bool, err error) {
	r.rest = ""
	code := recordCode(text)
	if code != transaction && code != continuation {
		// Records without text end at their slash, and others may follow on the line.
		if at := strings.IndexByte(text, '/'); at >= 0 && recordCode(strings.TrimSpace(text[at+1:])) != "" {
			text, r.rest = text[:at+1], strings.TrimSpace(text[at+1:])
		}
	}
	switch {
	case text == "":
		return record{}, false, nil
	case code == continuation || code == "":
		return record{}, false, r.extend(text, code)
	}
	before, had = r.next, r.begun
	r.next, r.begun = record{code: code, line: r.line, count: 1, text: text}, true
	return before, had, nil
}

// extend adds a continuation, or a line that goes on with a text, to the current record.
func (r *records) extend(text, code string) error {
	switch {
	case !r.begun:
		return bank.Errorf(r.line, "%q is not a record of BAI2", bank.Short(text))
	case len(r.next.text)+len(text) > bank.MaxLine:
		return bank.Errorf(r.line, "longer than 1 MB")
	case code == "":
		r.next.text += " " + text
	default:
		r.next.text += "\n" + text
		r.next.count++
	}
	return nil
}

// recordCode returns the code of the record that a text begins with, or "".
func recordCode(text string) string {
	if len(text) < 3 || text[2] != ',' {
		return ""
	}
	switch code := text[:2]; code {
	case fileHeader, groupHeader, accountStart, transaction, accountEnd, continuation, groupEnd, fileEnd:
		return code
	}
	return ""
}

// fields returns the fields of a record that has no text: of all but transactions.
func (r record) fields() []string {
	text := strings.ReplaceAll(r.text, "/\n"+continuation+",", ",")
	text = strings.ReplaceAll(text, "\n"+continuation+",", ",")
	text, _, _ = strings.Cut(text, "/")
	fields := strings.Split(text, ",")[1:]
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return append(fields, make([]string, 10)...) // those that are left out are empty
}

// scanner returns the record for the library, whose lines end with slashes, and what follows.
func (r record) scanner(after string) *lib.Bai2Scanner {
	var b strings.Builder
	for line := range strings.SplitSeq(r.text, "\n") {
		b.WriteString(line)
		if !strings.HasSuffix(line, "/") {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	b.WriteString(after)
	scanner := lib.NewBai2Scanner(strings.NewReader(b.String()))
	return &scanner
}

// account parses the start of an account.
func (r record) account() (account *lib.Account, err error) {
	defer r.recovered(&err)
	account = lib.NewAccount()
	if err := account.Read(r.scanner(accountEnd+",0,2/\n"), false); err != nil {
		return nil, r.refused()
	}
	return account, nil
}

// detail parses a transaction.
func (r record) detail() (detail *lib.Detail, err error) {
	defer r.recovered(&err)
	detail = lib.NewDetail()
	if err := detail.Read(r.scanner(""), false); err != nil {
		return nil, r.refused()
	}
	return detail, nil
}

// recovered turns a panic of the library, which damaged records cause, into an error.
func (r record) recovered(err *error) {
	if recover() != nil {
		*err = r.refused()
	}
}

func (r record) refused() error {
	return bank.Errorf(r.line, "%q is not %s", bank.Short(r.text), map[string]string{
		accountStart: "the start of an account", transaction: "a transaction",
	}[r.code])
}
