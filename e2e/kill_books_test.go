//go:build long && unix

package e2e_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testprogram"
)

// A first import that is killed at any moment leaves complete books or none.
func TestAKilledFirstImportIsWholeOrAbsent(t *testing.T) {
	whole, absent := 0, 0
	for range kills() {
		environ, database := testprogram.NoBooks(t)
		cmd := testprogram.Command(t, []string{"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"]}, "import", "--yes",
			testprogram.StatementFile(t, "a.qfx", testprogram.RentLine))
		killed(t, cmd, func(*bufio.Reader) {}, 150*time.Millisecond)

		list := testprogram.Run(t, environ, "books", "--json")

		if _, err := os.Stat(database); os.IsNotExist(err) {
			absent++
			if list.Code != 1 || !strings.Contains(list.Stderr, "no books yet") {
				t.Errorf("there are no books: exit %d, %q", list.Code, list.Stderr)
			}
			continue
		}
		whole++
		var books struct {
			Accounts []struct{ Lines int }
		}
		err := json.Unmarshal([]byte(list.Stdout), &books)
		if err != nil || len(books.Accounts) != 1 || books.Accounts[0].Lines != 1 {
			t.Errorf("there are books, but %q, %q", list.Stdout, list.Stderr)
		}
	}
	t.Logf("%d killed imports were whole and %d absent", whole, absent)
}
