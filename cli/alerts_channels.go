package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/alerts"
	"tarmac/client/notify"
	"tarmac/client/secretstore"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

// onTerminal is the channel of alerts where the settings name none.
var onTerminal = settings.Channel{Name: "terminal", Kind: "terminal", Amounts: true}

// channels returns the channels of the settings, or else that of the terminal.
func (w *watcher) channels() []settings.Channel {
	if len(w.file.Settings.Channels) == 0 {
		return []settings.Channel{onTerminal}
	}
	return w.file.Settings.Channels
}

func (w *watcher) channelNames() (names []string) {
	for _, c := range w.channels() {
		names = append(names, c.Name)
	}
	return names
}

// channelSecrets returns the store of the secrets of channels.
func channelSecrets(env command.Env) *secretstore.Store {
	directory, err := settings.ConfigDirectory(env.Getenv)
	if err == nil {
		directory = filepath.Join(directory, "channels")
	}
	var keyring secretstore.Keyring
	if env.Keyring != nil {
		keyring = channelKeyring{env.Keyring}
	}
	return secretstore.New(secretstore.Options{Keyring: keyring, Directory: directory})
}

// channelKeyring keeps the secrets of channels apart from the tokens of profiles.
type channelKeyring struct{ secretstore.Keyring }

func (k channelKeyring) Get(name string) (string, error) { return k.Keyring.Get("channel:" + name) }
func (k channelKeyring) Set(name, secret string) error   { return k.Keyring.Set("channel:"+name, secret) }
func (k channelKeyring) Delete(name string) error        { return k.Keyring.Delete("channel:" + name) }

// sender opens a channel with its secret.
func (w *watcher) sender(c settings.Channel) (alerts.Sender, error) {
	o := notify.Options{Terminal: w.Stdout}
	if notify.NeedsSecret(&c) != "" {
		secret, _, err := channelSecrets(w.Env).Get(c.Name)
		if err != nil && !errors.Is(err, secretstore.ErrNone) {
			return nil, err
		}
		o.Secret = secret
	}
	return notify.Open(c, o)
}

func channelNames(env command.Env) (names []string) {
	file, _ := settings.Load(env.Getenv) // completion has no other way to say what is wrong
	for _, c := range file.Settings.Channels {
		names = append(names, c.Name)
	}
	return names
}

func newAlertsChannel(env command.Env) *cobra.Command {
	return command.Group("channel", "The channels that tell alerts: add, list, remove, secret", newChannelAdd(env),
		newChannelList(env), newChannelRemove(env), newChannelSecret(env))
}

func newChannelAdd(env command.Env) *cobra.Command {
	var (
		c           settings.Channel
		secretStdin bool
	)
	cmd := &cobra.Command{
		Use:   "add NAME",
		Short: "Add a channel",
		Long: "add writes a channel into the settings file and asks for its secret: the password of mail, the access token " +
			"of ntfy, or the URL of a chat's webhook. The secret goes into the system's keyring, or into a file that only " +
			"you can read.\n" +
			"A channel hides amounts unless --amounts is given. It reaches public addresses over TLS; --private names a " +
			"private one. A command gets each message as JSON on standard input, with amounts.",
		Example: "tarmac alerts channel add mail --kind mail --server smtp.example.com:465 --from tarmac@example.com --to " +
			"ada@example.com --user ada\n" +
			"tarmac alerts channel add phone --kind ntfy --to my-topic\n" +
			"tarmac alerts channel add team --kind slack\n" +
			"tarmac alerts channel add desk --kind command --run notify-send --run tarmac",
		Args:              channelArgument,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Name = args[0]
			return addChannel(cmd.Context(), env, c, secretStdin)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.Kind, "kind", "", "mail, ntfy, slack, discord, command or terminal")
	f.StringVar(&c.Server, "server", "", "mail server with its port, or URL of the ntfy server")
	f.StringVar(&c.To, "to", "", "address of mail, or topic of ntfy")
	f.StringVar(&c.From, "from", "", "address of the sender of mail")
	f.StringVar(&c.User, "user", "", "user of the mail server")
	f.StringVar(&c.CAFile, "ca-file", "", "PEM file with certificate authorities to trust beside the system's")
	f.StringArrayVar(&c.Command, "run", nil, "program, and again for each argument")
	f.BoolVar(&c.Amounts, "amounts", false, "show amounts")
	f.BoolVar(&c.Public, "public", false, "anybody who knows the topic may read it (ntfy without a token)")
	f.StringSliceVar(&c.Private, "private", nil, "private address, as HOST:PORT, that it may reach")
	f.BoolVar(&secretStdin, "secret-stdin", false, "read the secret from standard input")
	command.Choices(cmd, "kind", settings.ChannelKinds[:]...)
	return cmd
}

func channelArgument(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return command.Usagef("%s needs the channel's name", cmd.CommandPath())
	}
	if err := settings.CheckProfileName(args[0]); err != nil {
		return command.Usagef("%s cannot be a channel's name: it is made of a-z, 0-9, dots, dashes and underscores",
			command.Quoted(args[0]))
	}
	return nil
}

func addChannel(ctx context.Context, env command.Env, c settings.Channel, fromStdin bool) error {
	file, err := settings.Load(env.Getenv)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(file.Settings.Channels, func(other settings.Channel) bool { return other.Name == c.Name }) {
		return command.Usagef("there is a channel %s already; remove it first", c.Name)
	}
	if !slices.Contains(settings.ChannelKinds[:], c.Kind) {
		return command.Usagef("--kind must be mail, ntfy, slack, discord, command or terminal, not %s",
			command.Quoted(c.Kind))
	}
	if c.CAFile != "" {
		if c.CAFile, err = absolutePath(c.CAFile); err != nil {
			return err
		}
	}
	var secret apiclient.Token
	if what := notify.NeedsSecret(&c); what != "" {
		if secret, err = askSecret(ctx, env, what, fromStdin); err != nil {
			return err
		}
	}
	if _, err := notify.Open(c, notify.Options{Secret: secret, Terminal: env.Stdout}); err != nil {
		return command.Usagef("channel %s %w", c.Name, err)
	}
	if _, err := file.AddChannel(c); err != nil {
		return err
	}
	if err := putSecret(env, c.Name, secret); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "Added channel %s. `tarmac alerts test %s` tries it.\n", c.Name, c.Name)
	return err
}

// askSecret reads a secret from standard input or asks for it on the terminal.
func askSecret(ctx context.Context, env command.Env, what string, fromStdin bool) (apiclient.Token, error) {
	var text string
	var err error
	switch {
	case fromStdin && env.Stdin == nil:
		return "", command.Usagef("--secret-stdin needs the %s on standard input", what)
	case fromStdin:
		text, err = command.FirstLine(env.Stdin)
	default:
		text, err = command.PromptSecret(ctx, env, "The "+termtext.Line(what)+" (not shown):")
		if errors.Is(err, command.ErrNoTerminal) {
			return "", command.Usagef("there is no terminal to ask for the %s; pass it on standard input with "+
				"--secret-stdin", what)
		}
	}
	if err != nil {
		return "", err
	}
	secret := apiclient.Token(text)
	if secret.Check() != nil {
		return "", command.Usagef("the %s is empty, too long, or has a blank or another character that cannot be in it", what)
	}
	return secret, nil
}

func putSecret(env command.Env, name string, secret apiclient.Token) error {
	if secret == "" {
		return nil
	}
	place, err := channelSecrets(env).Put(name, secret)
	if err != nil {
		return fmt.Errorf("the channel is stored, its secret is not: %w", err)
	}
	_, err = fmt.Fprintf(env.Stdout, "Its secret is kept in %s.\n", place)
	return err
}

func newChannelList(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the channels",
		Example: "tarmac alerts channel list",
		Args:    command.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			file, err := settings.Load(env.Getenv)
			if err != nil {
				return err
			}
			w := watcher{Env: env, file: file}
			out := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
			for _, c := range w.channels() {
				ready := "ready"
				if _, err := w.sender(c); err != nil {
					ready = err.Error()
				}
				amounts := "hides amounts"
				if c.Amounts || c.Kind == "command" {
					amounts = "shows amounts"
				}
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", c.Name, c.Kind, amounts, termtext.Line(ready))
			}
			return out.Flush()
		},
	}
}

func newChannelRemove(env command.Env) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NAME",
		Short:   "Remove a channel and its secret",
		Example: "tarmac alerts channel remove team",
		Args:    channelArgument,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return channelNames(env), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			file, at, err := findChannel(env, args[0])
			if err != nil {
				return err
			}
			if _, err := file.RemoveChannel(at); err != nil {
				return err
			}
			if err := channelSecrets(env).Delete(args[0]); err != nil && !errors.Is(err, secretstore.ErrNone) {
				return fmt.Errorf("the channel is removed, its secret perhaps not: %w", err)
			}
			_, err = fmt.Fprintf(env.Stdout, "Removed channel %s.\n", args[0])
			return err
		},
	}
}

func newChannelSecret(env command.Env) *cobra.Command {
	var fromStdin bool
	cmd := &cobra.Command{
		Use:     "secret NAME",
		Short:   "Give a channel its secret again",
		Long:    "secret replaces the secret of a channel, such as on a new machine, where secrets of a backup are missing.",
		Example: "tarmac alerts channel secret mail",
		Args:    channelArgument,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return channelNames(env), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, at, err := findChannel(env, args[0])
			if err != nil {
				return err
			}
			what := notify.NeedsSecret(&file.Settings.Channels[at])
			if what == "" {
				return command.Usagef("channel %s has no secret", args[0])
			}
			secret, err := askSecret(cmd.Context(), env, what, fromStdin)
			if err != nil {
				return err
			}
			return putSecret(env, args[0], secret)
		},
	}
	cmd.Flags().BoolVar(&fromStdin, "secret-stdin", false, "read the secret from standard input")
	return cmd
}

func findChannel(env command.Env, name string) (file settings.File, at int, err error) {
	if file, err = settings.Load(env.Getenv); err != nil {
		return file, 0, err
	}
	at = slices.IndexFunc(file.Settings.Channels, func(c settings.Channel) bool { return c.Name == name })
	if at < 0 {
		return file, 0, command.Usagef("there is no channel %s; `tarmac alerts channel list` names them",
			command.Quoted(name))
	}
	return file, at, nil
}
