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

// allowed says which parts of the house a part may import; what is not named may
// not. A part is a top directory; internal is everybody's.
var allowed = map[string][]string{
	"main":      {"cli"},
	"cli":       {"ui", "plain", "client", "apiclient", "service"},
	"plain":     {"views", "theme", "client", "apiclient"},
	"ui":        {"views", "theme", "client", "apiclient"},
	"views":     {"views", "theme", "client", "apiclient"},
	"client":    {"apiclient"},
	"theme":     {},
	"apiclient": {},
	"service":   {"service"},
	"scale":     {"service"},
	"examples":  {"apiclient"},
	// The token's type is the client's.
	"internal": {"internal", "apiclient"},
}

func TestImportsRunOneWay(t *testing.T) {
	files := 0
	eachGoFile(t, func(part, file string, imports []string) {
		files++
		for _, imported := range imports {
			to, ours := strings.CutPrefix(imported, "tarmac/")
			switch to, _, _ = strings.Cut(to, "/"); {
			case !ours:
				if part == "apiclient" && strings.Contains(imported, ".") {
					t.Errorf("%s imports %s: the client is made of the standard library alone", file, imported)
				}
			case to == "internal" || to == part && part != "main":
			case !slices.Contains(allowed[part], to):
				t.Errorf("%s imports %s: %s must not know %s", file, imported, part, to)
			}
		}
	})
	if files < 100 {
		t.Fatalf("only %d files were looked at", files)
	}
}

// eachGoFile visits every Go file that is not a test.
func eachGoFile(t *testing.T, visit func(part, file string, imports []string)) {
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
		part, _, inside := strings.Cut(file, "/")
		if !inside {
			part = "main"
		}
		var imports []string
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, name)
		}
		visit(part, file, imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
