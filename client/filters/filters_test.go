package filters_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tarmac/client/filters"
	"tarmac/client/state"
)

// sample returns filters of two pages; text is the search text of one of them.
func sample(text string) filters.Set {
	return filters.Set{
		"transactions": {Direction: "inflow", Dates: "2026-01-01..2026-03-31", Text: text},
		"events":       {Type: "invoice.*"},
	}
}

// path returns the path of the only file in a directory.
func path(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the directory holds %v, %v", files, err)
	}
	return files[0]
}

func TestFiltersComeBackAsTheyWereSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	want := sample("Łukasz \"株式会社\" \\ half")

	if err := filters.NewFile(state.Directory(dir), "org_1").Save(1, want); err != nil {
		t.Fatal(err)
	}
	got, err := filters.NewFile(state.Directory(dir), "org_1").Load()

	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if other, err := filters.NewFile(state.Directory(dir), "org_2").Load(); err != nil || len(other) > 0 {
		t.Errorf("another organization has %v, %v", other, err)
	}
	if info, err := os.Stat(path(t, dir)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
}

func TestNoFiltersMeanNoFile(t *testing.T) {
	dir := t.TempDir()
	f := filters.NewFile(state.Directory(dir), "org_1")

	if err := errors.Join(f.Save(1, sample("x")), f.Save(2, nil), f.Save(3, filters.Set{})); err != nil {
		t.Fatal(err)
	}

	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
		t.Errorf("the directory holds %v, %v", left, err)
	}
}

func TestAnEarlierSaveDoesNotOverwriteALaterOne(t *testing.T) {
	f := filters.NewFile(state.Directory(t.TempDir()), "org_1")

	if err := errors.Join(f.Save(2, sample("later")), f.Save(1, sample("earlier"))); err != nil {
		t.Fatal(err)
	}

	if got, err := f.Load(); err != nil || got["transactions"].Text != "later" {
		t.Errorf("%v, %v", got, err)
	}
}

// Errors name the file and say what is wrong, but contain nothing of its content.
func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	const secret = "severance"
	for name, c := range map[string]struct {
		content string
		mode    os.FileMode
		want    string
	}{
		"damaged":          {`{"version":1,"pages":{"` + secret, 0o600, "the file is damaged"},
		"something else":   {`["` + secret + `"]`, 0o600, "the file is damaged"},
		"another shape":    {`{"version":1,"pages":{"events":{"text":["` + secret + `"]}}}`, 0o600, "the file is damaged"},
		"without version":  {`{"pages":{}}`, 0o600, "the file is damaged"},
		"empty":            {"", 0o600, "the file is damaged"},
		"newer":            {`{"version":2,"pages":{"` + secret + `":{}}}`, 0o600, "newer version of tarmac"},
		"too large":        {strings.Repeat(secret, 10_000), 0o600, "larger than 64 KiB"},
		"others can read":  {`{"version":1}`, 0o644, "chmod 600"},
		"nobody can parse": {"\xff\xfe" + secret, 0o600, "the file is damaged"},
	} {
		dir := t.TempDir()
		f := filters.NewFile(state.Directory(dir), "org_1")
		if err := f.Save(1, sample("x")); err != nil {
			t.Fatal(err)
		}
		file := path(t, dir)
		if err := errors.Join(os.WriteFile(file, []byte(c.content), 0o600), os.Chmod(file, c.mode)); err != nil {
			t.Fatal(err)
		}

		got, err := f.Load()

		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) ||
			strings.Contains(err.Error(), secret) || len(got) > 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if n, err := filters.Check(state.Directory(dir)); n != 1 || err == nil {
			t.Errorf("%s: the check finds %d files, %v", name, n, err)
		}
	}
}

func TestTextsFromTheFileAreCleanedAndLimited(t *testing.T) {
	dir := t.TempDir()
	f := filters.NewFile(state.Directory(dir), "org_1")
	err := f.Save(1, filters.Set{
		"transactions": {Text: "\x1b]52;c;x\x07rent\nand more"}, "invoices": {Text: strings.Repeat("株", 201)},
	})
	if err != nil {
		t.Fatal(err)
	}

	got, err := f.Load()

	text := got["transactions"].Text
	if err != nil || strings.ContainsAny(text, "\x1b\x07\n") || !strings.Contains(text, "rent") {
		t.Errorf("%q, %v", text, err)
	}
	if _, kept := got["invoices"]; kept {
		t.Error("a text that cannot be typed is kept")
	}
}

func TestAFileThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}

	err := filters.NewFile(state.Directory(filepath.Join(file, "state")), "org_1").Save(1, sample("severance"))

	if err == nil || strings.Contains(err.Error(), "severance") {
		t.Error(err)
	}
}

// Several programs may write the file at the same time: it is always what one of them wrote.
func TestConcurrentProgramsLeaveACompleteFile(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for program := range 4 {
		f := filters.NewFile(state.Directory(dir), "org_1")
		group.Go(func() {
			for turn := range uint64(20) {
				text := strings.Repeat(fmt.Sprint(program), 50+int(turn))
				if err := f.Save(turn+1, sample(text)); err != nil {
					t.Error(err)
				}
				got, err := f.Load()
				if text := got["transactions"].Text; err != nil || strings.Trim(text, text[:1]) != "" {
					t.Errorf("%v, %v", got, err)
				}
			}
		})
	}
	group.Wait()
	if n, err := filters.Check(state.Directory(dir)); n != 1 || err != nil {
		t.Errorf("the check finds %d files, %v", n, err)
	}
}
