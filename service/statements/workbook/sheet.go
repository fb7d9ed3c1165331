package workbook

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"tarmac/service/statements/elements"
)

// CSV returns a visible sheet as CSV in UTF-8. The number of a line is that of the row. Dates are
// written as 2026-09-30, and numbers with a decimal point and without thousands separators. Errors
// of formulas are written as Excel shows them.
func (w *Workbook) CSV(sheet int) ([]byte, error) {
	s := &sheetReader{w: w}
	s.out = csv.NewWriter(&s.csv)
	if err := w.read(w.sheets[sheet], s.take); err != nil {
		return nil, err
	}
	s.out.Flush()
	return s.csv.Bytes(), nil
}

// sheetReader writes the rows of a sheet as CSV.
type sheetReader struct {
	w      *Workbook
	out    *csv.Writer
	csv    bytes.Buffer
	row    int // number of the last row that was written, from 1
	number int // number of the row that is being read
	size   int // bytes of all cells
	// cells are those of the row that is being read.
	cells []string
	// Of the cell that is being read:
	column      int
	kind, style string
	value       string
	text        text
}

func (s *sheetReader) take(in *elements.Reader, tag elements.Tag) error {
	switch name := string(tag.Name); {
	case name == "row" && tag.End:
		return s.end()
	case name == "row":
		return s.begin(tag)
	case name == "c" && tag.End:
		return s.endCell()
	case name == "c":
		s.column = columnOf(tag.Attribute("r"), len(s.cells))
		s.kind, s.style, s.value = tag.Attribute("t"), tag.Attribute("s"), ""
		s.text.end()
	case s.kind == "inlineStr":
		s.text.take(in, tag)
	case name == "v" && tag.End:
		s.value = in.Text()
	}
	return nil
}

// maxRows is the number of rows of a sheet in Excel.
const maxRows = 1 << 20

// begin begins a row.
func (s *sheetReader) begin(row elements.Tag) error {
	s.cells, s.number = s.cells[:0], s.row+1
	if text := row.Attribute("r"); text != "" {
		given, err := strconv.Atoi(text)
		if err != nil || given < s.number || given > maxRows {
			return errors.New("the rows are not in order")
		}
		s.number = given
	}
	if s.number > maxRows {
		return tooLarge("1,048,576 rows")
	}
	return nil
}

// end writes the row, after empty lines for rows that the sheet leaves out.
func (s *sheetReader) end() error {
	s.out.Flush()
	for ; s.row < s.number-1; s.row++ {
		s.csv.WriteByte('\n')
	}
	s.row = s.number
	err := s.out.Write(s.cells)
	s.out.Flush()
	return err
}

// endCell adds the cell that was read to the row.
func (s *sheetReader) endCell() error {
	if s.column < len(s.cells) || s.column >= maxColumns {
		return nil
	}
	for len(s.cells) < s.column {
		s.cells = append(s.cells, "")
	}
	if s.kind == "inlineStr" {
		s.value = s.text.end()
	}
	shown := s.w.shown(s.kind, s.style, s.value)
	if s.size += len(shown) + 1; s.size > maxText { // cells may share a long text
		return tooLarge("32 MB of text")
	}
	s.cells = append(s.cells, strings.Join(strings.Fields(shown), " "))
	return s.w.budget.Step(len(shown))
}

// columnOf returns the index of the column of a reference such as C12. Without a valid one, it
// returns next.
func columnOf(reference string, next int) int {
	column := 0
	for _, r := range reference {
		if r < 'A' || r > 'Z' || column > maxColumns {
			break
		}
		column = column*26 + int(r-'A') + 1
	}
	if column == 0 {
		return next
	}
	return column - 1
}

// shown returns the text of a cell.
func (w *Workbook) shown(kind, style, value string) string {
	switch kind {
	case "s":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < len(w.texts) {
			return w.texts[n]
		}
		return ""
	case "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[value]
	case "d":
		day, _, _ := strings.Cut(value, "T")
		return day
	case "", "n":
		what := number
		if n, err := strconv.Atoi(style); err == nil && n >= 0 && n < len(w.dates) {
			what = w.dates[n]
		}
		return w.numberText(value, what)
	}
	return value
}

// numberText returns a number, which Excel stores as a double with 15 digits that count, in plain
// decimal form, or the day that it stands for.
func (w *Workbook) numberText(value string, what form) string {
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return value
	}
	if what != number && f >= 0 && f < 2_958_466 { // the day after 9999-12-31
		return w.dateText(f, what)
	}
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if _, decimals, found := strings.Cut(text, "."); found && len(decimals) == 3 {
		text += "0" // three decimals could be thousands
	}
	return text
}

// dateText converts the number of a day in Excel to a date or a time. Excel counts 29 February
// 1900, which did not exist, so that smaller numbers are one day off.
func (w *Workbook) dateText(days float64, what form) string {
	whole := math.Floor(days)
	seconds := int(math.Round((days - whole) * 86400))
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.from1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case whole < 60:
		first = first.AddDate(0, 0, 1)
	}
	at := first.AddDate(0, 0, int(whole)).Add(time.Duration(seconds) * time.Second)
	switch {
	case what == clock:
		return at.Format(time.TimeOnly)
	case seconds == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format(time.DateTime)
}
