package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed lists which parts of the program each part may import, besides internal packages.
// Packages of a part that lists itself may import each other.
var allowed = map[string][]string{
	"main": {"cli"},
	"cli": {
		"cli/admin", "cli/backupfile", "cli/books", "cli/command", "cli/doctor", "cli/serving", "cli/sshd",
		"ui", "ui/terminal", "plain", "client", "apiclient", "service", "theme", "mcpserver",
	},
	"cli/admin":      {"cli/books", "cli/command", "service"},
	"cli/backupfile": {},
	"cli/books":      {"cli/command", "client", "service"},
	"cli/command":    {"client", "service"},
	"cli/doctor": {
		"cli/admin", "cli/books", "cli/command", "cli/sshd", "ui/terminal", "client", "apiclient", "service",
	},
	"cli/serving": {"cli/command", "service"},
	"cli/sshd": {
		"cli/admin", "cli/command", "cli/serving", "ui", "ui/terminal", "client", "apiclient", "service", "sshserver",
	},
	"plain":       {"client", "apiclient", "theme"},
	"ui":          {"ui/terminal", "screens", "views", "views/parts", "client", "apiclient", "theme"},
	"ui/terminal": {"ui/terminal"},
	"screens":     {"views", "views/parts", "client", "apiclient", "theme"},
	"views":       {"views/parts", "client", "apiclient", "theme"},
	"views/parts": {"views/parts", "views", "client", "apiclient", "theme"},
	"client":      {"client", "apiclient"},
	"apiclient":   {"apiclient"},
	"mcpserver":   {"client", "apiclient"},
	"sshserver":   {},
	"theme":       {},
	"service":     {"service"},
	"internal":    {},
	"tools":       {"tools", "service"},
	"examples":    {"examples", "apiclient"},
}

// room returns the part of the program that a package belongs to: its top directory, or a
// subdirectory with rules of its own.
func room(pkg string) string {
	top, below, _ := strings.Cut(pkg, "/")
	switch first, _, _ := strings.Cut(below, "/"); {
	case pkg == ".":
		return "main"
	case top == "views" && first == "parts", top == "cli" && below != "", top == "ui" && first == "terminal":
		return top + "/" + first
	case top == "views" && below != "":
		return "screens"
	case top == "internal" && first == "testsupport":
		return "testsupport"
	}
	return top
}

func TestImportsRunOneWay(t *testing.T) {
	files := 0
	eachGoFile(t, func(file string, imports []string) {
		files++
		from := room(path.Dir(file))
		for _, imported := range imports {
			pkg, ours := strings.CutPrefix(imported, "tarmac/")
			to := room(pkg)
			switch {
			case !ours && strings.Contains(imported, "."):
				checkLibrary(t, file, from, imported)
			case !ours || from == "testsupport" || to == "internal" || from == "tools" && to == "testsupport":
			case to == "testsupport":
				t.Errorf("%s imports %s: test support stays out of the program", file, imported)
			case !slices.Contains(allowed[from], to):
				t.Errorf("%s imports %s: %s must not import %s", file, imported, from, to)
			}
		}
	})
	if files < 100 {
		t.Fatalf("only %d files were looked at", files)
	}
}

// checkLibrary restricts libraries to the parts that may use them.
func checkLibrary(t *testing.T, file, from, imported string) {
	t.Helper()
	switch {
	case from == "apiclient":
		t.Errorf("%s imports %s: the client uses the standard library alone", file, imported)
	case (from == "client" || from == "service") && strings.HasPrefix(imported, "charm.land/"):
		t.Errorf("%s imports %s: %s is independent of the terminal", file, imported, from)
	case strings.Contains(imported, "/ntcharts/") && path.Dir(file) != "views/parts/chart":
		t.Errorf("%s imports %s: charts are drawn by views/parts/chart", file, imported)
	}
}

// eachGoFile calls visit for every Go file that is not a test.
func eachGoFile(t *testing.T, visit func(file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		file = filepath.ToSlash(file)
		if err != nil || entry.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, name)
		}
		visit(file, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
