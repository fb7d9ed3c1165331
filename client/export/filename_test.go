package export_test

import (
	"errors"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"tarmac/client/export"
)

func TestANameIsOfferedWhereDocumentsGo(t *testing.T) {
	for _, p := range []export.Directories{
		{Documents: "docs", Current: "here", Home: "home"}, {Current: "docs", Home: "home"},
	} {
		if got, want := p.SuggestPath("invoices", "over due", `"Acme"`),
			filepath.Join("docs", "invoices-over-due--Acme.csv"); got != want {
			t.Errorf("%+v: %s is offered, not %s", p, got, want)
		}
	}
}

// File names are processed as text, independent of the process and its environment.
func TestANameIsOfThePlacesThatTheProgramStartedWith(t *testing.T) {
	root := t.TempDir()
	p := export.Directories{
		Documents: filepath.Join(root, "docs"),
		Current:   filepath.Join(root, "here"),
		Home:      filepath.Join(root, "home"),
	}
	t.Chdir(t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("USERPROFILE", t.TempDir())
	for typed, want := range map[string]string{
		"a.csv": filepath.Join(p.Current, "a.csv"), "b/../a.JSON": filepath.Join(p.Current, "a.JSON"),
		"../a.csv":  filepath.Join(root, "a.csv"),
		"~/b/a.csv": filepath.Join(p.Home, "b", "a.csv"), "~a.csv": filepath.Join(p.Current, "~a.csv"),
		"b/~/a.csv":                       filepath.Join(p.Current, "b", "~", "a.csv"),
		filepath.Join(root, "x", "a.csv"): filepath.Join(root, "x", "a.csv"),
		root + "/x/../a.csv":              filepath.Join(root, "a.csv"),
		filepath.ToSlash(root)[len(filepath.VolumeName(root)):] + "/a.csv": filepath.Join(root, "a.csv"),
	} {
		if got, err := p.Path(typed); got != want || err != nil {
			t.Errorf("%s: %s, %v, not %s", typed, got, err, want)
		}
	}
	homeless := export.Directories{Current: p.Current}
	if got, err := homeless.Path("~/a.csv"); got != filepath.Join(p.Current, "~", "a.csv") || err != nil {
		t.Errorf("without a home: %s, %v", got, err)
	}
	for _, typed := range []string{"", "a", "a.txt", "~/", "~", "a.csv/b", filepath.Join(root, "a.xlsx")} {
		if got, err := p.Path(typed); err == nil {
			t.Errorf("%q is %s, whose ending says no format", typed, got)
		}
	}
}

// Names are checked with each key press, which must not wait for a disk.
func TestNamesAreMadeWithoutTheSystem(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "filename.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		if slices.Contains([]string{`"os"`, `"os/user"`, `"syscall"`}, i.Path.Value) {
			t.Errorf("name.go asks %s", i.Path.Value)
		}
	}
}

func TestWhyThereIsNoFile(t *testing.T) {
	for want, err := range map[string]error{
		"a.csv already exists: choose another name": &fs.PathError{Op: "create", Path: filepath.Join("b", "a.csv"),
			Err: fs.ErrExist},
		"not exported: b: permission denied": &fs.PathError{Op: "create", Path: "b",
			Err: errors.New("permission denied")},
		"not exported: out of luck": errors.New("out of luck"),
	} {
		if got := export.Reason(err); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
