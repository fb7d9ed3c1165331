package apiclient_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Other modules cannot import internal packages, so their types stay out of exported
// declarations. An alias gives such a type a public name.
func TestExportedDeclarationsNameNoInternalTypes(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	webhook, err := filepath.Glob("webhook/*.go")
	if err != nil || len(webhook) == 0 {
		t.Fatal(webhook, err)
	}
	for _, name := range append(files, webhook...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		internal := internalPackages(t, file)
		for _, declaration := range file.Decls {
			for _, shown := range exportedTypes(declaration) {
				for _, used := range internalTypes(shown, internal) {
					t.Errorf("%s: an exported declaration names %s", name, used)
				}
			}
		}
	}
}

// internalTypes returns the internal types that a type shows to other packages. Unexported
// fields of structs do not count.
func internalTypes(shown ast.Node, internal map[string]bool) (used []string) {
	ast.Inspect(shown, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.StructType:
			for _, field := range node.Fields.List {
				if !unexported(field.Names) {
					used = append(used, internalTypes(field.Type, internal)...)
				}
			}
			return false
		case *ast.SelectorExpr:
			if from, ok := node.X.(*ast.Ident); ok && internal[from.Name] {
				used = append(used, from.Name+"."+node.Sel.Name)
			}
		}
		return true
	})
	return used
}

// internalPackages returns the names by which a file refers to internal packages.
func internalPackages(t *testing.T, file *ast.File) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case !strings.HasPrefix(imported, "tarmac/internal/"):
		case spec.Name != nil:
			names[spec.Name.Name] = true
		default:
			names[path.Base(imported)] = true
		}
	}
	return names
}

// exportedTypes returns the types in a declaration that other packages can see.
func exportedTypes(declaration ast.Decl) (types []ast.Node) {
	switch declaration := declaration.(type) {
	case *ast.FuncDecl:
		if declaration.Name.IsExported() && (declaration.Recv == nil || exportedReceiver(declaration.Recv)) {
			types = append(types, declaration.Type)
		}
	case *ast.GenDecl:
		for _, spec := range declaration.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() && !spec.Assign.IsValid() {
					types = append(types, spec.Type)
				}
			case *ast.ValueSpec:
				if spec.Type != nil && !unexported(spec.Names) {
					types = append(types, spec.Type)
				}
			}
		}
	}
	return types
}

func exportedReceiver(receiver *ast.FieldList) bool {
	kind := receiver.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	name, ok := kind.(*ast.Ident)
	return !ok || name.IsExported()
}

// unexported reports whether there are names and none is exported.
func unexported(names []*ast.Ident) bool {
	for _, name := range names {
		if name.IsExported() {
			return false
		}
	}
	return len(names) > 0
}
