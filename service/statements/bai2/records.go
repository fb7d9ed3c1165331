package bai2

import (
	"io"
	"strconv"
	"strings"

	"tarmac/service/statements/bank"
)

// Record codes of BAI2.
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

// record is a record joined with its continuation records.
type record struct {
	code  string
	line  int
	count int // number of records in the file: 1 and its continuations
	text  string
}

// records splits the lines of a file into records.
type records struct {
	lines *bank.Lines
	next  record
	text  []byte // text of next
	begun bool
	rest  string // rest of the line, if a record ended within the line
	line  int
	// joined is true if the file has several records on a line.
	joined bool
}

// read returns the next record, or io.EOF at the end.
func (r *records) read() (record, error) {
	for {
		if err := r.nextLine(); err == io.EOF && r.begun {
			r.begun = false
			return r.current(), nil
		} else if err != nil {
			return record{}, err
		}
		found, ok, err := r.take(r.rest)
		if ok || err != nil {
			return found, err
		}
	}
}

// nextLine reads a line. It does nothing if a part of the previous line is left.
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

// take handles the first record of a line. A continuation is added to the current record. Another
// record becomes the current one, and the previous one is returned.
func (r *records) take(text string) (before record, had bool, err error) {
	r.rest = ""
	code := recordCode(text)
	if at := r.end(text, code); at >= 0 {
		text, r.rest, r.joined = text[:at], strings.TrimSpace(text[at:]), true
	}
	switch {
	case text == "":
		return record{}, false, nil
	case code == continuation || code == "":
		return record{}, false, r.extend(text, code)
	}
	if had = r.begun; had {
		before = r.current()
	}
	r.next, r.text, r.begun = record{code: code, line: r.line, count: 1}, append(r.text[:0], text...), true
	return before, had, nil
}

// current returns the record that was read.
func (r *records) current() record {
	r.next.text = string(r.text)
	return r.next
}

// end returns where a record ends within a line, or -1 if no other record follows it there. Records
// end at the slash. The texts of transactions may have slashes too: they end at the first slash
// that another record follows, if other records of the file share lines.
func (r *records) end(text, code string) int {
	for at := 0; ; {
		slash := strings.IndexByte(text[at:], '/')
		if slash < 0 {
			return -1
		}
		at += slash + 1
		follows := recordCode(strings.TrimSpace(text[at:])) != ""
		switch hasText := code == transaction || code == continuation; {
		case follows && (r.joined || !hasText):
			return at
		case !hasText:
			return -1
		}
	}
}

// extend adds a continuation record, or a further line of a text, to the current record.
func (r *records) extend(text, code string) error {
	switch {
	case !r.begun:
		return bank.Errorf(r.line, "%q is not a record of BAI2", bank.Short(text))
	case len(r.text)+len(text) > bank.MaxLine:
		return bank.Errorf(r.line, "longer than 1 MB")
	case code == "":
		r.text = append(append(r.text, ' '), text...)
	default:
		r.text = append(append(r.text, '\n'), text...)
		r.next.count++
	}
	return nil
}

// recordCode returns the record code at the start of a text, or "" if there is none.
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

// fields returns the fields after the record code. It must not be called for transactions, whose
// text may contain commas.
func (r record) fields() []string {
	text := strings.ReplaceAll(r.text, "/\n"+continuation+",", ",")
	text = strings.ReplaceAll(text, "\n"+continuation+",", ",")
	text, _, _ = strings.Cut(text, "/")
	fields := strings.Split(text, ",")[1:]
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return append(fields, make([]string, padding)...)
}

// padding is the number of empty fields that fields adds in place of those that are left out.
const padding = 10

// summary is a balance or a total of an account.
type summary struct{ code, amount string }

// accountHeader is the header of an account.
type accountHeader struct {
	number, currency string
	summaries        []summary
}

// fundsFields holds the number of fields that follow a funds type.
var fundsFields = map[string]int{"S": 3, "V": 2}

// account parses the header of an account. Banks add empty fields at the end, and between
// summaries.
func (r record) account() (accountHeader, error) {
	fields := r.fields()
	h := accountHeader{number: fields[0], currency: fields[1]}
	if h.number == "" {
		return accountHeader{}, r.refused()
	}
	for fields = fields[2:]; len(fields) > 4; {
		if fields[0] == "" && fields[1] == "" || fields[0] == "" && isTypeCode(fields[1]) {
			fields = fields[1:]
			continue
		}
		if cut := len(fields) == 1+padding; fields[0] != "" && (cut || !isTypeCode(fields[0])) {
			return accountHeader{}, r.refused()
		}
		h.summaries = append(h.summaries, summary{fields[0], fields[1]})
		next := 4 + fundsFields[fields[3]]
		if parts, err := strconv.Atoi(fields[4]); err == nil && fields[3] == "D" {
			next += 1 + 2*max(0, min(parts, len(fields)))
		}
		fields = fields[min(next, len(fields)):]
	}
	return h, nil
}

// isTypeCode reports whether a field is a type code.
func isTypeCode(text string) bool {
	return len(text) == 3 && strings.Trim(text, "0123456789") == ""
}

// detail is a transaction.
type detail struct {
	code, amount      string
	value             string // value date; "" if there is none
	bankRef, ownerRef string
	text              string
}

// detail parses a transaction. Banks leave out the last fields.
func (r record) detail() (d detail, err error) {
	var whole strings.Builder
	for line := range strings.SplitSeq(r.text, "\n") {
		if whole.Len() > 0 {
			whole.WriteByte(',')
		}
		whole.WriteString(strings.TrimSuffix(line[len(continuation)+len(","):], "/"))
	}
	rest, last := whole.String(), false
	next := func() (field string) {
		last = rest == ""
		field, rest, _ = strings.Cut(rest, ",")
		return field
	}
	d.code, d.amount = next(), next()
	ok := !last && (d.code == "" || isTypeCode(d.code)) && strings.Trim(d.amount, "+-0123456789") == ""
	switch next() {
	case "", "0", "1", "2", "Z", "z":
	case "S": // what is available at once, after a day, and later
		_, _, _ = next(), next(), next()
	case "V": // a date and a time
		d.value, _ = next(), next()
	case "D": // days and amounts
		count, err := strconv.Atoi(next())
		for ok = ok && err == nil && count >= 0; ok && count > 0; count-- {
			_, _ = next(), next()
			ok = !last
		}
	default:
		ok = false
	}
	if !ok {
		return detail{}, r.refused()
	}
	d.bankRef, d.ownerRef = next(), next()
	d.text = rest
	return d, nil
}

func (r record) refused() error {
	return bank.Errorf(r.line, "%q is not %s", bank.Short(r.text), map[string]string{
		accountStart: "the start of an account", transaction: "a transaction",
	}[r.code])
}
