package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// starters are the functions of the standard library that start programs, by package.
var starters = map[string][]string{
	"os/exec": {"Command", "CommandContext", "Cmd"}, "os": {"StartProcess"},
	"syscall": {"StartProcess", "ForkExec", "Exec", "CreateProcess"}, "golang.org/x/sys/unix": {"Exec", "Execve"},
	"golang.org/x/sys/windows": {"CreateProcess", "ShellExecute"},
}

// programsListed is the section of docs/security.md that lists all programs which tarmac starts.
func programsListed(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(content), "\n## Programs that tarmac starts\n")
	if !ok {
		t.Fatal("docs/security.md has no section on the programs that tarmac starts")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

func TestFilesThatStartProgramsAreListed(t *testing.T) {
	listed := programsListed(t)
	found := 0
	eachGoFile(t, func(file string, _ []string) {
		if from := room(file); strings.HasPrefix(file, "tools/") || strings.HasPrefix(file, ".ci/") ||
			from == "examples" || strings.HasPrefix(file, "internal/testsupport/") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if startsPrograms(parsed) {
			if found++; !strings.Contains(listed, "`"+file+"`") {
				t.Errorf("%s starts a program, and docs/security.md does not list it", file)
			}
		}
	})
	if want := strings.Count(listed, ".go`"); found != want {
		t.Errorf("%d files start programs, and docs/security.md lists %d", found, want)
	}
}

// startsPrograms reports whether a file uses one of the starters.
func startsPrograms(file *ast.File) bool {
	names := map[string][]string{}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = starters[path]
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := selector.X.(*ast.Ident); ok && slices.Contains(names[pkg.Name], selector.Sel.Name) {
				found = true
			}
		}
		return true
	})
	return found
}

func TestLibrariesThatCanStartProgramsAreListed(t *testing.T) {
	listed := programsListed(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		output, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(output)) {
			fields := strings.Fields(line)
			if slices.Contains(fields[1:], "os/exec") && strings.Contains(fields[0], ".") &&
				!strings.Contains(listed, "`"+fields[0]+"`") {
				t.Errorf("on %s, %s imports os/exec, and docs/security.md does not list it", system, fields[0])
			}
		}
	}
}
