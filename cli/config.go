package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

func newConfig(env command.Env) *cobra.Command {
	return command.Group("config", "The settings file: init, path, show", newConfigInit(env), newConfigPath(env),
		newConfigShow(env))
}

func newConfigInit(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a settings file with all settings explained",
		Long: "init writes a settings file that lists every setting with its default, commented out. It never replaces " +
			"a file.",
		Example: "tarmac config init && $EDITOR \"$(tarmac config path)\"",
		Args:    command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			// Ignore the error: if the file cannot be read, Init does not change it.
			file, _ := settings.Load(env.Getenv)
			err := file.Init()
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s already exists and was not changed; `tarmac config show` lists every setting",
					termtext.Line(file.Path))
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(env.Stdout, "Created %s. All settings in it are commented out.\n", termtext.Line(file.Path))
			return err
		},
	}
}

func newConfigPath(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "path",
		Short:   "Print the path of the settings file",
		Example: "$EDITOR \"$(tarmac config path)\"",
		Args:    command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			file, _ := settings.Load(env.Getenv)
			if file.Path == "" {
				return settings.ErrNoHome
			}
			_, err := fmt.Fprintln(env.Stdout, file.Path)
			return err
		},
	}
}

func newConfigShow(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "show",
		Short:   "Print the effective settings, including defaults",
		Long:    "show prints the effective settings in the form of a settings file. It contains no tokens.",
		Example: "tarmac config show",
		Args:    command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			file, err := settings.Load(env.Getenv)
			if err != nil {
				return err
			}
			source := "defaults: there is no settings file"
			if file.Exists {
				source = termtext.Line(file.Path)
			}
			_, err = fmt.Fprintf(env.Stdout, "# %s\n%s", source, file.Settings.TOML())
			return err
		},
	}
}
