package cli

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"tarmac/internal/termtext"
)

// localeVariables say which characters a terminal shows, as POSIX has it: the first that
// is set counts.
var localeVariables = [...]string{"LC_ALL", "LC_CTYPE", "LANG"}

// localeOf returns the locale that text is shown in; "" where none is set.
func localeOf(getenv func(string) string) string {
	for _, name := range localeVariables {
		if value := getenv(name); value != "" {
			return value
		}
	}
	return ""
}

func isUTF8(locale string) bool {
	return strings.Contains(strings.ToLower(strings.ReplaceAll(locale, "-", "")), "utf8")
}

// asciiOnly reports whether the terminal of a system (a runtime.GOOS) shows ASCII only:
// a locale is set, and no variable names UTF-8. Without a locale most terminals show
// UTF-8 all the same.
func asciiOnly(system string, getenv func(string) string) bool {
	return system != "windows" && localeOf(getenv) != "" &&
		!slices.ContainsFunc(localeVariables[:], func(name string) bool { return isUTF8(getenv(name)) })
}

// inLocale returns the surroundings with terminals that are sent nothing but ASCII where
// they show nothing else. What goes to files and pipes stays as it is.
func (s Surroundings) inLocale() Surroundings {
	if !asciiOnly(runtime.GOOS, s.Getenv) {
		return s
	}
	if out, ok := s.Stdout.(*os.File); ok && isTerminal(out) {
		s.Stdout = &asciiTerminal{File: out}
	}
	if out, ok := s.Stderr.(*os.File); ok && isTerminal(out) {
		s.Stderr = &asciiTerminal{File: out}
	}
	return s
}

// asciiTerminal is a terminal that is sent ASCII for whatever is written to it.
type asciiTerminal struct {
	*os.File
	mu   sync.Mutex
	rest []byte // of a character whose end is written next
}

func (t *asciiTerminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	sent, rest := termtext.AppendASCII(nil, append(t.rest, p...))
	t.rest = append([]byte(nil), rest...)
	if _, err := t.File.Write(sent); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString and ReadFrom are the file's own ways around Write.
func (t *asciiTerminal) WriteString(text string) (int, error) { return t.Write([]byte(text)) }

func (t *asciiTerminal) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{t}, r)
}
