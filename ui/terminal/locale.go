package terminal

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/charmbracelet/x/term"

	"tarmac/internal/termtext"
)

// localeVariables name the terminal's character set, in POSIX order: the first one that is set
// applies.
var localeVariables = [...]string{"LC_ALL", "LC_CTYPE", "LANG"}

// Locale returns the locale of the environment, or "" if none is set.
func Locale(getenv func(string) string) string {
	for _, name := range localeVariables {
		if value := getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// IsUTF8 reports whether the locale's character set is UTF-8.
func IsUTF8(locale string) bool {
	return strings.Contains(strings.ToLower(strings.ReplaceAll(locale, "-", "")), "utf8")
}

// ASCIIOnly reports whether terminals on the system (a runtime.GOOS) show only ASCII: a locale is
// set, and no variable names UTF-8. Without a locale most terminals show UTF-8 anyway.
func ASCIIOnly(system string, getenv func(string) string) bool {
	return system != "windows" && Locale(getenv) != "" &&
		!slices.ContainsFunc(localeVariables[:], func(name string) bool { return IsUTF8(getenv(name)) })
}

// InLocale returns w or, for a terminal that shows only ASCII, a writer that converts its output.
// Files and pipes receive UTF-8 in every locale.
func InLocale(w io.Writer, getenv func(string) string) io.Writer {
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(file.Fd()) || !ASCIIOnly(runtime.GOOS, getenv) {
		return w
	}
	return &asciiTerminal{File: file}
}

// asciiTerminal is a terminal that receives all output as ASCII.
type asciiTerminal struct {
	*os.File
	mu   sync.Mutex
	rest []byte // the start of a character that the next write completes
}

func (t *asciiTerminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	sent, rest := termtext.AppendASCII(nil, append(t.rest, p...))
	t.rest = slices.Clone(rest)
	if _, err := t.File.Write(sent); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString and ReadFrom of the file would bypass Write.
func (t *asciiTerminal) WriteString(text string) (int, error) { return t.Write([]byte(text)) }

func (t *asciiTerminal) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{t}, r)
}
