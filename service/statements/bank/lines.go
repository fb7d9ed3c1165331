package bank

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// MaxLine is the largest length of a line in a text file, in bytes.
const MaxLine = 1 << 20

// Lines splits text into lines at LF, CRLF and CR, and counts them. It needs no more memory than
// MaxLine.
type Lines struct {
	scanner *bufio.Scanner
	number  int
}

// NewLines returns the Lines of r, whose text must be UTF-8 (see Decode).
func NewLines(r io.Reader) *Lines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 64<<10), MaxLine)
	scanner.Split(splitLines)
	return &Lines{scanner: scanner}
}

// Next returns the next line and its number, from 1. The line end and blanks before it are removed.
// Next returns io.EOF after the last line, and an *Error for a line longer than MaxLine.
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

// splitLines is a bufio.SplitFunc that splits at LF, CRLF and CR.
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
		return 0, nil, nil // the CR may be the start of a CRLF
	case end+1 < len(data) && data[end+1] == '\n':
		return end + 2, data[:end], nil
	}
	return end + 1, data[:end], nil
}
