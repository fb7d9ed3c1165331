package main

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Lines of code are at most 120 bytes long, and comments end by column 100 with tabs of
// four columns.
const (
	widestLine    = 120
	widestComment = 100
)

func TestLinesFitTheScreen(t *testing.T) {
	for _, file := range append(sources(t), "documents_test.go") {
		name := filepath.ToSlash(file)
		if path.Ext(name) != ".go" {
			continue
		}
		number := 0
		for line := range strings.Lines(read(t, file)) {
			number++
			line = strings.TrimRight(line, "\r\n")
			columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			switch {
			case len(line) > widestLine:
				t.Errorf("%s:%d has %d bytes; break it at %d", name, number, len(line), widestLine)
			case isComment(line) && columns > widestComment:
				t.Errorf("%s:%d is a comment of %d columns; break it at %d", name, number, columns, widestComment)
			}
		}
	}
}

// isComment reports whether a line is nothing but a comment for people.
func isComment(line string) bool {
	line = strings.TrimLeft(line, "\t")
	return strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "//go:")
}
