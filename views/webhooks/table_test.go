package webhooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/client/export"
	"tarmac/views"
)

func TestTheDeliveriesAreExported(t *testing.T) {
	dir := t.TempDir()
	d := openAs(t, views.Env{Places: export.Directories{Documents: dir}})
	all, _ := d.log.Value()
	if len(all) == 0 {
		t.Fatal("there is no delivery")
	}
	d.press("e")
	if !d.Typing() || !strings.Contains(d.text(), "Export") {
		t.Fatalf("no name is asked for:\n%s", d.text())
	}
	d.press("enter")
	names, err := filepath.Glob(filepath.Join(dir, "deliveries-*.csv"))
	if err != nil || len(names) != 1 || d.Typing() {
		t.Fatalf("written: %q, %v", names, err)
	}
	text, err := os.ReadFile(names[0])
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if err != nil || len(lines) != 1+len(all) ||
		!strings.HasPrefix(lines[0], "id,event_id,event_type,status,attempt_count,") ||
		!strings.HasPrefix(lines[1], all[0].ID+",") {
		t.Errorf("%s, %v", text, err)
	}
}

func TestASecretComesBeforeANameThatIsTyped(t *testing.T) {
	d := open(t)
	d.press("e")
	d.showSecret(signing, "hooks.example.com", nil)
	if help := d.Help(); help[0].Title != "Secret" {
		t.Errorf("the keys are those of %s", help[0].Title)
	}
	if d.Back(); !d.File.Open() {
		t.Error("what is behind the secret was left")
	}
}
