package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tarmac/cli/command"
)

// aFile matches the usage of flags that may name a file.
var aFile = regexp.MustCompile(`(?i)\b(file|directory|SQLite)\b`)

// notFiles are flags whose usage speaks of a file that they do not name.
var notFiles = []string{
	"account", "balance", "dry-run", "force", "replace", "same-account", "sign", "text", "toml", "yes",
}

func TestEmptyNamesOfFilesAreRefusedByEveryCommand(t *testing.T) {
	env := command.Env{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}, Getenv: func(string) string { return "" }}
	checked := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, child := range cmd.Commands() {
			visit(child)
		}
		if cmd.PersistentPreRunE != nil && cmd.HasParent() || cmd.PersistentPreRun != nil {
			t.Errorf("%s hides the rule of the root command", cmd.CommandPath())
		}
		cmd.InheritedFlags() // adds them
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !namesFile(f) {
				if f.Value.Type() != "bool" && aFile.MatchString(f.Usage) && !slices.Contains(notFiles, f.Name) {
					t.Errorf("%s: --%s (%s) may name a file and takes an empty name", cmd.CommandPath(), f.Name, f.Usage)
				}
				return
			}
			checked++
			path := strings.Fields(cmd.CommandPath())[1:]
			code := Run(t.Context(), env, append(path, "--"+f.Name+"="))
			if said := env.Stderr.(*bytes.Buffer).String(); code != exitUsage && !strings.HasPrefix(cmd.Use, "check ") &&
				cmd.Name() != "check" {
				t.Errorf("%s --%s=: exit %d, %q", cmd.CommandPath(), f.Name, code, said)
			}
			env.Stderr.(*bytes.Buffer).Reset()
		})
	}
	visit(newRoot(env))
	if checked < 40 {
		t.Errorf("only %d flags were looked at", checked)
	}
}

func TestAnEmptyDatabaseMakesNone(t *testing.T) {
	t.Chdir(t.TempDir())
	var stderr bytes.Buffer
	env := command.Env{Stdout: &bytes.Buffer{}, Stderr: &stderr, Getenv: func(string) string { return "" }}

	code := Run(t.Context(), env, []string{"serve", "--db", "", "--addr", "127.0.0.1:0"})

	if code != exitUsage || !strings.Contains(stderr.String(), "--db is empty: name a file, or leave --db out") {
		t.Errorf("exit %d, %q", code, stderr.String())
	}
}
