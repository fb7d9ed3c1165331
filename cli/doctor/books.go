package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tarmac/client/settings"
	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
	"tarmac/service"
)

// statementsOld is the number of days after which an account without newer statements gets a note.
// Banks offer statements once a month.
const statementsOld = 35

// examineBooks checks the user's own books, if there are any: who can read them, whether the
// database is intact, how old the statements are, and whether they add up.
func (d *doctor) examineBooks(ctx context.Context) {
	const check = "own books"
	path, err := d.own.Existing()
	if err != nil {
		return
	}
	if !d.examineBooksAccess(path) {
		return
	}
	d.examineRoom(path)
	err = d.own.Inspect(ctx, path, func(svc *service.Service) error {
		if err := svc.Store().Check(ctx); err != nil {
			return fmt.Errorf("%s is damaged: %w; restore a backup with `tarmac books restore --replace FILE`, or move it "+
				"away and import your files again", path, err)
		}
		org, err := d.own.Company(ctx, svc, path)
		if err != nil {
			return err
		}
		b, err := svc.Books(ctx, org.PublicID)
		if err != nil {
			return err
		}
		imports, err := b.Imports(ctx)
		if err != nil {
			return err
		}
		accounts, err := b.Accounts(ctx)
		if err != nil {
			return err
		}
		found := org.Name + ", " + path + ", " + plural.Count(len(accounts), "account")
		if len(imports) > 0 {
			last := slices.MaxFunc(imports, func(a, b ownbooks.Import) int { return a.At.Compare(b.At) })
			found += ", last import " + last.At.UTC().Format(time.DateOnly)
		}
		d.ok(check, found)
		d.examineAccounts(accounts)
		return d.examineProviders(ctx, svc, org)
	})
	if err != nil {
		d.problem(check, err.Error(), "")
	}
}

// examineBooksAccess checks that only the user has access to the directory and the files of the
// books. It returns false if others have access to a file: such books are not opened.
func (d *doctor) examineBooksAccess(path string) (usable bool) {
	if runtime.GOOS == "windows" {
		return true // the mode does not show who has access
	}
	private := d.isPrivate(filepath.Dir(path), "chmod 700")
	usable = true
	for _, file := range d.own.Files(path) {
		usable = d.isPrivate(file, "chmod 600") && usable
	}
	if private && usable {
		d.ok("own books", "only you have access to the directory and its files")
	}
	return usable
}

// isPrivate reports whether only the user has access to a file or directory, or whether there is
// none. Otherwise it adds a problem, with the command that removes the access of others.
func (d *doctor) isPrivate(path, command string) bool {
	const check = "own books"
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true
	case err != nil:
		d.problem(check, err.Error(), "")
	case !privatefile.IsOwn(info):
		d.problem(check, path+" belongs to another user", "run tarmac as that user, or move it away")
	case info.Mode().Perm()&0o077 != 0:
		d.problem(check, fmt.Sprintf("others have access to %s (mode %04o)", path, info.Mode().Perm()),
			command+" "+privatefile.ShellWord(termtext.Line(path)))
	default:
		return true
	}
	return false
}

// examineAccounts checks the balances and the statements of the accounts.
func (d *doctor) examineAccounts(accounts []ownbooks.Account) {
	const check = "statements"
	if len(accounts) == 0 {
		d.note(check, "there are none", "import a bank's files with `tarmac import FILE…`")
		return
	}
	today, proven := civil.Of(d.Now()), 0
	for i := range accounts {
		a := &accounts[i]
		name := strings.TrimSpace(a.Bank + " " + a.Number)
		switch {
		case a.Contradiction:
			d.problem(check, name+" does not add up: "+a.Proof(),
				"`tarmac books` shows the days; download their statements again and import them")
		case a.Balance == nil:
			d.problem(check, "the balance of "+name+" is not known, and so is the cash of all accounts",
				"import a statement that has a balance")
		case len(a.Proven) > 0:
			proven++
		}
		if !a.NeedsStatements() {
			continue
		}
		if days, known := a.Age(today); known && days > statementsOld {
			d.note(check, fmt.Sprintf("those of %s end on %s, %d days ago", name, a.Newest(), days),
				"download newer ones and import them with `tarmac import FILE…`; if it is closed: `tarmac books role "+
					strings.TrimLeft(a.Number, "…")+" closed`")
		}
	}
	d.ok(check, fmt.Sprintf("those of %d of %s add up to two balances or more", proven,
		plural.Count(len(accounts), "account")))
}

// examineChoice reports whether own books are shown, because no server is configured or because a
// profile names them.
func (d *doctor) examineChoice(found settings.Connection, err error) (own bool) {
	_, missing := d.own.Existing()
	unset, exist := errors.Is(err, settings.ErrNotConfigured), missing == nil
	switch {
	case unset && exist:
		d.ok("server", "none is configured, so that tarmac shows your own books")
	case err == nil && found.Profile == settings.OwnBooks && exist:
		d.ok("server", "none is needed for your own books")
	case err == nil && found.Profile == settings.OwnBooks:
		d.problem("own books", missing.Error(), "")
	default:
		return false
	}
	return true
}
