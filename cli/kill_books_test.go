//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// A first import that is killed at any moment leaves complete books or none.
func TestAKilledFirstImportIsWholeOrAbsent(t *testing.T) {
	whole, absent := 0, 0
	for range kills() {
		environ, database := withBooks(t)
		cmd := program(t, []string{"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]}, "import", "--yes",
			statementFile(t, "a.qfx", rentLine))
		killed(t, cmd, func(*bufio.Reader) {}, 150*time.Millisecond)

		list := tarmac(t, environ, "books", "--json")

		if _, err := os.Stat(database); os.IsNotExist(err) {
			absent++
			if list.code != 1 || !strings.Contains(list.stderr, "no books yet") {
				t.Errorf("there are no books: exit %d, %q", list.code, list.stderr)
			}
			continue
		}
		whole++
		var books struct {
			Accounts []struct{ Lines int }
		}
		err := json.Unmarshal([]byte(list.stdout), &books)
		if err != nil || len(books.Accounts) != 1 || books.Accounts[0].Lines != 1 {
			t.Errorf("there are books, but %q, %q", list.stdout, list.stderr)
		}
	}
	t.Logf("%d killed imports were whole and %d absent", whole, absent)
}
