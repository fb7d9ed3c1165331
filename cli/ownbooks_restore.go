package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tarmac/cli/backupfile"
	"tarmac/cli/books"
	"tarmac/cli/command"
	"tarmac/client/settings"
	"tarmac/internal/plural"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/bookkeeping"
	"tarmac/service/store/database"
)

// restoreFlags holds the values of the flags of `tarmac books restore`.
type restoreFlags struct {
	passphraseFlags
	ownBooks
	replace, json bool
}

func newBooksRestore(env command.Env) *cobra.Command {
	f := &restoreFlags{ownBooks: ownBooks{env}}
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore your own books from a backup, also on another computer",
		Long: "restore checks the whole backup first, then puts the books, rules, plan, drafts, filters, notes and " +
			"settings in their places, and says what has to be connected again. A sealed backup needs its passphrase.\n" +
			"Where there are books, other rules or another plan already, it needs --replace, and keeps what it replaces in a " +
			"directory beside the books. Settings that are there stay. A backup that is damaged changes nothing, and a " +
			"restore that is interrupted is completed, or undone, at the next start. `-` reads standard input.",
		Example: "tarmac books restore books.backup\ntarmac books restore --replace /media/usb/books.age",
		Args:    oneFile("the backup to restore, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if f.json, err = cmd.Flags().GetBool("json"); err != nil {
				return err
			}
			return f.run(cmd.Context(), args[0])
		},
	}
	cmd.Flags().BoolVar(&f.replace, "replace", false, "replace the books that are there, and keep them aside")
	f.register(cmd, "open it with the passphrase")
	return cmd
}

func (f *restoreFlags) run(ctx context.Context, file string) error {
	if file == "-" && f.file == "-" {
		return command.Usagef("the backup and the passphrase cannot both come from standard input")
	}
	path, err := f.path()
	if err != nil {
		return err
	}
	f.tidy(path)
	if f.exist() && !f.replace {
		return fmt.Errorf("there are books already: %s; add --replace to put the backup in their place and keep them aside",
			termtext.Line(path))
	}
	source, err := f.source(file)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	reader := bufio.NewReader(source)
	sealed := backupfile.IsSealed(reader)
	content, err := f.unsealed(ctx, reader)
	if err != nil {
		return named(file, err)
	}
	staging, err := f.stage(path)
	if err != nil {
		return err
	}
	defer staging.Remove()
	manifest, err := backupfile.Read(content, staging.Path(""))
	if err != nil {
		return named(file, err)
	}
	restored, err := f.check(ctx, staging, &manifest)
	if err != nil {
		return named(file, err)
	}
	if err := f.checkTexts(&manifest, staging); err != nil {
		return err
	}
	if restored.Channels, err = f.withoutAccess(staging, &manifest, sealed); err != nil {
		return named(file, err)
	}
	if restored.Kept, err = f.commit(staging); err != nil {
		return err
	}
	return f.show(path, restored)
}

// named returns an error of a backup with the name of the file.
func named(file string, err error) error {
	var usage command.UsageError
	if errors.As(err, &usage) || errors.Is(err, command.ErrInterrupted) {
		return err
	}
	return fmt.Errorf("%s cannot be restored: %w; nothing was changed", termtext.Line(file), err)
}

func (f *restoreFlags) source(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(f.Stdin), nil
	}
	source, err := books.OpenFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", termtext.Line(file), err)
	}
	return source, nil
}

// unsealed returns the content of a backup. If the backup is sealed, it asks for the passphrase.
func (f *restoreFlags) unsealed(ctx context.Context, source *bufio.Reader) (io.Reader, error) {
	if !backupfile.IsSealed(source) {
		return source, nil
	}
	passphrase, err := f.ask(ctx, f.Env, false)
	if err != nil {
		return nil, err
	}
	return backupfile.Unseal(source, passphrase)
}

// restoredBooks is what a restore has brought.
type restoredBooks struct {
	Company  string   `json:"company"`
	Books    string   `json:"books"`
	Accounts int      `json:"accounts"`
	Files    []string `json:"files"`
	Missing  []string `json:"missing"` // what has to be connected again
	Kept     string   `json:"kept"`    // directory with what was replaced; "" if nothing was
	// Channels names the channels of alerts that were left out.
	Channels []string `json:"channels_left_out"`

	providers []string
}

// check checks the books of a backup in a staging directory and brings them up to date. A backup
// without a key may have been changed by anybody, so nothing in it that gives access counts.
func (f *restoreFlags) check(ctx context.Context, staging *privatefile.Staging, m *backupfile.Manifest) (
	r restoredBooks, err error,
) {
	partial := staging.Path(backupfile.Books)
	if err := database.CheckForeign(ctx, partial); err != nil {
		return r, fmt.Errorf("its books are damaged: %w", err)
	}
	err = f.open(ctx, partial, openOptions{ephemeral: true}, func(svc *service.Service) error {
		if err := svc.Store().BeginAudit(ctx); err != nil {
			return err
		}
		if !m.Has(backupfile.Key) {
			if err := svc.DropSecrets(ctx); err != nil {
				return err
			}
		}
		company, err := companyIn(ctx, svc, partial)
		if err != nil {
			return err
		}
		_, org, err := svc.Organization(ctx, company.PublicID)
		if err != nil {
			return err
		}
		connections, err := books.Connections(svc.Syncing(), org).Connections(ctx)
		if err != nil {
			return err
		}
		for _, c := range connections {
			if svc.Syncing().CheckCredential(ctx, org, c.ID) != nil {
				r.Missing = append(r.Missing, "the token of "+c.Label)
				r.providers = append(r.providers, c.Provider)
			}
		}
		r.Company = company.Name
		return withBooks(ctx, svc, company, func(b *bookkeeping.Books) error {
			accounts, err := b.Accounts(ctx)
			r.Accounts = len(accounts)
			return err
		})
	})
	if err == nil {
		err = checkClosed(partial, partial)
	}
	if len(r.Missing) > 0 && !m.Has(backupfile.Key) {
		r.Missing = append([]string{backupfile.Key}, r.Missing...)
	}
	for _, file := range m.Files {
		r.Files = append(r.Files, file.Name)
	}
	return r, err
}

// checkTexts returns an error if there are rules or a plan that the backup would replace and no
// books.
func (f *restoreFlags) checkTexts(m *backupfile.Manifest, staging *privatefile.Staging) error {
	for _, text := range [...]struct{ name, there string }{
		{backupfile.Rules, "are other rules"}, {backupfile.Plan, "is another plan"},
	} {
		if f.replace || !m.Has(text.name) {
			continue
		}
		target, err := f.targetOf(text.name)
		if err != nil {
			return err
		}
		there, err := os.ReadFile(target)
		if err != nil {
			continue // it is missing, or cannot be replaced
		}
		brought, err := os.ReadFile(staging.Path(text.name))
		if err != nil {
			return err
		}
		if string(brought) != string(there) {
			return fmt.Errorf("there %s already: %s; add --replace to put the backup's in the place and keep this file aside",
				text.there, termtext.Line(target))
		}
	}
	return nil
}

// withoutAccess removes from the settings in a staging directory what anybody who wrote the backup
// could use: profiles, which say to which server a token is sent, and, if the backup is not sealed,
// the channels of alerts, which start programs and send amounts away. It returns the names of the
// channels that are missing after the restore.
func (f *restoreFlags) withoutAccess(staging *privatefile.Staging, m *backupfile.Manifest, sealed bool) (
	channels []string, err error,
) {
	if !m.Has(backupfile.Settings) {
		return nil, nil
	}
	path := staging.Path(backupfile.Settings)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := settings.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("its settings cannot be read: %w", err)
	}
	s.Profiles, s.DefaultProfile = nil, ""
	if !sealed {
		for _, c := range s.Channels {
			channels = append(channels, c.Name)
		}
		s.Channels = nil
	}
	target, err := f.targetOf(backupfile.Settings)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(target); err == nil {
		channels = nil // the settings that are there stay
	}
	return channels, privatefile.Write(path, []byte(s.TOML()))
}

// show says what was restored, and what is missing.
func (f *restoreFlags) show(path string, r restoredBooks) error {
	r.Books = path
	if f.json {
		r.Missing, r.Channels = append([]string{}, r.Missing...), append([]string{}, r.Channels...)
		return json.NewEncoder(f.Stdout).Encode(r)
	}
	text := fmt.Sprintf("Restored the books of %s with %s: %s.\n", termtext.Line(r.Company),
		plural.Count(r.Accounts, "account"), termtext.Line(path))
	if r.Kept != "" {
		text += "What was there before is in " + termtext.Line(r.Kept) + ".\n"
	}
	if len(r.Missing) > 0 {
		text += "Not in the backup: " + strings.Join(r.Missing, ", ") + ". Connect again with "
		for n, provider := range r.providers {
			if n > 0 {
				text += ", "
			}
			text += "`tarmac connect " + provider + "`"
		}
		text += "; the accounts stay chosen.\n"
	}
	if len(r.Channels) > 0 {
		text += "Left out, because anybody may have written a backup that is not sealed: the channels " +
			termtext.Line(strings.Join(r.Channels, ", ")) + ". Add them with `tarmac alerts channel add`.\n"
	}
	_, err := io.WriteString(f.Stdout, text+"Run `tarmac` to see them.\n")
	return err
}

// commitFile is the file in a staging directory that says that its files are complete and may be
// put in their places. It has the name of the directory for what they replace.
const commitFile = "commit"

// commit puts the files of a staging directory in their places. From the moment at which commitFile
// is written, the next start completes what this process cannot. It returns the directory with what
// was replaced; "" if nothing was.
func (o ownBooks) commit(staging *privatefile.Staging) (kept string, err error) {
	if err := staging.Sync(backupfile.Books); err != nil {
		return "", err
	}
	release, err := o.exclude(context.Background())
	if err != nil {
		return "", err
	}
	if err := release(); err != nil {
		return "", err
	}
	kept = "books-replaced-" + o.Now().UTC().Format("20060102-150405")
	if err := privatefile.Write(staging.Path(commitFile), []byte(kept)); err != nil {
		return "", err
	}
	if err := o.finishRestore(staging.Path("")); err != nil {
		return "", fmt.Errorf("the books could not be replaced completely, which the next start tries again: %w", err)
	}
	path, err := o.path()
	kept = filepath.Join(filepath.Dir(path), kept)
	if _, missing := os.Stat(kept); missing != nil {
		kept = ""
	}
	return kept, err
}

// exclude keeps other processes from the books that are there.
func (o ownBooks) exclude(ctx context.Context) (release func() error, err error) {
	path, err := o.path()
	if err != nil || !o.exist() {
		return func() error { return nil }, err
	}
	release, err = database.LockFile(ctx, path)
	if errors.Is(err, database.ErrInUse) {
		err = errors.New("the books are open in another tarmac: close it first; nothing was changed")
	}
	return release, err
}
