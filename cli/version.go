package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
)

// stamped is the version of a release. The linker sets it with -ldflags "-X
// tarmac/cli.stamped=v1.2.3".
var stamped string

// version returns the version of a release. For a program built from a checkout, it returns the
// commit.
func version() string {
	if stamped != "" {
		return stamped
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, modified := "", ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			revision = setting.Value[:min(12, len(setting.Value))]
		case "vcs.modified":
			if setting.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" {
		return "dev"
	}
	return "dev-" + revision + modified
}

func newVersion(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "tarmac version",
		Args:    command.NoArguments,
		RunE:    func(*cobra.Command, []string) error { return printVersion(env) },
	}
}

func printVersion(env command.Env) error {
	_, err := fmt.Fprintf(env.Stdout, "tarmac %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return err
}
