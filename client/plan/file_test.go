package plan_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tarmac/client/plan"
)

func TestAFileThatChangedMeanwhileIsNotOverwritten(t *testing.T) {
	f := plan.File{Path: filepath.Join(t.TempDir(), "a.plan")}
	if _, _, err := f.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	text, l, err := plan.Add(plan.Begin(today, "EUR"), `hire "A" 9k/month # the first`)
	if err != nil || l.Name != "A" || text != "plan from 2026-11 in EUR\nhire \"A\" 9,000/month\n" {
		t.Fatalf("%q, %v", text, err)
	}
	if err := f.Replace("", text); err != nil {
		t.Fatal(err)
	}
	edited := text + "# by somebody else\n"
	if err := os.WriteFile(f.Path, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(text, text+"floor 5\n"); !errors.Is(err, plan.ErrChanged) {
		t.Errorf("overwritten: %v", err)
	}
	var wrong *plan.Error
	if err := f.Replace(edited, edited+"flor 5\n"); !errors.As(err, &wrong) {
		t.Errorf("a wrong text is written: %v", err)
	}
	if err := f.Replace(edited, edited+"floor 5\n"); err != nil {
		t.Error(err)
	}
	if p, got, err := f.Read(); err != nil || got != edited+"floor 5\n" || len(p.Lines) != 2 {
		t.Errorf("%q, %v", got, err)
	}
	if _, _, err := (plan.File{Path: t.TempDir()}).Read(); err == nil {
		t.Error("a directory is read")
	}
}

func TestAConfirmedLineKeepsItsComment(t *testing.T) {
	text := "plan from 2026-11 in USD\r\nhire \"A #1\" 9k/month  # why\n# end"
	const want = "plan from 2026-11 in USD\r\nhire \"A\" 1/month  # why\n# end"
	if got := plan.WithLine(text, 2, `hire "A" 1/month`); got != want {
		t.Errorf("%q", got)
	}
}
