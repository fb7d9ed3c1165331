//go:build unix

package cli_test

import (
	"strings"
	"testing"
)

func TestTheDashboardSwitchesToOwnBooksAndBack(t *testing.T) {
	environ, _ := importedBooks(t)
	url := goodServer(t)
	w := startTerminal(t, 120, 30, []string{
		"XDG_DATA_HOME=" + environ["XDG_DATA_HOME"], "TARMAC_BASE_URL=" + url, "TARMAC_TOKEN=svc_org_good",
	})
	host := strings.TrimPrefix(url, "http://")
	w.until("tarmac  " + host)
	w.press("p")
	w.until("own books +on this machine")
	w.press("own", "enter")
	w.until("tarmac  Fennel & Thyme", "● live", `1,000\.00`)
	w.press("p")
	w.until("own books +current")
	w.press("127", "enter")
	w.until("tarmac  " + host)
	w.press("q")
	if code := w.ended(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestTheWelcomePageLeadsToOwnBooks(t *testing.T) {
	file := statementFile(t, "a.qfx", rentLine)
	w := startTerminal(t, 80, 24, nil)
	w.until("Your own books +import bank files")
	w.press("up", "enter")
	w.until("tarmac import ~/Downloads", "tarmac demo --files sample")
	w.press("enter")
	w.until("There are no books yet")

	imported := tarmac(t, map[string]string{"HOME": w.cmd.Dir}, "import", "--yes", "--name", "Fennel & Thyme", file)
	if imported.code != 0 {
		t.Fatalf("import: exit %d, %q", imported.code, imported.stderr)
	}
	w.press("enter")
	w.until("tarmac  Fennel & Thyme", `1,000\.00`)
	w.press("p")
	w.until("own books +current")
}
