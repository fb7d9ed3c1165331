package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDamagedOwnBooksSendToTheirBackup(t *testing.T) {
	environ := ownerOfBooks(t)
	database := filepath.Join(environ["HOME"], ".local", "share", "tarmac", "books.db")
	whole, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	garbled := append(append([]byte{}, whole[:100]...), make([]byte, len(whole)-100)...)
	for name, content := range map[string][]byte{"no database": []byte("no database"), "garbled": garbled} {
		writeFile(t, database, string(content))
		for _, command := range [][]string{{"books"}, {"overview", "--profile", "own books"}, {"sync"}} {
			r := tarmac(t, environ, command...)

			if r.code == 0 || !strings.Contains(r.stderr, "tarmac books restore --replace FILE") ||
				strings.Contains(r.stderr, "operating.md") || strings.Contains(r.stderr, "administrator") ||
				strings.Contains(r.stderr, "--db") || strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("%s, %v: exit %d, %q", name, command, r.code, r.stderr)
			}
		}
	}
}
