package bank

import (
	"bytes"
	"io"
	"strings"
)

// MaxLine is the largest length of a line in a text file, in bytes.
const MaxLine = 1 << 20

// Lines splits text into lines at LF, CRLF and CR, and counts them. It needs no more memory than
// MaxLine.
type Lines struct {
	budget *Budget
	in     io.Reader
	buffer []byte // what was read and not returned yet
	seen   int    // bytes of buffer that have no line end
	spare  []byte // memory of buffer
	number int
	err    error // error of in, or io.EOF
}

// fullBuffer is the number of bytes that are read at a time of a file with long lines or many.
const fullBuffer = 64 << 10

// NewLines returns the Lines of r, whose text must be UTF-8 (see Decode).
func NewLines(b *Budget, r io.Reader) *Lines {
	return &Lines{budget: b, in: b.Reader(r), spare: make([]byte, 4<<10)}
}

// Next returns the next line and its number, from 1. The line end and blanks before it are removed.
// Next returns io.EOF after the last line, and an *Error for a line longer than MaxLine.
func (l *Lines) Next() (text string, number int, err error) {
	for {
		if end := bytes.IndexAny(l.buffer[l.seen:], "\r\n"); end >= 0 {
			end += l.seen
			next := end + 1
			// The LF after a CR at the end of the buffer has not been read yet.
			if l.buffer[end] == '\n' || next < len(l.buffer) || l.err != nil {
				if l.buffer[end] == '\r' && next < len(l.buffer) && l.buffer[next] == '\n' {
					next++
				}
				return l.line(end, next)
			}
			l.seen = end
		} else {
			l.seen = len(l.buffer)
		}
		switch {
		case l.seen >= MaxLine:
			return "", 0, Errorf(l.number+1, "longer than 1 MB")
		case l.err == io.EOF && len(l.buffer) > 0:
			return l.line(len(l.buffer), len(l.buffer))
		case l.err != nil:
			return "", 0, l.err
		}
		l.fill()
	}
}

// line returns the first end bytes of the buffer as a line, and removes the first next ones.
func (l *Lines) line(end, next int) (string, int, error) {
	if end > MaxLine {
		return "", 0, Errorf(l.number+1, "longer than 1 MB")
	}
	text := strings.TrimRight(string(l.buffer[:end]), " \t")
	l.buffer, l.seen = l.buffer[next:], 0
	l.number++
	return text, l.number, l.budget.Step(0)
}

// fill reads more into the buffer.
func (l *Lines) fill() {
	if cap(l.buffer) == len(l.buffer) {
		// The buffer begins small, because a file's head is read by many readers.
		if len(l.buffer) > len(l.spare)/2 || len(l.spare) < fullBuffer {
			l.spare = make([]byte, 2*len(l.spare))
		}
		l.buffer = l.spare[:copy(l.spare, l.buffer)]
	}
	n, err := l.in.Read(l.buffer[len(l.buffer):cap(l.buffer)])
	l.buffer, l.err = l.buffer[:len(l.buffer)+n], err
}
