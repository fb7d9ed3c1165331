package cli

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"tarmac/cli/command"
	"tarmac/internal/privatefile"
)

// minPassphrase and maxPassphrase are the lengths of passphrases, in characters and bytes.
const minPassphrase, maxPassphrase = 8, 1 << 10

// passphraseFlags holds the flag that says where the passphrase of a backup is.
type passphraseFlags struct{ file string }

func (f *passphraseFlags) register(cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&f.file, "passphrase-file", "", verb+
		" in the first line of this file, which only you can read, or of standard input (-)")
}

// ask returns the passphrase from the file or from the terminal. A new one is typed twice.
func (f *passphraseFlags) ask(ctx context.Context, env command.Env, isNew bool) (string, error) {
	passphrase, err := f.read(ctx, env, isNew)
	switch {
	case errors.Is(err, command.ErrNoTerminal):
		return "", command.Usagef("there is no terminal to ask for the passphrase: name its file with --passphrase-file")
	case err != nil:
		return "", err
	case passphrase == "":
		return "", errors.New("no passphrase was given; nothing was changed")
	case isNew && utf8.RuneCountInString(passphrase) < minPassphrase:
		return "", command.Usagef("the passphrase must have %d characters or more; several words are best", minPassphrase)
	}
	return passphrase, nil
}

func (f *passphraseFlags) read(ctx context.Context, env command.Env, isNew bool) (string, error) {
	switch f.file {
	case "-":
		return command.FirstLine(env.Stdin)
	case "":
		passphrase, err := command.PromptSecret(ctx, env, "Passphrase (not shown):")
		if err != nil || !isNew || passphrase == "" {
			return passphrase, err
		}
		again, err := command.PromptSecret(ctx, env, "Once more:")
		if err == nil && again != passphrase {
			err = errors.New("the two passphrases differ; nothing was changed")
		}
		return passphrase, err
	}
	content, err := privatefile.Read(f.file, maxPassphrase)
	line, _, _ := strings.Cut(string(content), "\n")
	return strings.TrimSpace(line), err
}
