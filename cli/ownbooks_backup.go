package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/backupfile"
	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/client/annotations"
	"tarmac/client/draft"
	"tarmac/client/plan"
	"tarmac/client/settings"
	"tarmac/client/state"
	"tarmac/internal/money"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/store"
)

// backupFlags holds the values of the flags of `tarmac books backup`.
type backupFlags struct {
	passphraseFlags
	ownBooks
	seal, force, json bool
}

func newBooksBackup(env command.Env) *cobra.Command {
	f := &backupFlags{ownBooks: ownBooks{env}}
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Back up your own books to one file, also while the dashboard is open",
		Long: "backup writes a file that only you can read, with your books, rules, plan, drafts, filters, notes and " +
			"settings, but no profiles of servers. `tarmac books restore` restores it, also on another computer.\n" +
			"A backup that is not sealed holds neither books.db.key nor the tokens of providers, which have to be connected " +
			"again after it was restored. --seal asks for a passphrase and encrypts the backup, as the program age does; it " +
			"then holds the key and the tokens, too. Without the passphrase nobody can open it, you included.\n" +
			"It replaces a file only with --force and leaves no partial file. `-` writes to standard output.",
		Example: "tarmac books backup books.backup\ntarmac books backup --seal /media/usb/books.age",
		Args:    oneFile("the file to write, or - for standard output"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.json, err = cmd.Flags().GetBool("json"); err != nil {
				return err
			}
			return f.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().BoolVar(&f.seal, "seal", false, "ask for a passphrase and encrypt it; it then holds all secrets")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace an existing file")
	f.register(cmd, "seal it with the passphrase")
	return cmd
}

// oneFile returns a usage error unless there is exactly one argument, which what describes.
func oneFile(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" {
			return command.Usagef("%s needs %s", cmd.CommandPath(), what)
		}
		return nil
	}
}

func (f *backupFlags) run(ctx context.Context, file string) error {
	toStdout := file == "-"
	if toStdout && (f.json || command.IsTerminal(f.Stdout)) {
		return command.Usagef("- needs a pipe or a file as standard output, and no --json")
	}
	if !toStdout {
		if err := books.CheckNewFile(file, f.force); err != nil {
			return err
		}
	}
	path, err := f.Existing()
	if err != nil {
		return err
	}
	passphrase, sealed := "", f.seal || f.file != ""
	if sealed {
		if passphrase, err = f.ask(ctx, f.Env, true); err != nil {
			return err
		}
	}
	staging, err := f.stage(path)
	if err != nil {
		return err
	}
	defer staging.Remove()
	made, err := f.prepare(ctx, staging, path, sealed)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return made.write(w, staging, passphrase) }
	if toStdout {
		out := bufio.NewWriter(f.Stdout)
		return errors.Join(write(out), out.Flush())
	}
	err = privatefile.Stream(file, f.force, write)
	if errors.Is(err, fs.ErrExist) {
		return books.CheckNewFile(file, f.force)
	}
	if err != nil {
		return err
	}
	return f.show(file, made, sealed)
}

// madeBackup is a backup whose files are prepared.
type madeBackup struct {
	manifest backupfile.Manifest
	names    []string
	leftOut  []string // what a person has to restore otherwise
}

func (b *madeBackup) write(w io.Writer, staging *privatefile.Staging, passphrase string) error {
	if passphrase == "" {
		return backupfile.Write(w, b.manifest, staging.Path(""), b.names)
	}
	sealed, err := backupfile.Seal(w, passphrase)
	if err != nil {
		return err
	}
	return errors.Join(backupfile.Write(sealed, b.manifest, staging.Path(""), b.names), sealed.Close())
}

// prepare puts all files of a backup into a staging directory.
func (f *backupFlags) prepare(ctx context.Context, staging *privatefile.Staging, path string, sealed bool) (
	*madeBackup, error,
) {
	made := &madeBackup{names: []string{backupfile.Books}}
	whole := staging.Path("whole.db")
	err := f.open(ctx, path, openOptions{}, func(svc *service.Service) error {
		company, err := companyIn(ctx, svc, path)
		if err != nil {
			return err
		}
		made.manifest = backupfile.Manifest{
			Program: version(), MadeAt: f.Now().UTC(), Company: company.Name, Organization: company.PublicID,
		}
		if made.leftOut, err = f.tokensIn(ctx, svc, company); err != nil {
			return err
		}
		_, err = svc.Backup(ctx, whole)
		return err
	})
	if err != nil {
		return nil, err
	}
	small, err := f.smallFiles(made.manifest.Organization)
	if err != nil {
		return nil, err
	}
	if sealed {
		err = os.Rename(whole, staging.Path(backupfile.Books))
		if key, unread := os.ReadFile(path + ".key"); err == nil && unread == nil {
			small[backupfile.Key], made.leftOut = key, nil
		}
	} else {
		err = f.withoutSecrets(ctx, whole, staging.Path(backupfile.Books))
	}
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(small)) {
		if err := privatefile.Write(staging.Path(name), small[name]); err != nil {
			return nil, err
		}
		made.names = append(made.names, name)
	}
	return made, nil
}

// withoutSecrets writes a copy of the books at path without their secrets. The copy is made of rows
// alone, so that no unused part of the file has what was deleted.
func (o ownBooks) withoutSecrets(ctx context.Context, path, copied string) error {
	ctx = store.WithAudit(ctx, nil) // the copy loses its secrets, not the books
	return o.open(ctx, path, openOptions{ephemeral: true}, func(svc *service.Service) error {
		if err := svc.DropSecrets(ctx); err != nil {
			return err
		}
		_, err := svc.Backup(ctx, copied)
		return err
	})
}

// tokensIn returns the names of the providers whose tokens are in the books.
func (o ownBooks) tokensIn(ctx context.Context, svc *service.Service, company store.Organization) ([]string, error) {
	_, org, err := svc.Organization(ctx, company.PublicID)
	if err != nil {
		return nil, err
	}
	all, err := books.Connections(svc.Syncing(), org).Connections(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range all {
		names = append(names, "the token of "+c.Label)
	}
	return names, nil
}

// smallFiles returns the rules, the plan, the settings without profiles, and the drafts, what-ifs
// of earlier versions, filters, categories and notes of own books, by their names in a backup.
func (o ownBooks) smallFiles(organization string) (map[string][]byte, error) {
	files := map[string][]byte{}
	if rules := o.rulesFile(); rules != nil {
		text, err := rules.Read()
		if err != nil {
			return nil, err
		}
		if text != "" {
			files[backupfile.Rules] = []byte(text)
		}
	}
	planFile, _ := settings.Connection{Profile: settings.OwnBooks}.PlanFile(o.Getenv) // "" without a directory
	switch text, err := (plan.File{Path: planFile}).Text(); {
	case err == nil:
		files[backupfile.Plan] = []byte(text)
	case planFile != "" && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	file, err := settings.Load(o.Getenv)
	if err != nil {
		return nil, err
	}
	if file.Exists {
		s := file.Settings
		s.Profiles, s.DefaultProfile = nil, ""
		files[backupfile.Settings] = []byte(s.TOML())
	}
	folder := o.stateFolder()
	if folder == nil {
		return files, nil
	}
	name := draft.FileName(draft.OrgKey(localOrigin, organization))
	for _, kind := range [...]string{plan.WhatIfPrefix, "filters-", "proposal-", annotations.Prefix} {
		found, err := folder.List(kind + name)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			content, err := folder.Read(f, maxStateFile)
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(f, ".json") {
				files[backupfile.StateFolder+f] = content
			}
		}
	}
	return files, nil
}

// maxStateFile is more than the size of any draft, scenario, filter file or file of annotations.
const maxStateFile = 1 << 20

// stateFolder returns the folder of drafts, scenarios and filters; nil if there is no home
// directory.
func (o ownBooks) stateFolder() state.Folder {
	directory, _ := settings.StateDirectory(o.Getenv)
	return state.Directory(directory)
}

// show says what the backup has.
func (f *backupFlags) show(file string, made *madeBackup, sealed bool) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if f.json {
		return json.NewEncoder(f.Stdout).Encode(struct {
			File    string   `json:"file"`
			Bytes   int64    `json:"bytes"`
			Sealed  bool     `json:"sealed"`
			Company string   `json:"company"`
			LeftOut []string `json:"left_out"`
		}{file, info.Size(), sealed, made.manifest.Company, append([]string{}, made.leftOut...)})
	}
	text := fmt.Sprintf("%s: the books of %s, %s bytes", termtext.Line(file), termtext.Line(made.manifest.Company),
		money.Count(info.Size()))
	if len(made.names) > 1 {
		text += ", with rules, plan and settings as far as there are any"
	}
	text += ".\n"
	switch {
	case sealed:
		text += "Sealed with your passphrase: without it, nobody can open the file.\n"
	case len(made.leftOut) > 0:
		text += "Left out: books.db.key and " + strings.Join(made.leftOut, ", ") + ". --seal encrypts and includes them.\n"
	}
	_, err = io.WriteString(f.Stdout, text)
	return err
}

// targetOf returns where a file of a backup belongs on this computer.
func (o ownBooks) targetOf(name string) (string, error) {
	find := settings.DataDirectory
	state, inFolder := strings.CutPrefix(name, backupfile.StateFolder)
	switch {
	case inFolder:
		find, name = settings.StateDirectory, state
	case name == backupfile.Rules, name == backupfile.Settings, name == backupfile.Plan:
		find = settings.ConfigDirectory
	}
	dir, err := find(o.Getenv)
	return filepath.Join(dir, name), err
}
