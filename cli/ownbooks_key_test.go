package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// connected is a user whose books Mercury and a SimpleFIN server fill.
func connected(t *testing.T) (o *online, key string) {
	t.Helper()
	o = goOnline(t)
	account := o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
	o.mercury.Book(account, time.Now().AddDate(0, 0, -3), -12_50, "Coffee")
	o.simplefin.Open(o.simplefin.Connect("Harbor Bank", "Ada"), "Checking (4455)", "USD", 500_00)
	o.must(o.mercury.Token()+"\n", "connect", "mercury", "--token-stdin", "--yes", "--name", "Fennel & Thyme")
	o.must(o.simplefin.Token()+"\n", "connect", "simplefin", "--token-stdin", "--yes")
	return o, filepath.Join(o.dir, "data", "tarmac", "books.db.key")
}

// With and without the key, books show the same figures. Only connections need it.
func TestOwnBooksAreReadWithoutTheirKey(t *testing.T) {
	reads := [][]string{{"overview"}, {"account"}, {"cash-position"}, {"transactions", "--csv"}, {"books"},
		{"books", "lines"}}
	wayOut := map[string]string{
		"missing": "put it back, or replace the token with `tarmac connect`",
		"another": "put the right one back, or replace the token with `tarmac connect`",
		"damaged": "restore it from its backup", "exposed": "chmod 600 ",
	}
	for name, lose := range map[string]func(string) error{
		"missing": os.Remove,
		"another": func(key string) error {
			return os.WriteFile(key, []byte(strings.Repeat("7", 64)+"\n"), 0o600)
		},
		"damaged": func(key string) error { return os.WriteFile(key, []byte("7\n"), 0o600) },
		"exposed": func(key string) error { return os.Chmod(key, 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, key := connected(t)
			want := make([]string, len(reads))
			for n, read := range reads {
				want[n] = o.must("", read...)
			}
			if err := lose(key); err != nil {
				t.Fatal(err)
			}

			for n, read := range reads {
				got := o.run("", read...)
				if got.code != 0 || figuresIn(got.stdout) != figuresIn(want[n]) {
					t.Errorf("%v: exit %d, %q, %q, want %q", read, got.code, got.stdout, got.stderr, want[n])
				}
				if strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, wayOut[name]) ||
					!strings.HasPrefix(got.stderr, "tarmac: Mercury and SimpleFIN: the token cannot be decrypted; ") {
					t.Errorf("%v says %q", read, got.stderr)
				}
			}
			listed := o.must("", "books", "providers")
			if strings.Count(listed, "token lost") != 2 || strings.Count(listed, "the token cannot be decrypted") != 1 {
				t.Errorf("books providers says %s", listed)
			}
			synced := o.run("", "sync")
			if synced.code != 1 || strings.Count(synced.stderr, "\n") != 1 ||
				!strings.Contains(synced.stderr, "Mercury: the token cannot be decrypted") ||
				!strings.Contains(synced.stderr, key) || strings.Contains(synced.stderr, "--key-file") {
				t.Errorf("sync: exit %d, %q", synced.code, synced.stderr)
			}
			if all := o.connections(); len(all) != 2 || all[0].State != "lost" || all[0].Problem == nil {
				t.Errorf("providers: %+v", all)
			}
			if again := o.run("", "account"); again.code != 0 {
				t.Errorf("account after sync: exit %d, %q", again.code, again.stderr)
			}
		})
	}
}

var timesOfDay = regexp.MustCompile(`\d\d:\d\d(:\d\d)?`)

// figuresIn returns text without times of day: those of readings differ by moments.
func figuresIn(text string) string { return timesOfDay.ReplaceAllString(text, "") }

func TestConnectingReplacesALostKey(t *testing.T) {
	t.Parallel()
	o, key := connected(t)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}

	again := o.run(o.mercury.Token()+"\n", "connect", "mercury", "--token-stdin", "--yes")

	if again.code != 0 {
		t.Fatalf("connect: exit %d, %q", again.code, again.stderr)
	}
	if _, err := os.Stat(key); err != nil {
		t.Error(err)
	}
	all := o.connections()
	if len(all) != 2 || all[0].State != "ready" || all[1].State != "lost" ||
		!strings.Contains(*all[1].Problem, "connect") {
		t.Errorf("providers: %+v", all)
	}
	o.must("", "sync", "--provider", "Mercury")
	o.must(o.simplefin.Token()+"\n", "connect", "simplefin", "--token-stdin", "--yes")
	o.must("", "sync")
}

func TestAKeyThatIsPutBackIsUsedAgain(t *testing.T) {
	t.Parallel()
	o, key := connected(t)
	if err := os.Rename(key, key+".aside"); err != nil {
		t.Fatal(err)
	}
	if lost := o.run("", "sync"); lost.code != 1 {
		t.Errorf("sync without the key: exit %d, %q", lost.code, lost.stdout)
	}

	if err := os.Rename(key+".aside", key); err != nil {
		t.Fatal(err)
	}

	o.must("", "sync")
	for _, c := range o.connections() {
		if c.State != "ready" {
			t.Errorf("%+v", c)
		}
	}
}
