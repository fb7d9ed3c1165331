package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tarmac/apiclient"
)

// voices are the folders of the packages that show figures to people or programs.
var voices = []string{"views", "ui", "plain", "cli", "mcpserver", "client/report", "client/assistant", "client/monitor"}

// moneyFields returns the names of the fields with amounts of the answers that may leave something
// out: positions, balances, receivables and summaries.
func moneyFields() map[string]bool {
	names := map[string]bool{}
	for _, t := range []reflect.Type{
		reflect.TypeFor[apiclient.Balance](), reflect.TypeFor[apiclient.CashPosition](),
		reflect.TypeFor[apiclient.AgingBuckets](), reflect.TypeFor[apiclient.AgingTotals](),
		reflect.TypeFor[apiclient.OverdueCustomer](), reflect.TypeFor[apiclient.Summary](),
	} {
		for f := range t.Fields() {
			if strings.HasSuffix(f.Name, "Cents") || strings.HasSuffix(f.Name, "Minor") {
				names[f.Name] = true
			}
		}
	}
	return names
}

// A zero of the API may stand for something unknown, so that voices take figures from packages
// figures and record.
func TestVoicesReadNoMoneyOfTheAPI(t *testing.T) {
	fields, found, files := moneyFields(), map[string]int{}, 0
	for _, folder := range voices {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
				strings.HasPrefix(path, "cli/admin/") || path == "cli/books/screens.go" { // the service's own records
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

// readsOf returns how often a file selects one of the fields.
func readsOf(t *testing.T, path string, fields map[string]bool) (n int) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if s, ok := node.(*ast.SelectorExpr); ok && fields[s.Sel.Name] {
			n++
		}
		return true
	})
	return n
}
