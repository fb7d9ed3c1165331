package importing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarmac/client/export"
	"tarmac/internal/termtext"
)

// Completion is the result of completing the last path of a typed text.
type Completion struct {
	Text  string   // the text, completed as far as it is certain
	Names []string // names in the directory that continue the path; directories end with a slash
}

// Complete completes the last path of the typed text by the names in its directory. If several
// names continue the path, the text gets their common beginning. Complete reads the directory,
// which can block, so a screen calls it only in a command.
func Complete(places export.Directories, typed string) (Completion, error) {
	words, open := split(typed)
	last := word{start: len(typed)}
	if open {
		last = words[len(words)-1]
	}
	if last.text == "~" {
		last.text = "~/"
	}
	dir, prefix := filepath.Split(filepath.FromSlash(last.text))
	entries, err := os.ReadDir(places.Absolute(dir))
	if err != nil {
		return Completion{Text: typed}, err
	}
	var names []string
	for _, same := range [...]func(name string) bool{
		func(name string) bool { return strings.HasPrefix(name, prefix) },
		func(name string) bool { return strings.HasPrefix(strings.ToLower(name), strings.ToLower(prefix)) },
	} {
		for _, e := range entries {
			if name := e.Name(); same(name) && isOffered(name, prefix) {
				names = append(names, name+suffix(places.Absolute(dir), e))
			}
		}
		if len(names) > 0 {
			break
		}
	}
	if len(names) == 0 {
		return Completion{Text: typed}, nil
	}
	common := names[0]
	for _, name := range names[1:] {
		common = commonPrefix(common, name)
	}
	if len(common) < len(prefix) {
		common = prefix
	}
	return Completion{Text: typed[:last.start] + last.quoted(dir+common), Names: names}, nil
}

// isOffered reports whether a name can be typed. Hidden names are offered only after a dot.
func isOffered(name, prefix string) bool {
	return termtext.Line(name) == name && (strings.HasPrefix(prefix, ".") || !strings.HasPrefix(name, "."))
}

// suffix returns a slash for directories and for links to directories, else "".
func suffix(dir string, e os.DirEntry) string {
	if e.IsDir() {
		return string(filepath.Separator)
	}
	if e.Type()&os.ModeSymlink != 0 {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.IsDir() {
			return string(filepath.Separator)
		}
	}
	return ""
}

func commonPrefix(a, b string) string {
	n := 0
	for i, r := range a {
		if !strings.HasPrefix(b[min(i, len(b)):], string(r)) {
			break
		}
		n = i + len(string(r))
	}
	return a[:n]
}

// quoted returns a path as it must be typed in place of w. If w begins with a quote that is still
// open, the path is within that quote. Otherwise special characters have a backslash before them.
func (w *word) quoted(path string) string {
	if w.quote != 0 {
		return string(w.quote) + path
	}
	if !backslashEscapes {
		if strings.Contains(path, " ") {
			return `"` + path
		}
		return path
	}
	var b strings.Builder
	for _, r := range path {
		if slices.Contains([]rune(` \"'`+metacharacters), r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
