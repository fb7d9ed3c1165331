package table

import (
	"fmt"
	"strings"

	"tarmac/service/statements/bank"
)

const (
	// leastNames is the smallest number of known column names of a header.
	leastNames = 2
	// mostHeadings is the number of headings that a message lists.
	mostHeadings = 12
)

// Explain says of a file that begins with head, and that Format doesn't recognize, what was found
// in it and what is missing. It returns "" if the file isn't a table.
func Explain(b *bank.Budget, head []byte) string {
	text := start{b, decoded(head, charsets(head)[0])}
	header, delimiter, names := text.likelyHeader()
	if names < leastNames {
		return text.explainRows()
	}
	found := &layout{headerLine: header.line, delimiter: delimiter}
	columns := headerColumns(header.fields)
	if reason := (chooser{columns}).otherList(); reason != "" {
		return "is " + reason
	}
	for _, r := range text.sample(found.delimiter, maxSample) {
		if r.line > header.line && len(r.fields) > 1 {
			for i := range columns {
				columns[i].add(r.field(i))
			}
		}
	}
	if reason := serials(columns); reason != "" {
		return reason
	}
	return explainColumns(header, columns)
}

// likelyHeader returns the record with most known column names, and their number.
func (s start) likelyHeader() (header *record, delimiter byte, most int) {
	for _, d := range delimiters {
		all := s.sample(d, maxPreamble)
		for i := range all {
			names := 0
			for _, field := range all[i].fields {
				if len(field) > 60 || isValue(field) {
					continue
				}
				if r, _, _ := roleOf(field); r != roleNone {
					names++
				}
			}
			if names > most && names*3 >= len(all[i].fields) {
				header, delimiter, most = &all[i], d, names
			}
		}
	}
	return header, delimiter, most
}

// explainColumns lists the columns that a header names, and those that are missing.
func explainColumns(header *record, columns []column) string {
	var date, amount, text bool
	for i := range columns {
		switch one := &columns[i]; one.role {
		case roleBooked, roleDate, roleTraded, roleValueDate:
			date = date || one.filled == 0 || one.dates > 0
		case roleAmount, roleNet, roleGross, roleDebit, roleCredit, roleValue:
			amount = amount || one.filled == 0 || one.amounts > 0
		case roleText, roleParty, rolePayee, rolePayer, roleMethod:
			text = true
		}
	}
	var found, missing []string
	for _, one := range []struct {
		is   bool
		name string
	}{{date, "a date"}, {amount, "an amount"}, {text, "a payee or text"}} {
		if one.is {
			found = append(found, one.name)
		} else {
			missing = append(missing, one.name)
		}
	}
	var headings []string
	for _, field := range header.fields {
		if field = short(field); field != "" && len(headings) < mostHeadings {
			headings = append(headings, field)
		}
	}
	parts := "is a table, but no statement: "
	if len(found) > 0 {
		parts += "columns found: " + strings.Join(found, ", ") + "; "
	}
	if len(missing) > 0 {
		parts += "missing: a column with " + strings.Join(missing, ", ") + ". "
	} else {
		parts += "no row has a date and an amount in them. "
	}
	return fmt.Sprintf("%sHeadings in line %d: %s", parts, header.line, strings.Join(headings, ", "))
}

// serials says that the dates of a table are day numbers of a spreadsheet. It returns "" if they
// are not.
func serials(columns []column) string {
	const first, last = 20000, 80000 // 1954 to 2119
	for i := range columns {
		one := &columns[i]
		switch one.role {
		case roleBooked, roleDate, roleTraded, roleValueDate:
		default:
			continue
		}
		numbers, example := 0, ""
		for _, cell := range one.cells {
			var day int
			if n, err := fmt.Sscanf(cell, "%d", &day); n == 1 && err == nil && day >= first && day <= last && len(cell) == 5 {
				numbers, example = numbers+1, cell
			}
		}
		if one.mostly(numbers) && numbers > 0 {
			return fmt.Sprintf("has numbers instead of dates in the column %q, such as %s: format the column as dates "+
				"in the spreadsheet, and save it again", short(one.name), example)
		}
	}
	return ""
}

// explainRows says what the rows of a file without a header have.
func (s start) explainRows() string {
	for _, delimiter := range delimiters {
		dates, amounts, rows := 0, 0, 0
		for _, r := range s.sample(delimiter, maxSample) {
			if len(r.fields) < 3 {
				continue
			}
			rows++
			date, amount := false, false
			for _, field := range r.fields {
				if isDate(field) {
					date = true
				} else if _, ok := scanAmount(field); ok {
					amount = true
				}
			}
			dates, amounts = dates+boolean(date), amounts+boolean(amount)
		}
		if rows > 0 && dates*2 >= rows && amounts*2 >= rows {
			return "has dates and amounts, but no header that names its columns, and the rows don't show which amount " +
				"counts: add a first line such as Date, Description, Amount"
		}
	}
	return ""
}
