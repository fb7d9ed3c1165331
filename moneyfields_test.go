package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// voices are the folders of the packages that show figures to people or programs.
var voices = []string{"views", "ui", "plain", "cli", "mcpserver", "client/report", "client/assistant", "client/monitor"}

// moneyFields returns the names of all exported fields of apiclient with amounts in minor units.
func moneyFields(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir("apiclient", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		ast.Inspect(parsed(t, path), func(node ast.Node) bool {
			field, ok := node.(*ast.Field)
			if !ok {
				return true
			}
			for _, name := range field.Names {
				if name.IsExported() && (strings.HasSuffix(name.Name, "Cents") || strings.HasSuffix(name.Name, "Minor")) {
					names[name.Name] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A zero of the API may stand for something unknown, so that voices take figures from packages
// figures and record.
func TestVoicesReadNoMoneyOfTheAPI(t *testing.T) {
	fields, found, files := moneyFields(t), map[string]int{}, 0
	for _, folder := range voices {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
				strings.HasPrefix(path, "cli/admin/") { // the service's own records
				return err
			}
			files++
			found[path] += readsOf(t, path, fields)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if found[path] > 0 {
			t.Errorf("%s reads %d money fields of apiclient; use packages figures and record", path, found[path])
		}
	}
	if files < 200 || len(fields) < 15 {
		t.Fatalf("%d files, %d fields", files, len(fields))
	}
}

// readsOf returns how often a file selects one of the fields or calls Amount.Minor.
func readsOf(t *testing.T, path string, fields map[string]bool) (n int) {
	t.Helper()
	ast.Inspect(parsed(t, path), func(node ast.Node) bool {
		switch e := node.(type) {
		case *ast.SelectorExpr:
			if fields[e.Sel.Name] {
				n++
			}
		case *ast.CallExpr:
			if s, ok := e.Fun.(*ast.SelectorExpr); ok && len(e.Args) == 0 && s.Sel.Name == "Minor" {
				n++
			}
		}
		return true
	})
	return n
}
