package mt940

import (
	"io"
	"regexp"
	"strings"

	"tarmac/service/statements/bank"
)

// field is a field of a message, such as :61:, with all its lines.
type field struct {
	tag   string // such as "61" and "60F"
	line  int
	lines []string // without the tag; blanks at the ends are removed
}

// maxLines and maxText bound the lines and bytes that are kept of a field. SWIFT allows six
// lines of 65 characters; the rest is of no use.
const (
	maxLines = 200
	maxText  = bank.MaxRaw
)

// tagOf returns the tag of a line that begins a field of a statement, or "". All else is text,
// such as the rest of a time that was cut in two (:12:11), and fields of banks' own.
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

// fields splits text into fields.
type fields struct {
	lines *bank.Lines
	next  field // the field that was begun
	text  int   // bytes kept of it
	begun bool
	ended bool // the message has ended: text up to the next field is none of a field's
}

// read returns the next field, or io.EOF. last reports whether the file ends with it.
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

// take takes a line. It returns the field before it if the line begins another.
func (f *fields) take(text string, number int) (field, bool) {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r < ' ' })
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "-}") {
		// Blocks of SWIFT: the message stands in the fourth.
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

// add adds a line to the current field. A line with nothing but a dash ends the message.
func (f *fields) add(text string) {
	if strings.TrimFunc(text, func(r rune) bool { return r <= ' ' }) == "-" {
		f.ended = true
	}
	if f.begun && !f.ended && len(f.next.lines) < maxLines && f.text+len(text) <= maxText {
		f.next.lines = append(f.next.lines, text)
		f.text += len(text) + 1
	}
}

// Halves of a time that was cut by the end of a line.
var (
	hours   = regexp.MustCompile(`(?:^|\D)(?:[01]\d|2[0-3])$`)
	minutes = regexp.MustCompile(`^:[0-5]\d:[0-5]\d(?:\D|$)`)
)

// cutTime reports whether a line that looks like a field goes on with a time in a text.
func (f *fields) cutTime(text string) bool {
	if !f.begun || f.ended || f.next.tag != "86" || !minutes.MatchString(text) {
		return false
	}
	last := len(f.next.lines) - 1
	return last >= 0 && hours.MatchString(f.next.lines[last])
}

// raw returns the field as the file has it, but for the ends of lines.
func (f field) raw() string { return ":" + f.tag + ":" + strings.Join(f.lines, "\n") }

// first returns the first line that has text.
func (f field) first() string {
	for _, line := range f.lines {
		if text := strings.TrimSpace(line); text != "" {
			return text
		}
	}
	return ""
}
