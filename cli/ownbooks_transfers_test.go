package cli_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// transferFiles writes statements of two accounts. What leaves one on 2 September arrives in the
// other a day later, without evidence of a transfer.
func transferFiles(t *testing.T) (first, second string) {
	t.Helper()
	first = statementFile(t, "a.qfx", strings.ReplaceAll(rentLine, "-500", "-5000"))
	second = statementFile(t, "b.qfx", strings.NewReplacer("20260902", "20260903", "-500", "5000", "Landlord", "Deposit").
		Replace(rentLine))
	content, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.ReplaceAll(string(content), "00123456789", "00987654321")
	if err := os.WriteFile(second, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	return first, second
}

func TestAProposedTransferIsAcceptedByACommand(t *testing.T) {
	environ, _ := withBooks(t)
	environ["XDG_CONFIG_HOME"] = t.TempDir()
	first, second := transferFiles(t)
	if r := tarmac(t, environ, "import", "--yes", first, second); r.code != 0 {
		t.Fatalf("import: exit %d, %q", r.code, r.stderr)
	}
	var report struct {
		Proposals []struct{ ID string }
	}
	listed := tarmac(t, environ, "books", "transfers", "--json")
	if err := json.Unmarshal([]byte(listed.stdout), &report); err != nil || len(report.Proposals) != 1 {
		t.Fatalf("transfers: exit %d, %q, %v", listed.code, listed.stdout, err)
	}
	id := report.Proposals[0].ID

	text := tarmac(t, environ, "books", "transfers")
	accepted := tarmac(t, environ, "books", "transfers", "accept", id)
	listed = tarmac(t, environ, "books", "transfers")
	again := tarmac(t, environ, "books", "transfers", "reject", id)

	if !strings.Contains(text.stdout, "PROPOSAL") || !strings.Contains(text.stdout, "Landlord · Deposit") {
		t.Errorf("transfers: %q, %q", text.stdout, text.stderr)
	}
	if accepted.code != 0 || accepted.stdout != "Remembered. 2 transactions changed.\n" {
		t.Errorf("accept: exit %d, %q, %q", accepted.code, accepted.stdout, accepted.stderr)
	}
	if !strings.Contains(listed.stdout, "answer") {
		t.Errorf("then transfers: %q", listed.stdout)
	}
	if again.code != 0 || again.stdout != "Remembered. 2 transactions changed.\n" {
		t.Errorf("reject: exit %d, %q, %q", again.code, again.stdout, again.stderr)
	}
	if unknown := tarmac(t, environ, "books", "transfers", "reject", "tr_0"); unknown.code != 4 {
		t.Errorf("an unknown proposal: exit %d, %q", unknown.code, unknown.stderr)
	}
}
