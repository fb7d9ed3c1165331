package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tarmac/cli/command"
	"tarmac/internal/termtext"
)

func tree() *cobra.Command {
	return newRoot(command.Env{Getenv: func(string) string { return "" }})
}

func TestEveryCommandIsInAGroupOfTheHelp(t *testing.T) {
	root := tree()
	page := helpPage(root, defaultPageWidth)
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" || !strings.Contains(page, "\n  "+cmd.Name()) {
			t.Errorf("%s is in no group", cmd.Name())
		}
	}
	for _, g := range groups {
		for _, name := range g.commands {
			if !slices.ContainsFunc(root.Commands(), func(cmd *cobra.Command) bool { return cmd.Name() == name }) {
				t.Errorf("%s has %s, which is no command", g.title, name)
			}
		}
	}
}

// Every command has a description and an example of itself with existing flags.
func TestEveryCommandHasAnExampleOfItself(t *testing.T) {
	eachCommand(tree(), func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		group := cmd.HasSubCommands() && cmd.HasParent()
		if cmd.Short == "" || strings.HasPrefix(path, "tarmac completion") || path == "tarmac help" {
			return
		}
		// `tarmac invoices` is the same as `tarmac invoices list`.
		if short := strings.TrimSuffix(path, " list"); !group && !strings.Contains(cmd.Example, short) {
			t.Errorf("%s has the example %q", path, cmd.Example)
		}
		if strings.Contains(cmd.Example, "|") || strings.Contains(cmd.Example, "<") {
			return // the rest are another program's flags
		}
		for word := range strings.FieldsSeq(cmd.Example) {
			if name, ok := strings.CutPrefix(word, "--"); ok && !knows(cmd, name) {
				t.Errorf("%s has no flag %s, which its example has", path, word)
			}
		}
	})
}

func knows(cmd *cobra.Command, flag string) bool {
	found := cmd.Flag(flag) != nil
	for _, sub := range cmd.Commands() {
		found = found || knows(sub, flag)
	}
	return found
}

// Help fits terminals of any width, except for unbreakable words.
func TestHelpIsAsWideAsTheTerminal(t *testing.T) {
	for _, width := range []int{40, 80, 100} {
		eachCommand(tree(), func(cmd *cobra.Command) {
			examples := strings.Split(cmd.Example, "\n")
			for line := range strings.SplitSeq(helpPage(cmd, width), "\n") {
				text := strings.TrimSpace(line)
				if termtext.Width(line) <= width || slices.Contains(examples, line[2:]) || text == usage(cmd) {
					continue
				}
				if words := strings.Fields(text); width >= 80 || len(words) > 4 {
					t.Errorf("%s at %d: %q", cmd.CommandPath(), width, line)
				}
			}
		})
	}
}

func TestTheManPageHasEveryCommandAndFlag(t *testing.T) {
	root := tree()
	page := strings.ReplaceAll(manPage(root), `\-`, "-")
	eachCommand(root, func(cmd *cobra.Command) {
		if path := cmd.CommandPath(); !strings.HasPrefix(path, "tarmac completion ") && !strings.Contains(page, path) {
			t.Errorf("the man page has no %s", path)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && f.Name != "no-descriptions" && !strings.Contains(page, flagWord(f)) {
				t.Errorf("the man page has no --%s of %s", f.Name, cmd.CommandPath())
			}
		})
	})
}

// roff does not read any text of the man page as a request.
func TestTheManPageIsGoodRoff(t *testing.T) {
	page := manPage(tree())
	for line := range strings.SplitSeq(page, "\n") {
		if request, _, _ := strings.Cut(line, " "); strings.HasPrefix(line, ".") &&
			!slices.Contains([]string{".TH", ".SH", ".SS", ".B", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi"}, request) {
			t.Errorf("%q", line)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	cmd := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8")
	cmd.Stdin = strings.NewReader(page)
	if said, err := cmd.CombinedOutput(); err != nil || len(said) > 0 {
		t.Errorf("%v, %s", err, said)
	}
}

func TestTextIsWrappedBetweenWords(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""}, {"a b c", 3, "a b|c"}, {"  a   b ", 3, "a b"}, {"longer than this", 5, "longer|than|this"},
		{"株式会社 みどり", 8, "株式会社|みどり"},
	} {
		if got := strings.Join(wrapped(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q at %d is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
