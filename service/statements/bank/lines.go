package bank

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// MaxLine is the most bytes that a line of a text format may have.
const MaxLine = 1 << 20

// Lines splits text at LF, CRLF and CR and counts the lines. Its memory is bounded by MaxLine.
type Lines struct {
	scanner *bufio.Scanner
	number  int
}

// NewLines returns the lines of r, which must be UTF-8 (Decode).
func NewLines(r io.Reader) *Lines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), MaxLine)
	scanner.Split(splitLines)
	return &Lines{scanner: scanner}
}

// Next returns the next line without its end, and its number from 1. It returns io.EOF after
// the last line, and an *Error for a line that is too long. Blanks at its end are removed.
func (l *Lines) Next() (text string, number int, err error) {
	if l.scanner.Scan() {
		l.number++
		return strings.TrimRight(l.scanner.Text(), " \t"), l.number, nil
	}
	switch err := l.scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return "", 0, Errorf(l.number+1, "longer than 1 MB")
	case err != nil:
		return "", 0, err
	}
	return "", 0, io.EOF
}

// splitLines is a bufio.SplitFunc for all three ends of lines.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	end := bytes.IndexAny(data, "\r\n")
	switch {
	case end < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case end < 0:
		return 0, nil, nil
	case data[end] == '\n':
		return end + 1, data[:end], nil
	case end+1 == len(data) && !atEOF:
		return 0, nil, nil // LF may follow
	case end+1 < len(data) && data[end+1] == '\n':
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}
