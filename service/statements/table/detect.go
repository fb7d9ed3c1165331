package table

import (
	"bytes"
	"io"
	"strings"

	"tarmac/service/statements/bank"
)

// delimiters lists the possible separators of fields, the most common first.
var delimiters = []byte{',', ';', '\t', '|'}

// maxPreamble is the number of records among which the header must be. maxSample is the number of
// records from which the delimiter of the rows is inferred.
const (
	maxPreamble = 60
	maxSample   = 400
)

// maxColumns is the largest number of columns of a file.
const maxColumns = 200

// detect infers the layout of a file from its first bytes. It returns false if the file does not
// look like a bank export. If several charsets are possible, it takes the one in which most column
// names of the header are known.
func detect(b *bank.Budget, head []byte) (*layout, bool) {
	var (
		best *layout
		most int
	)
	names := charsets(head)
	for _, name := range names {
		text := start{b, decoded(head, name)}
		switch found, words := detectHeader(text); {
		case words < 0:
			return nil, false
		case words > most:
			best, most = found, words
			best.charset = name
		}
	}
	if best != nil {
		return best, true
	}
	found, ok := detectContent(start{b, decoded(head, names[0])})
	if ok {
		found.charset = names[0]
	}
	return found, ok
}

// decoded returns the first bytes of a file as UTF-8. It removes an incomplete last line.
func decoded(head []byte, charset string) string {
	all, err := io.ReadAll(bank.Decode(bytes.NewReader(head), head, charset))
	if err != nil {
		return ""
	}
	text := string(all)
	if len(head) >= bank.HeadSize {
		text = text[:strings.LastIndexAny(text, "\r\n")+1]
	}
	if strings.IndexByte(text, 0) >= 0 {
		return ""
	}
	return text
}

// start is the text at the start of a file.
type start struct {
	budget *bank.Budget
	text   string
}

// sample returns the first records of a text, at most the given number. It stops at a record that
// cannot be read.
func (s start) sample(delimiter byte, most int) []record {
	in := newRecords(s.budget, strings.NewReader(s.text), delimiter)
	var all []record
	for len(all) < most {
		next, err := in.next()
		if err != nil {
			break
		}
		all = append(all, record{line: next.line, text: next.text, fields: append([]string(nil), next.fields...)})
	}
	return all
}

// detectHeader looks for the header with each delimiter: the record with most known column names.
// It returns the layout and the number of these names, 0 if no record is the header of a bank
// export, or -1 if the header is of a list that isn't a statement.
func detectHeader(text start) (*layout, int) {
	var (
		best   *record
		before []record
		most   int
	)
	for _, delimiter := range delimiters {
		all := text.sample(delimiter, maxPreamble)
		for i := range all {
			if count := countHeaderNames(&all[i]); count > most {
				best, before, most = &all[i], all[:i], count
			}
		}
	}
	if best == nil {
		return nil, 0
	}
	found := &layout{header: best.text, headerLine: best.line, preamble: readPreamble(before)}
	found.card = found.preamble.card
	found.delimiter = rowDelimiter(text, best)
	columns := headerColumns(best.fields)
	for _, one := range columns {
		found.names = append(found.names, one.name)
	}
	for _, field := range best.fields {
		found.headings = append(found.headings, clean(field))
	}
	dated := countColumns(text, found, columns)
	if found.sides = twoSidesOf(columns); found.sides != nil {
		found.making = found.hash(columns)
		return found, most
	}
	chosen := found.choose(columns)
	if found.wanted == "" && (chooser{columns}).otherList() != "" {
		return nil, -1
	}
	if !chosen {
		return nil, 0
	}
	if !dated && (len(found.text)+len(found.party) == 0 || hasRows(text, found)) {
		return nil, 0
	}
	found.making = found.hash(columns)
	found.signs = found.readSignForm(text.sample(found.delimiter, bank.HeadSize))
	return found, most
}

// countHeaderNames returns the number of fields that are known column names. It returns 0 if the
// record has no name for a date or none for an amount, or too few known names to be a header.
func countHeaderNames(r *record) int {
	if len(r.fields) < 3 || len(r.fields) > maxColumns {
		return 0
	}
	var named, strong, dates, amounts, texts int
	for _, field := range r.fields {
		if isValue(field) {
			return 0
		}
		if len(field) > 100 {
			continue
		}
		found, _, weak := roleOf(field)
		switch found {
		case roleBooked, roleDate, roleTraded, roleValueDate:
			dates++
		case roleAmount, roleNet, roleGross, roleDebit, roleCredit, roleValue:
			amounts += 2 - boolean(weak)
		case roleOriginal:
			amounts++ // one of two sides
		case roleText, roleParty, rolePayee, rolePayer, roleMethod:
			texts++
		}
		named += boolean(field != "")
		strong += boolean(found != roleNone && !weak)
	}
	if dates == 0 || amounts == 0 || strong < 2 || strong*4 < named || texts == 0 && amounts < 2 {
		return 0
	}
	return strong
}

// isValue reports whether a field is a date or an amount, and so cannot be a column name.
func isValue(field string) bool {
	_, date := scanDate(field)
	_, amount := scanAmount(field)
	return date || amount
}

func headerColumns(fields []string) []column {
	columns := make([]column, len(fields))
	for i, field := range fields {
		columns[i].name = fold(field)
		columns[i].role, columns[i].currency, columns[i].weak = roleOf(field)
	}
	return columns
}

// rowDelimiter returns the delimiter of the records after the header, which may differ from the
// header's delimiter. It is the one with which most records have as many fields as the header, plus
// or minus one.
func rowDelimiter(text start, header *record) byte {
	best, most := byte(','), -1
	for _, delimiter := range delimiters {
		count := 0
		for _, r := range text.sample(delimiter, maxSample) {
			if r.line <= header.line {
				continue
			}
			fields := len(r.fields)
			if fields == len(header.fields) || fields+1 == len(header.fields) || fields == len(header.fields)+1 {
				count++
			}
		}
		if count > most || count == most && strings.IndexByte(header.text, best) < 0 &&
			strings.IndexByte(header.text, delimiter) >= 0 {
			best, most = delimiter, count
		}
	}
	return best
}

// countColumns counts the cells of all records that have a date in a column of dates. It reports
// whether there is such a record.
func countColumns(text start, l *layout, columns []column) bool {
	found := false
	for _, r := range text.sample(l.delimiter, bank.HeadSize) {
		if r.line <= l.headerLine || !hasDate(&r, columns) {
			continue
		}
		found = true
		for i := range columns {
			columns[i].add(r.field(i))
		}
	}
	return found
}

func hasDate(r *record, columns []column) bool {
	for i := range columns {
		switch columns[i].role {
		case roleBooked, roleDate, roleTraded, roleValueDate, roleValue:
			if _, ok := scanDate(r.field(i)); ok {
				return true
			}
		}
	}
	return false
}

// hasRows reports whether a record with several fields follows the header.
func hasRows(text start, l *layout) bool {
	for _, r := range text.sample(l.delimiter, maxSample) {
		if r.line > l.headerLine && len(r.fields) > 1 && !r.empty() {
			return true
		}
	}
	return false
}
