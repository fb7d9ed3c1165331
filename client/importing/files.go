package importing

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"tarmac/client/export"
)

// MaxFiles is the maximum number of files in one batch.
const MaxFiles = 10_000

// ErrNoFiles is the error for a text without file names.
var ErrNoFiles = errors.New("type the path of a file, such as ~/Downloads/*.csv")

// Find returns the absolute paths of the files that the user typed: paths and patterns such as
// *.csv, separated by spaces. Quotes and backslashes protect spaces, as in a shell. A leading ~ is
// the home directory. The error says which word names no file. Find reads directories, which can
// block, so a screen calls it only in a command.
func Find(places export.Directories, typed string) (files []string, err error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return nil, ErrNoFiles
	}
	words, _ := split(typed)
	if path := places.Absolute(typed); isFile(path) { // a path with spaces and without quotes
		return []string{path}, nil
	}
	for _, w := range words {
		found, err := find(places, w)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			if !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
		if len(files) > MaxFiles {
			return nil, fmt.Errorf("%s: more than %d files; import them in parts", w.text, MaxFiles)
		}
	}
	return files, nil
}

// find returns the files that one word names.
func find(places export.Directories, w word) ([]string, error) {
	path := places.Absolute(w.text)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a directory; %s names its files", w.text, filepath.Join(w.text, "*"))
	case err == nil:
		return []string{path}, nil
	case w.pattern == "":
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("%s: %w", w.text, err)
	}
	matches, err := filepath.Glob(places.Absolute(w.pattern))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.text, err)
	}
	hidden := strings.HasPrefix(filepath.Base(w.pattern), ".")
	matches = slices.DeleteFunc(matches, func(path string) bool {
		return !hidden && strings.HasPrefix(filepath.Base(path), ".") || !isFile(path)
	})
	if len(matches) == 0 {
		return nil, fmt.Errorf("%s matches no file", w.text)
	}
	return matches, nil
}

// isFile reports whether path exists and is not a directory.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// word is one path or pattern of the typed text.
type word struct {
	text    string // without quotes and backslashes
	pattern string // for filepath.Glob; "" if the word is no pattern
	start   int    // index of the word in the typed text
	quote   rune   // the quote that is still open at the end of the text; otherwise 0
}

// metacharacters are the characters with a meaning in patterns.
const metacharacters = `*?[`

// backslashEscapes says that a backslash removes the special meaning of the next character. On
// Windows, a backslash separates directories.
const backslashEscapes = runtime.GOOS != "windows"

// split returns the words of the typed text. The result open is true if the next character that the
// user types would belong to the last word.
func split(typed string) (words []word, open bool) {
	var text, pattern strings.Builder
	var current word
	meta, escaped := false, false
	end := func() {
		if !open {
			return
		}
		current.text = text.String()
		if meta {
			current.pattern = pattern.String()
		}
		words = append(words, current)
		text.Reset()
		pattern.Reset()
		current, meta, open = word{}, false, false
	}
	for i, r := range typed {
		protected := escaped || current.quote != 0
		switch {
		case !protected && r == ' ':
			end()
			continue
		case !open:
			current.start, open = i, true
		}
		switch {
		case escaped:
			escaped = false
		case backslashEscapes && r == '\\' && current.quote != '\'':
			escaped = true
			continue
		case current.quote == r:
			current.quote = 0
			continue
		case current.quote == 0 && (r == '"' || r == '\''):
			current.quote = r
			continue
		}
		text.WriteRune(r)
		isMeta := strings.ContainsRune(metacharacters, r)
		if backslashEscapes && (r == '\\' || isMeta && protected) {
			pattern.WriteByte('\\')
		}
		pattern.WriteRune(r)
		meta = meta || isMeta && !protected
	}
	whole := open
	end()
	return words, whole
}
