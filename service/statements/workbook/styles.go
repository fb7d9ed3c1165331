package workbook

import (
	"regexp"
	"strconv"
	"strings"

	"tarmac/service/statements/elements"
)

// form says what the number of a cell is.
type form uint8

const (
	number form = iota
	date        // a day, perhaps with a time
	clock       // a time alone
)

// readStyles reads which styles of cells make a date of a number.
func (w *Workbook) readStyles(name string) error {
	if name == "" {
		return nil
	}
	custom, inCells := map[int]form{}, false
	return w.read(name, func(_ *elements.Reader, tag elements.Tag) error {
		switch string(tag.Name) {
		case "numFmt":
			if id, err := strconv.Atoi(tag.Attribute("numFmtId")); err == nil && len(custom) < maxStyles {
				custom[id] = formOf(tag.Attribute("formatCode"))
			}
		case "cellXfs":
			inCells = !tag.End
		case "xf":
			if !inCells || tag.End || len(w.dates) == maxStyles {
				return nil
			}
			id, _ := strconv.Atoi(tag.Attribute("numFmtId"))
			one, found := custom[id]
			if !found {
				one = builtIn(id)
			}
			w.dates = append(w.dates, one)
		}
		return nil
	})
}

// builtIn returns what numbers mean in one of Excel's own formats, which workbooks use without
// defining them. The formats from 27 on belong to East Asian versions.
func builtIn(id int) form {
	switch {
	case id >= 18 && id <= 21, id >= 45 && id <= 47:
		return clock
	case id >= 14 && id <= 22, id >= 27 && id <= 36, id >= 50 && id <= 58:
		return date
	}
	return number
}

// literal matches what is no code in a number format: texts, escaped and padding characters,
// colours, conditions and locales.
var literal = regexp.MustCompile(`"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?|(?i:general|e[+-])`)

// formOf returns what numbers are in a format such as dd/mm/yyyy.
func formOf(code string) form {
	code, _, _ = strings.Cut(literal.ReplaceAllString(code, ""), ";")
	code = strings.ToLower(code)
	switch {
	case strings.ContainsAny(code, "0#?"):
		if !strings.ContainsAny(code, "yd") {
			return number // also 0.00 and mm:ss.0
		}
		return date
	case strings.ContainsAny(code, "yd") || strings.Contains(code, "mmm"):
		return date
	case strings.ContainsAny(code, "hs"):
		return clock
	}
	return number
}
