package cli_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// atHome returns the environment of a user with an empty home directory.
func atHome(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{"HOME": t.TempDir()}
}

// below returns the files below a home directory with their contents, without the books, whose
// bytes change when they are read.
func below(t *testing.T, environ map[string]string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(environ["HOME"], func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if name, _ := filepath.Rel(environ["HOME"], path); !strings.Contains(name, "books.db") {
			files[filepath.ToSlash(name)] = string(content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// mustAt runs a command that has to succeed.
func mustAt(t *testing.T, environ map[string]string, args ...string) string {
	t.Helper()
	r := tarmac(t, environ, args...)
	if r.code != 0 {
		t.Fatalf("tarmac %s: exit %d, %s", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

func writeFile(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// ownerOfBooks is a user with books, rules, settings and what-ifs.
func ownerOfBooks(t *testing.T) map[string]string {
	t.Helper()
	environ := atHome(t)
	mustAt(t, environ, "import", "--yes", "--name", "Fennel & Thyme", statementFile(t, "a.qfx", rentLine))
	mustAt(t, environ, "books", "role", "6789", "savings")
	config := filepath.Join(environ["HOME"], ".config", "tarmac")
	writeFile(t, filepath.Join(config, "rules.toml"), "[[rule]]\nmatch = \"landlord\"\ncategory = \"rent\"\n")
	writeFile(t, filepath.Join(config, "own-books.plan"), "plan from 2026-11 in USD\nfloor 100k\n")
	writeFile(t, filepath.Join(config, "config.toml"),
		"theme = \"dark\"\n[profiles.work]\nbase_url = \"https://secret-host.example\"\n"+
			"[[channel]]\nname = \"chat\"\nkind = \"command\"\ncommand = [\"touch\", \"/tmp/told\"]\n")
	var account struct {
		OrgID string `json:"org_id"`
	}
	text := mustAt(t, environ, "account", "--profile", "own books", "--json")
	if err := json.Unmarshal([]byte(text), &account); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("local"))
	name := account.OrgID + "@" + hex.EncodeToString(sum[:8]) + ".json"
	state := filepath.Join(environ["HOME"], ".local", "state", "tarmac")
	writeFile(t, filepath.Join(state, "what-if-"+name), `{"version":1,"day":"2026-09-30"}`)
	writeFile(t, filepath.Join(state, "annotations-"+name), `{"version":1,"transactions":{"txn_1":{"note":"due"}}}`)
	writeFile(t, filepath.Join(state, "what-if-org_other@0123456789abcdef.json"), `{"version":1,"day":"2026-09-30"}`)
	return environ
}

// picture returns what the commands say about own books.
func pictureOf(t *testing.T, environ map[string]string) (text string) {
	t.Helper()
	for _, read := range [][]string{{"books"}, {"books", "lines"}, {"books", "imports"}, {"books", "rules"}} {
		text += mustAt(t, environ, read...)
	}
	for _, read := range []string{"overview", "cash-position"} {
		text += figuresIn(mustAt(t, environ, read, "--profile", "own books"))
	}
	return strings.ReplaceAll(text, environ["HOME"], "~")
}

func TestABackupIsRestoredOnAnEmptyHome(t *testing.T) {
	t.Parallel()
	for _, seal := range []bool{false, true} {
		environ, other := ownerOfBooks(t), atHome(t)
		backup := filepath.Join(t.TempDir(), "books.backup")
		flags := []string{}
		if seal {
			flags = []string{"--passphrase-file", writeFile(t, filepath.Join(t.TempDir(), "words"), "correct horse battery\n")}
		}
		want := pictureOf(t, environ)

		mustAt(t, environ, append([]string{"books", "backup", backup}, flags...)...)
		restored := mustAt(t, other, append([]string{"books", "restore", backup}, flags...)...)

		if got := pictureOf(t, other); got != want {
			t.Errorf("sealed %v: restored books say\n%s\nwant\n%s", seal, got, want)
		}
		if !strings.Contains(restored, "Fennel & Thyme with 1 account") || strings.Contains(restored, "Not in the backup") {
			t.Errorf("sealed %v: %q", seal, restored)
		}
		before, after := below(t, environ), below(t, other)
		delete(before, ".config/tarmac/config.toml")
		delete(before, ".local/state/tarmac/what-if-org_other@0123456789abcdef.json")
		settings := after[".config/tarmac/config.toml"]
		delete(after, ".config/tarmac/config.toml")
		if !maps.Equal(before, after) {
			t.Errorf("sealed %v: there are %v, want %v", seal, after, before)
		}
		if !strings.Contains(settings, `theme = "dark"`) || strings.Contains(settings, "secret-host") {
			t.Errorf("sealed %v: the settings are %q", seal, settings)
		}
		// Anybody may write a backup that is not sealed, with channels that start programs.
		if strings.Contains(settings, "touch") != seal || strings.Contains(restored, "the channels chat.") == seal {
			t.Errorf("sealed %v: the settings are %q after %q", seal, settings, restored)
		}
		if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the backup has the mode %v, %v", info.Mode(), err)
		}
	}
}

func TestABackupWithoutAPassphraseHoldsNoSecret(t *testing.T) {
	t.Parallel()
	o, key := connected(t)
	backup, sealed := filepath.Join(t.TempDir(), "plain"), filepath.Join(t.TempDir(), "sealed")
	words := writeFile(t, filepath.Join(t.TempDir(), "words"), "correct horse battery")
	secrets := o.sealedSecrets()

	made := o.must("", "books", "backup", backup)
	o.must("", "books", "backup", sealed, "--passphrase-file", words)

	keyText, err := os.ReadFile(key)
	if err != nil || len(secrets) != 2 {
		t.Fatal(len(secrets), err)
	}
	secrets = append(secrets, bytes.TrimSpace(keyText))
	for name, file := range map[string]string{"plain": backup, "sealed": sealed} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, secret := range secrets {
			if bytes.Contains(content, secret) {
				t.Errorf("the %s backup holds the secret %d", name, n)
			}
		}
	}
	if !strings.Contains(made, "Left out: books.db.key and the token of Mercury, the token of") {
		t.Errorf("backup says %q", made)
	}
	balance := figuresIn(o.must("", "account"))
	o.dir = t.TempDir()
	o.environ = append(o.environ, "XDG_DATA_HOME="+filepath.Join(o.dir, "data"))
	restored := o.must("", "books", "restore", backup)
	if !strings.Contains(restored, "Not in the backup: books.db.key, the token of Mercury, ") ||
		!strings.Contains(restored, "`tarmac connect mercury`") {
		t.Errorf("restore says %q", restored)
	}
	if account := figuresIn(o.must("", "account")); account != balance {
		t.Errorf("account: %q, want %q", account, balance)
	}
	if r := o.run("", "sync"); r.code != 1 || !strings.Contains(r.stderr, "connect it again") {
		t.Errorf("sync: %+v", r)
	}
	plain := o.environ

	o.environ = append(slices.Clone(plain), "XDG_DATA_HOME="+t.TempDir())
	o.must("", "books", "restore", sealed, "--passphrase-file", words)
	if synced := o.must("", "sync"); !strings.Contains(synced, "Mercury: nothing new") {
		t.Errorf("sync after a sealed backup: %q", synced)
	}
	o.environ = plain
	o.must(o.mercury.Token()+"\n", "connect", "mercury", "--token-stdin", "--yes")
}

// sealedSecrets returns the encrypted tokens in the books.
func (o *online) sealedSecrets() (all [][]byte) {
	o.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(o.dir, "data", "tarmac", "books.db"))
	if err != nil {
		o.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT secret FROM connections WHERE secret IS NOT NULL")
	if err != nil {
		o.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var secret []byte
		if err := rows.Scan(&secret); err != nil {
			o.t.Fatal(err)
		}
		all = append(all, secret)
	}
	return all
}

// rewritten returns a backup whose files were changed.
func rewritten(t *testing.T, backup []byte, change func(*tar.Header, []byte) []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	r, w := tar.NewReader(bytes.NewReader(backup)), tar.NewWriter(&out)
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		content, err2 := io.ReadAll(r)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		content = change(h, content)
		h.Size = int64(len(content))
		if h.Typeflag != tar.TypeReg {
			h.Size, content = 0, nil
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestADamagedOrHostileBackupChangesNothing(t *testing.T) {
	environ := ownerOfBooks(t)
	path := filepath.Join(t.TempDir(), "books.backup")
	words := writeFile(t, filepath.Join(t.TempDir(), "words"), "correct horse battery")
	mustAt(t, environ, "books", "backup", path)
	mustAt(t, environ, "books", "backup", path+".age", "--passphrase-file", words)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := os.ReadFile(path + ".age")
	if err != nil {
		t.Fatal(err)
	}
	list := func(from, to string) []byte {
		return rewritten(t, whole, func(h *tar.Header, content []byte) []byte {
			if h.Name == "tarmac-backup.json" {
				return bytes.ReplaceAll(content, []byte(from), []byte(to))
			}
			return content
		})
	}
	flipped := slices.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	link := rewritten(t, whole, func(h *tar.Header, content []byte) []byte {
		if h.Name == "rules.toml" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, "/etc/passwd"
		}
		return content
	})
	for name, test := range map[string]struct {
		content []byte
		reason  string
	}{
		"empty": {nil, "is no backup of books"}, "text": {[]byte(strings.Repeat("words ", 500)), "is no backup of books"},
		"a database":      {[]byte("SQLite format 3\x00" + strings.Repeat("\x00", 4096)), "is no backup of books"},
		"the list only":   {whole[:1024], "was cut short"},
		"half":            {whole[:len(whole)/2], "cut short"},
		"the end missing": {whole[:len(whole)-2048], "it ends before"},
		"a bit":           {flipped, "is not the one that was written"},
		"a link":          {link, "not in its list"},
		"newer":           {list(`"version": 3`, `"version": 4`), "newer version of tarmac"},
		"outside":         {list(`"rules.toml"`, `"../rules.toml"`), "backups do not have"},
		"a folder":        {list(`"state/what-if-`, `"state/../what-if-`), "backups do not have"},
		"sealed, half":    {sealed[:len(sealed)/2], "cut short or changed"},
		"sealed, the end": {sealed[:len(sealed)-1], "cut short or changed"},
		"sealed, header":  {sealed[:60], "not sealed with a passphrase, or was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			other := atHome(t)
			file := writeFile(t, filepath.Join(t.TempDir(), "hostile"), string(test.content))

			r := tarmac(t, other, "books", "restore", file, "--passphrase-file", words)

			if r.code != 1 || strings.Count(r.stderr, "\n") != 1 || !strings.Contains(r.stderr, test.reason) ||
				!strings.Contains(r.stderr, "nothing was changed") {
				t.Errorf("exit %d, %q, want %q", r.code, r.stderr, test.reason)
			}
			if left := filesIn(filepath.Join(other["HOME"], ".local", "share", "tarmac")); len(left) > 0 {
				t.Errorf("there are %q", left)
			}
			if left := below(t, other); len(left) > 0 {
				t.Errorf("there are %v", left)
			}
		})
	}
}

// Books that a backup brings are checked, even if the list fits them.
func TestABackupOfForeignBooksChangesNothing(t *testing.T) {
	for name, test := range map[string]struct{ statement, reason string }{
		"triggers": {"CREATE TRIGGER t AFTER INSERT ON tokens BEGIN DELETE FROM book_lines; END", "triggers or views"},
		"newer":    {"INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)", "use a newer version"},
		"nobody's": {"UPDATE organizations SET id = id", ""},
	} {
		environ, other := ownerOfBooks(t), atHome(t)
		backup := filepath.Join(t.TempDir(), "books.backup")
		mustAt(t, environ, "books", "backup", backup)
		content, err := os.ReadFile(backup)
		if err != nil {
			t.Fatal(err)
		}
		var sum, old string
		changed := rewritten(t, content, func(h *tar.Header, file []byte) []byte {
			if h.Name != "books.db" {
				return file
			}
			before := sha256.Sum256(file)
			path := writeFile(t, filepath.Join(t.TempDir(), "changed.db"), string(file))
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec("PRAGMA journal_mode = DELETE; " + test.statement); err != nil {
				t.Fatal(err)
			}
			_ = db.Close()
			if file, err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			after := sha256.Sum256(file)
			old, sum = hex.EncodeToString(before[:]), hex.EncodeToString(after[:])
			return file
		})
		changed = bytes.Replace(changed, []byte(old), []byte(sum), 1)
		hostile := writeFile(t, filepath.Join(t.TempDir(), "hostile"), string(changed))

		r := tarmac(t, other, "books", "restore", hostile)

		if test.reason == "" {
			if r.code != 0 {
				t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
			}
			continue
		}
		if r.code != 1 || !strings.Contains(r.stderr, test.reason) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
		if left := filesIn(filepath.Join(other["HOME"], ".local", "share", "tarmac")); len(left) > 0 {
			t.Errorf("%s: there are %q", name, left)
		}
	}
}
