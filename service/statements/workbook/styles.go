package workbook

import (
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
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
	return w.read(name, func(d *xml.Decoder) error {
		for {
			token, err := d.RawToken()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			switch token := token.(type) {
			case xml.EndElement:
				inCells = inCells && token.Name.Local != "cellXfs"
			case xml.StartElement:
				id, _ := strconv.Atoi(attribute(token, "numFmtId"))
				switch token.Name.Local {
				case "numFmt":
					custom[id] = formOf(attribute(token, "formatCode"))
				case "cellXfs":
					inCells = true
				case "xf":
					if inCells && len(w.dates) < maxStyles {
						one, found := custom[id]
						if !found {
							one = builtIn(id)
						}
						w.dates = append(w.dates, one)
					}
				}
			}
		}
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

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
