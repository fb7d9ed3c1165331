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

// localeVariables are the environment variables that name the terminal's character set. As POSIX
// requires, the first one that is set applies.
var localeVariables = [...]string{"LC_ALL", "LC_CTYPE", "LANG"}

// Locale returns the locale that the environment names. It returns "" if none is set.
func Locale(getenv func(string) string) string {
	for _, name := range localeVariables {
		if value := getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// IsUTF8 reports whether the character set of the locale is UTF-8.
func IsUTF8(locale string) bool {
	return strings.Contains(strings.ToLower(strings.ReplaceAll(locale, "-", "")), "utf8")
}

// ASCIIOnly reports whether a terminal can be expected to show only ASCII: the environment names a
// locale, but no UTF-8. Without any locale, most terminals show UTF-8. system is a value of
// runtime.GOOS.
func ASCIIOnly(system string, getenv func(string) string) bool {
	return system != "windows" && Locale(getenv) != "" &&
		!slices.ContainsFunc(localeVariables[:], func(name string) bool { return IsUTF8(getenv(name)) })
}

// InLocale returns w or, if w is a terminal that shows only ASCII, a writer that converts the
// output. Files and pipes always receive UTF-8.
func InLocale(w io.Writer, getenv func(string) string) io.Writer {
	file, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(file.Fd()) || !ASCIIOnly(runtime.GOOS, getenv) {
		return w
	}
	return asciiTerminal{file, &asciiWriter{terminal: file}}
}

// asciiWriter converts all output for a terminal to ASCII.
type asciiWriter struct {
	terminal io.Writer
	mu       sync.Mutex
	rest     []byte // incomplete character at the end of the last write
}

func (w *asciiWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	sent, rest := termtext.AppendASCII(nil, append(w.rest, p...))
	w.rest = slices.Clone(rest)
	if _, err := w.terminal.Write(sent); err != nil {
		return 0, err
	}
	return len(p), nil
}

// asciiTerminal is a terminal to which all output is written as ASCII.
type asciiTerminal struct {
	*os.File
	ascii *asciiWriter
}

func (t asciiTerminal) Write(p []byte) (int, error) { return t.ascii.Write(p) }

// WriteString and ReadFrom replace the methods of the embedded file, which would bypass Write.
func (t asciiTerminal) WriteString(text string) (int, error) { return t.Write([]byte(text)) }

func (t asciiTerminal) ReadFrom(r io.Reader) (int64, error) { return io.Copy(t.ascii, r) }
