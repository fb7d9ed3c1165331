package plain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/client/state"
)

func TestScenariosOutlastTheSession(t *testing.T) {
	k := talk{client: serve(t).client}
	dir := filepath.Join(t.TempDir(), "state")
	k.Drafts = state.Directory(dir)

	k.say(t, "2", "suppose burn -10")
	text := k.say(t, "2", "suppose overdue", "forget", "scenarios")

	inOrder(t, text, `Current plan: `, `Scenario 1 \(hypothetical\), burn -10: `,
		`Scenario 2 \(hypothetical\), overdue: `, `All scenarios deleted`, `No scenarios yet`)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("nothing is supposed any more, and there is %v, %v", left, err)
	}
}

func TestScenariosThatCannotBeReadAreLeftAlone(t *testing.T) {
	k := talk{client: serve(t).client}
	dir := filepath.Join(t.TempDir(), "state")
	k.Drafts = state.Directory(dir)
	k.say(t, "2", "suppose burn -10")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}

	text := k.say(t, "2", "suppose overdue")

	inOrder(t, text, `Saved scenarios could not be read, new ones are kept until you quit: `,
		`Scenario 1 \(hypothetical\), overdue: `)
	if n := strings.Count(text, "could not be read"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, text)
	}
	if now, err := os.ReadFile(files[0]); err != nil || string(now) != "{" {
		t.Errorf("the file is %q, %v", now, err)
	}
}
