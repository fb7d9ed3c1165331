package mt940

import (
	"io"
	"regexp"
	"strings"

	"tarmac/service/statements/bank"
)

// field is a field of a message, such as :61:, with the lines that follow it.
type field struct {
	tag   string // tag between the colons, such as "61" or "60F"
	line  int
	lines []string // lines without the tag
}

// maxLines and maxText are the numbers of lines and bytes of a field that are read. SWIFT allows
// six lines of 65 characters; more are dropped.
const (
	maxLines = 200
	maxText  = bank.MaxRaw
)

// tagOf returns the tag at the start of a line if a statement has fields with that tag. Otherwise
// it returns "": the line continues a text, for example with the rest of a time (:12:11), or is a
// field that only one bank uses.
func tagOf(text string) string {
	if !strings.HasPrefix(text, ":") {
		return ""
	}
	end := strings.IndexByte(text[1:min(len(text), 5)], ':')
	if end < 0 {
		return ""
	}
	switch tag := text[1 : 1+end]; tag {
	case "20", "21", "25", "25P", "28", "28C", "13", "13D", "34F", "60F", "60M", "61", "86", "62F", "62M", "64", "65",
		"65F", "90C", "90D", "NS":
		return tag
	}
	return ""
}

// fields splits the lines of a file into fields.
type fields struct {
	lines *bank.Lines
	next  field // field that is being read
	text  int   // number of bytes in its lines
	begun bool
	// ended is true after the end of a message. Lines up to the next field are then dropped.
	ended bool
}

// read returns the next field, or io.EOF at the end. The result last is true for the last field of
// the file.
func (f *fields) read() (found field, last bool, err error) {
	for {
		text, number, err := f.lines.Next()
		if err == io.EOF && f.begun {
			f.begun = false
			return f.next, true, nil
		}
		if err != nil {
			return field{}, false, err
		}
		if found, ok := f.take(text, number); ok {
			return found, false, nil
		}
	}
}

// take handles a line. If the line begins a field, take returns the previous field.
func (f *fields) take(text string, number int) (field, bool) {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r < ' ' })
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "-}") {
		// SWIFT wraps messages in blocks. The fields are in block 4.
		f.ended = true
		at := strings.LastIndex(text, "{4:")
		if at < 0 {
			return field{}, false
		}
		text = strings.TrimSpace(text[at+len("{4:"):])
	}
	tag := tagOf(text)
	if tag == "" || f.cutTime(text) {
		f.add(text)
		return field{}, false
	}
	before, had := f.next, f.begun
	f.next = field{tag: tag, line: number, lines: make([]string, 0, 4)}
	f.begun, f.ended, f.text = true, false, 0
	f.add(text[len(tag)+2:])
	return before, had
}

// add adds a line to the current field. A line with only a dash ends the message.
func (f *fields) add(text string) {
	if strings.TrimFunc(text, func(r rune) bool { return r <= ' ' }) == "-" {
		f.ended = true
	}
	if f.begun && !f.ended && len(f.next.lines) < maxLines && f.text+len(text) <= maxText {
		f.next.lines = append(f.next.lines, text)
		f.text += len(text) + 1
	}
}

// hours and minutes match the two halves of a time that was cut by the end of a line.
var (
	hours   = regexp.MustCompile(`(?:^|\D)(?:[01]\d|2[0-3])$`)
	minutes = regexp.MustCompile(`^:[0-5]\d:[0-5]\d(?:\D|$)`)
)

// cutTime reports whether a line that looks like a field is the second half of a time in a text.
func (f *fields) cutTime(text string) bool {
	if !f.begun || f.ended || f.next.tag != "86" || !minutes.MatchString(text) {
		return false
	}
	last := len(f.next.lines) - 1
	return last >= 0 && hours.MatchString(f.next.lines[last])
}

// raw returns the field as text, for Line.Raw.
func (f field) raw() string { return ":" + f.tag + ":" + strings.Join(f.lines, "\n") }

// first returns the first line that is not empty, or "".
func (f field) first() string {
	for _, line := range f.lines {
		if text := strings.TrimSpace(line); text != "" {
			return text
		}
	}
	return ""
}
