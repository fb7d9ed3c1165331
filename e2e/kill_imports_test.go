//go:build long && unix

package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/testdb"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service/bookkeeping"
	transactions "tarmac/service/ledger"
	"tarmac/service/store"
)

// bookKills is an environment variable: how often imports and undoing them are killed on each
// database.
const bookKills = "TARMAC_BOOK_KILLS"

// An import, an undo or a repeated import that is killed at any point is whole or absent. The
// database stays sound, the lines still add up to the balances, and the next command works.
func TestKilledImportsAreWholeOrAbsent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many processes")
	}
	t.Parallel()
	rounds := 5
	if text := os.Getenv(bookKills); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", bookKills, err)
		}
	}
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		home := t.TempDir()
		newKilledBooks(t, filepath.Join(home, "tarmac", "books.db"), []string{"XDG_DATA_HOME=" + home},
			func(verb ...string) []string { return verb }).run(rounds)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		database := testdb.Start(t).Database(t)
		org := testprogram.Must(t, "admin", "--db", database, "org", "create", "Northlight Labs")
		newKilledBooks(t, database, nil, func(verb ...string) []string {
			return append(append([]string{"admin", "--db", database}, verb...), "--org", org)
		}).run(rounds)
	})
}

// killedBooks are books into which two groups of files are imported by processes that are killed.
type killedBooks struct {
	t        *testing.T
	database string
	environ  []string
	command  func(verb ...string) []string // arguments of the program
	files    map[string][]string           // paths by group
	want     map[string]string             // the books by the groups that are imported, such as "ab"
	took     time.Duration                 // longest time of a command that was not killed
}

func newKilledBooks(t *testing.T, database string, environ []string, command func(...string) []string) *killedBooks {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	testprogram.Must(t, "demo", "--files", dir)
	k := &killedBooks{
		t: t, database: database, environ: environ, command: command, files: map[string][]string{}, want: map[string]string{},
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for n, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "card"):
			k.files["b"] = append(k.files["b"], path)
		case strings.HasPrefix(e.Name(), "operating-2025"), strings.HasPrefix(e.Name(), "savings"):
			k.files["a"] = append(k.files["a"], path)
		case strings.HasPrefix(e.Name(), "operating"): // both groups have these
			k.files["a"], k.files["b"] = append(k.files["a"], path), append(k.files["b"], path)
		default:
			group := []string{"a", "b"}[n%2]
			k.files[group] = append(k.files[group], path)
		}
	}
	k.files["a"] = append(k.files["a"], largeStatement(t, dir))
	return k
}

// largeStatement writes a file of so many lines that SQLite's ledger is written anew beside the one
// that counts. It returns the path of the file.
func largeStatement(t *testing.T, dir string) string {
	t.Helper()
	const lines = 6000
	var b strings.Builder
	b.WriteString("OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n" +
		"<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>121000358<ACCTID>00555111777" +
		"<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20250101<DTEND>20251231")
	first := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range lines {
		fmt.Fprintf(&b, "\n<STMTTRN><TRNTYPE>OTHER<DTPOSTED>%s<TRNAMT>-1.%02d<FITID>large-%d<NAME>STORE %05d</STMTTRN>",
			first.AddDate(0, 0, n*365/lines).Format("20060102"), n%100, n, n%997)
	}
	b.WriteString("</BANKTRANLIST><LEDGERBAL><BALAMT>1234.56<DTASOF>20251231</LEDGERBAL>" +
		"</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n")
	path := filepath.Join(dir, "large.qfx")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// importOf returns the command that imports a group of files.
func (k *killedBooks) importOf(group string) []string {
	return append(k.command("import", "--yes"), k.files[group]...)
}

// run runs commands that are killed, and checks the books after each.
func (k *killedBooks) run(rounds int) {
	k.t.Helper()
	there := k.learn()
	whole := map[string]int{}
	for range rounds {
		group, undo := []string{"a", "b"}[rand.IntN(2)], -1
		if len(there) > 0 && (len(there) == 4 || rand.IntN(2) == 0) {
			undo = rand.IntN(len(there))
		}
		args := k.importOf(group)
		if undo >= 0 {
			args = k.command("books", "undo", there[undo].id)
		}
		before, count := there, len(there)
		if len(there) == 0 && k.environ != nil {
			k.remove()
		}

		k.kill(args)

		there = k.read()
		if undone := len(there) < len(before); undo >= 0 && undone {
			before = slices.Delete(slices.Clone(before), undo, undo+1)
		} else if added := len(there) > len(before); undo < 0 && added {
			before = append(slices.Clone(before), killedImport{there[len(there)-1].id, group})
		}
		if !slices.Equal(there, before) {
			k.t.Fatalf("%q killed: imports are %v, want %v", args[:3], there, before)
		}
		if verb := "import"; len(there) != count {
			if undo >= 0 {
				verb = "undo"
			}
			whole[verb]++
		}
		k.check(there)
	}
	k.t.Logf("of %d killed commands, these were whole: %v", rounds, whole)
	k.do(k.importOf("a"))
	k.do(k.importOf("b"))
	k.check(k.read())
}

// learn runs each command once to its end, records what the books are then, and leaves none.
func (k *killedBooks) learn() (none []killedImport) {
	k.t.Helper()
	k.do(k.importOf("a"))
	k.want["a"] = k.picture()
	k.do(k.importOf("b"))
	k.want["ab"] = k.picture()
	k.do(k.command("books", "undo", k.read()[0].id))
	k.want["b"] = k.picture()
	k.do(k.command("books", "undo", k.read()[0].id))
	k.want[""] = k.picture()
	return nil
}

// do runs a command to its end.
func (k *killedBooks) do(args []string) {
	k.t.Helper()
	begun := time.Now()
	if out, err := testprogram.Command(k.t, k.environ, args...).CombinedOutput(); err != nil {
		k.t.Fatalf("%q: %v: %s", args, err, out)
	}
	k.took = max(k.took, time.Since(begun))
}

// kill runs a command and kills it at a random moment.
func (k *killedBooks) kill(args []string) {
	k.t.Helper()
	cmd := testprogram.Command(k.t, k.environ, args...)
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	<-time.After(rand.N(k.took + k.took/8))
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // the error only reports the kill
}

// killedImport is an import of the books with the group of its files.
type killedImport struct{ id, group string }

// read returns the imports of the books, and fails if one has only a part of its files.
func (k *killedBooks) read() (all []killedImport) {
	k.t.Helper()
	k.open(func(b *bookkeeping.Books) {
		imports, err := b.Imports(k.t.Context())
		if err != nil {
			k.t.Fatal(err)
		}
		for _, i := range imports {
			var names []string
			for _, f := range i.Files {
				names = append(names, f.Name)
			}
			slices.Sort(names)
			all = append(all, killedImport{i.ID, k.groupOf(names)})
		}
	})
	return all
}

// groupOf returns the group that has exactly the given files.
func (k *killedBooks) groupOf(names []string) string {
	k.t.Helper()
	for group, paths := range k.files {
		var want []string
		for _, path := range paths {
			want = append(want, filepath.Base(path))
		}
		slices.Sort(want)
		if slices.Equal(names, want) {
			return group
		}
	}
	k.t.Fatalf("an import has the files %q", names)
	return ""
}

// exist reports whether the books exist. Those on a server always do.
func (k *killedBooks) exist() bool {
	_, err := os.Stat(k.database)
	return k.environ == nil || !errors.Is(err, fs.ErrNotExist)
}

// remove removes the file of books without imports, so that the next import creates them again.
func (k *killedBooks) remove() {
	k.t.Helper()
	for _, ending := range []string{"", "-wal", "-shm", ".key"} {
		if err := os.Remove(k.database + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			k.t.Fatal(err)
		}
	}
}

// open calls do with the books. Books that do not exist are not opened.
func (k *killedBooks) open(do func(*bookkeeping.Books)) {
	k.t.Helper()
	if !k.exist() {
		return
	}
	s, err := store.Open(k.t.Context(), k.database, store.Options{})
	if err != nil {
		k.t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			k.t.Error(err)
		}
	}()
	all, err := s.Organizations(k.t.Context())
	if err != nil || len(all) != 1 {
		k.t.Fatalf("there are %d organizations, %v", len(all), err)
	}
	_, org, err := s.Organization(k.t.Context(), all[0].PublicID)
	if err != nil {
		k.t.Fatal(err)
	}
	// A server may still be ending what a killed process began. This waits for it.
	err = s.Write(k.t.Context(), func(tx *store.Tx) error {
		_, err := tx.HasForeignTransactions(org)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	do(&bookkeeping.Books{Store: s, Org: org, Now: time.Now})
}

// check compares the books with those that follow from their imports, and checks the database.
func (k *killedBooks) check(imports []killedImport) {
	k.t.Helper()
	groups := map[string]bool{}
	for _, i := range imports {
		groups[i.group] = true
	}
	if len(imports) == 0 && !k.exist() {
		return
	}
	key := strings.Join(slices.Sorted(maps.Keys(groups)), "")
	if got, want := k.picture(), k.want[key]; got != want {
		k.t.Fatalf("the books of the imports %q are:\n%.4000s\nwant:\n%.4000s", key, got, want)
	}
	if k.environ == nil {
		return
	}
	var integrity, orphan string
	look := &crashTest{t: k.t, database: k.database}
	look.query(k.t, "PRAGMA integrity_check", &integrity)
	look.query(k.t, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`, &orphan)
	if integrity != "ok" || orphan != "" {
		k.t.Fatalf("integrity %s, orphans in %q", integrity, orphan)
	}
}

// picture describes the books: cash, accounts and all transactions. It fails if the accounts do not
// add up, or the kept totals are not those of the transactions.
func (k *killedBooks) picture() string {
	k.t.Helper()
	var text strings.Builder
	k.open(func(b *bookkeeping.Books) {
		ctx := k.t.Context()
		accounts, err := b.Accounts(ctx)
		if err != nil {
			k.t.Fatal(err)
		}
		for n := range accounts {
			a := &accounts[n]
			if a.Contradiction || a.Balance == nil {
				k.t.Errorf("%s does not add up: %+v", a.Number, a)
			}
			line, err := json.Marshal(a)
			if err != nil {
				k.t.Fatal(err)
			}
			fmt.Fprintf(&text, "%s\n", line)
		}
		k.writeCash(ctx, b, &text)
		k.writeTransactions(ctx, b, &text)
	})
	lines := strings.SplitAfter(text.String(), "\n")
	slices.Sort(lines) // accounts have the order of their imports
	return strings.Join(lines, "")
}

func (k *killedBooks) writeCash(ctx context.Context, b *bookkeeping.Books, text *strings.Builder) {
	k.t.Helper()
	err := b.Store.Read(ctx, func(snap *store.Snapshot) error {
		account, err := snap.ManagedAccount(b.Org)
		if err != nil {
			return err
		}
		account.Balance.SyncedAt = time.Time{}
		fmt.Fprintf(text, "%+v\n", account)
		open, err := snap.OpenItems(b.Org)
		fmt.Fprintf(text, "%d open invoices\n", len(open))
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
}

func (k *killedBooks) writeTransactions(ctx context.Context, b *bookkeeping.Books, text *strings.Builder) {
	t := k.t
	t.Helper()
	var after *transactions.Position
	var counted, kept transactions.Summary
	for {
		page, summary, err := b.Store.Listing(ctx, b.Org, transactions.Filter{}, after, 500)
		if err != nil {
			t.Fatal(err)
		}
		kept = summary
		for i := range page.Rows {
			row := &page.Rows[i]
			counted.Count++
			switch {
			case !row.USDKnown:
				counted.Unconverted++
			case row.Direction == transactions.Inflow:
				counted.Inflow += row.USDCents
			default:
				counted.Outflow += row.USDCents
			}
			if k.environ != nil { // books that are created again are those of another organization
				row.ID = ""
			}
			fmt.Fprintf(text, "%+v\n", *row)
		}
		if after = page.Next; after == nil {
			break
		}
	}
	if counted != kept {
		t.Errorf("the transactions come to %+v, the kept totals are %+v", counted, kept)
	}
}
