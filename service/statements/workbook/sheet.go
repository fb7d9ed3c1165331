package workbook

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// CSV returns a visible sheet as CSV in UTF-8. The number of a line is that of the row. Dates are
// written as 2026-09-30, and numbers with a decimal point and without thousands separators. Errors
// of formulas are written as Excel shows them.
func (w *Workbook) CSV(ctx context.Context, sheet int) ([]byte, error) {
	s := &sheetReader{w: w, ctx: ctx}
	s.out = csv.NewWriter(&s.text)
	if err := w.read(w.sheets[sheet], s.readRows); err != nil {
		return nil, err
	}
	s.out.Flush()
	return s.text.Bytes(), nil
}

// sheetReader writes the rows of a sheet as CSV.
type sheetReader struct {
	w    *Workbook
	ctx  context.Context
	out  *csv.Writer
	text bytes.Buffer
	row  int // number of the last row that was written, from 1
	size int // bytes of all cells
	// cells are those of the row that is being read.
	cells []string
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func (s *sheetReader) readRows(d *xml.Decoder) error {
	number := 0
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "row":
				if number, err = s.begin(token); err != nil {
					return err
				}
			case "c":
				if err := s.cell(d, token); err != nil {
					return err
				}
			}
		case xml.EndElement:
			if token.Name.Local == "row" {
				if err := s.end(number); err != nil {
					return err
				}
			}
		}
	}
}

// maxRows is the number of rows of a sheet in Excel.
const maxRows = 1 << 20

// begin begins a row and returns its number.
func (s *sheetReader) begin(row xml.StartElement) (int, error) {
	s.cells = s.cells[:0]
	number := s.row + 1
	if text := attribute(row, "r"); text != "" {
		given, err := strconv.Atoi(text)
		if err != nil || given < number || given > maxRows {
			return 0, errors.New("the rows are not in order")
		}
		number = given
	}
	if number%1024 == 0 {
		return number, s.ctx.Err()
	}
	return number, nil
}

// end writes the row, after empty lines for rows that the sheet leaves out.
func (s *sheetReader) end(number int) error {
	for ; s.row < number-1; s.row++ {
		s.out.Flush()
		s.text.WriteByte('\n')
	}
	s.row = number
	if err := s.out.Write(s.cells); err != nil {
		return err
	}
	s.out.Flush()
	return nil
}

// cell reads a cell.
func (s *sheetReader) cell(d *xml.Decoder, start xml.StartElement) error {
	column := columnOf(attribute(start, "r"), len(s.cells))
	kind, style := attribute(start, "t"), attribute(start, "s")
	value, err := cellText(d, kind)
	if err != nil {
		return err
	}
	if column < len(s.cells) || column >= maxColumns {
		return nil
	}
	for len(s.cells) < column {
		s.cells = append(s.cells, "")
	}
	text := s.w.shown(kind, style, value)
	if s.size += len(text) + 1; s.size > maxText { // cells may share a long text
		return &limitError{"64 MB of text"}
	}
	s.cells = append(s.cells, strings.Join(strings.Fields(text), " "))
	return nil
}

// cellText returns the value of a cell, or the text that stands in it.
func cellText(d *xml.Decoder, kind string) (string, error) {
	if kind == "inlineStr" {
		return textUntil(d, "c")
	}
	var value strings.Builder
	inValue := false
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			return "", io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			inValue = token.Name.Local == "v"
		case xml.EndElement:
			inValue = false
			if token.Name.Local == "c" {
				return value.String(), nil
			}
		case xml.CharData:
			if inValue {
				value.Write(token)
			}
		}
	}
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
