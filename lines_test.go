package main

import (
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

// narrow lists the directories whose files keep to these limits.
var narrow = []string{
	".", "apiclient", "apiclient/webhook", "theme", "tools/release", "tools/scale", ".ci",
	"examples", "examples/receiver", "examples/receiver/stdlib",
	"internal/civil", "internal/fold", "internal/money", "internal/termtext", "internal/testsupport/contract",
	"internal/testsupport/faults", "internal/testsupport/hostile", "internal/testsupport/sample",
	"internal/testsupport/testdb", "internal/testsupport/testdns", "internal/testsupport/unrated",
	"internal/panics", "internal/plural",
	"client/download", "client/draft", "client/export", "client/figures", "client/mask", "client/position",
	"client/problem", "client/proposal", "client/record", "client/secretstore", "client/settings",
	"service/access", "service/accounts", "service/cash", "service/events", "service/invoicing", "service/ledger",
	"service/payments", "service/receivables", "service/store", "service/store/database", "service/store/dbcopy",
}

func TestLinesFitTheScreen(t *testing.T) {
	for _, directory := range narrow {
		files, err := filepath.Glob(filepath.Join(directory, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no Go files: %v", directory, err)
		}
		for _, file := range files {
			number := 0
			for line := range strings.Lines(read(t, file)) {
				number++
				line = strings.TrimRight(line, "\r\n")
				comment := strings.HasPrefix(strings.TrimLeft(line, "\t"), "//")
				if len(line) > widestLine {
					t.Errorf("%s:%d has %d bytes; break it at %d", file, number, len(line), widestLine)
				} else if columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); comment &&
					columns > widestComment {
					t.Errorf("%s:%d is a comment of %d columns; break it at %d", file, number, columns, widestComment)
				}
			}
		}
	}
}
