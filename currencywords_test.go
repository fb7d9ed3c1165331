package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// saysDollar are the files above apiclient that may name the US dollar, with the reason. All other
// code takes the currency of a figure from the figure: a company may think in another one.
var saysDollar = map[string]string{
	"cli/admin/account.go":             "the managed account of the service is in US dollars",
	"cli/admin/copy.go":                "compares the stored USD cents of two databases",
	"cli/admin/database.go":            "the sign before the name of a variable",
	"cli/admin/payment.go":             "the default of --currency, and an example of a code",
	"cli/books/ask.go":                 "an example of a code",
	"cli/books/import.go":              "an example of a code",
	"cli/books/rates.go":               "rates are stored in US dollars",
	"cli/demo.go":                      "currencies of the sample company",
	"cli/demo_files.go":                "the sample rates are in US dollars",
	"cli/write_proposal.go":            "proposed invoices are in US dollars, and prices are typed in them",
	"client/assistant/transactions.go": "the API's USD amount of a row, where the row has another currency",
	"client/record/transaction.go":     "the API's fields amount_usd_cents and usd_known",
	"client/mask/mask.go":              "hides amounts with any symbol",
	"mcpserver/propose.go":             "proposed invoices are in US dollars, and the schema says so",
	"plain/propose.go":                 "proposed invoices are in US dollars, and the prompt says so",
}

// dollarSign matches the sign before digits, other characters that no variable begins with, or the
// end.
var dollarSign = regexp.MustCompile(`\$([^A-Za-z_({]|$)`)

func TestOnlyTheListedFilesNameTheDollar(t *testing.T) {
	found, files := map[string][]string{}, 0
	for _, folder := range []string{"client", "views", "ui", "plain", "cli", "mcpserver"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			if named := dollarsIn(t, path); len(named) > 0 {
				found[path] = named
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(found)) {
		if saysDollar[path] == "" {
			t.Errorf("%s names the US dollar: %s; take the currency from the figure", path, strings.Join(found[path], ", "))
		}
	}
	for path := range saysDollar {
		if found[path] == nil {
			t.Errorf("%s no longer names the US dollar; remove it from the list", path)
		}
	}
	if files < 400 {
		t.Fatalf("only %d files", files)
	}
}

// dollarsIn returns the names and texts of a file that name the US dollar. Regular expressions and
// their replacements do not count.
func dollarsIn(t *testing.T, path string) (named []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			called, ok := node.Fun.(*ast.SelectorExpr)
			return !ok || called.Sel.Name != "MustCompile" && !strings.HasPrefix(called.Sel.Name, "ReplaceAllString")
		case *ast.Ident:
			if strings.Contains(node.Name, "USD") || strings.Contains(strings.ToLower(node.Name), "dollar") {
				named = append(named, node.Name)
			}
		case *ast.BasicLit:
			text := strings.Trim(node.Value, "\"`")
			if node.Kind == token.STRING && (strings.Contains(text, "USD") ||
				strings.Contains(strings.ToLower(text), "dollar") || dollarSign.MatchString(text)) {
				named = append(named, node.Value)
			}
		}
		return true
	})
	return named
}
