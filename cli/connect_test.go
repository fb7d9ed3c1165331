package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers"
	"tarmac/internal/testsupport/providers/internet"
	"tarmac/internal/testsupport/providers/mercury"
	"tarmac/internal/testsupport/providers/simplefin"
)

// online is a user whose programs reach fakes of the providers.
type online struct {
	t         *testing.T
	internet  *internet.Internet
	mercury   *mercury.Server
	simplefin *simplefin.Server
	environ   []string
	dir       string // directory of the user's data and settings
}

func goOnline(t *testing.T) *online {
	t.Helper()
	f := providers.New(t)
	return &online{t, f.Internet, f.Mercury, f.SimpleFIN, f.Environ, f.Dir}
}

// run runs tarmac as a process, with a text on its standard input.
func (o *online) run(stdin string, args ...string) result {
	o.t.Helper()
	cmd := program(o.t, o.environ, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		o.t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// must runs a command that has to succeed.
func (o *online) must(stdin string, args ...string) string {
	o.t.Helper()
	r := o.run(stdin, args...)
	if r.code != 0 {
		o.t.Fatalf("tarmac %s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
	}
	return r.stdout
}

// listed is what `tarmac books providers --json` prints about a connection.
type listed struct {
	State    string
	Problem  *string
	Accounts []struct {
		Taken        bool
		BooksAccount string `json:"books_account"`
	}
}

func (o *online) connections() []listed {
	o.t.Helper()
	var answer struct{ Providers []listed }
	if err := json.Unmarshal([]byte(o.must("", "books", "providers", "--json")), &answer); err != nil {
		o.t.Fatal(err)
	}
	return answer.Providers
}

func TestAConnectedBankFillsTheBooks(t *testing.T) {
	t.Parallel()
	o := goOnline(t)
	account := o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
	o.mercury.Book(account, time.Now().AddDate(0, 0, -3), -12_50, "Coffee")
	token := o.mercury.Token() + "\n"

	first := o.must(token, "connect", "mercury", "--token-stdin", "--yes", "--name", "Fennel & Thyme")
	o.mercury.Book(account, time.Now(), -7_50, "Tea")
	second := o.must("", "sync")
	third := o.must("", "sync", "--provider", "Mercury")

	for _, outcome := range [][2]string{
		{first, "Mercury: 1 line new. Next reading in"}, {second, "Mercury: 1 line new."}, {third, "Mercury: nothing new."},
	} {
		if !strings.HasPrefix(outcome[0], outcome[1]) {
			t.Errorf("it says %q, want %q", outcome[0], outcome[1])
		}
	}
	if lines := o.must("", "transactions", "--csv"); !strings.Contains(lines, "Coffee") ||
		!strings.Contains(lines, "Tea") {
		t.Errorf("transactions are %s", lines)
	}
	if accounts := o.must("", "books"); !strings.Contains(accounts, "…6789") ||
		!strings.Contains(accounts, "980.00") {
		t.Errorf("accounts are %s", accounts)
	}
}

func TestARevokedTokenIsReplacedAndTheAccountsStay(t *testing.T) {
	o := goOnline(t)
	bank := o.simplefin.Connect("Harbor Bank", "Ada")
	o.simplefin.Open(bank, "Checking (6789)", "USD", 500_00)
	o.must(o.simplefin.Token()+"\n", "connect", "simplefin", "--token-stdin", "--yes")
	o.simplefin.Revoke()

	refused := o.run("", "sync")
	denied := o.connections()
	again := o.run(o.simplefin.Token()+"\n", "connect", "simplefin", "--token-stdin", "--yes")

	if refused.code != 1 || strings.Count(refused.stderr, "\n") != 1 ||
		!strings.Contains(refused.stderr, "connect SimpleFIN again") {
		t.Errorf("exit %d with %q", refused.code, refused.stderr)
	}
	if len(denied) != 1 || denied[0].State != "denied" || denied[0].Problem == nil {
		t.Errorf("%+v", denied)
	}
	if now := o.connections(); again.code != 0 || len(now) != 1 || now[0].State != "ready" ||
		!now[0].Accounts[0].Taken ||
		now[0].Accounts[0].BooksAccount != "…6789" {
		t.Errorf("exit %d with %q, then %+v", again.code, again.stderr, now)
	}
}

func TestALinkedBankKeepsItsAccountsAndItsLines(t *testing.T) {
	o := goOnline(t)
	bank := o.simplefin.Connect("Harbor Bank", "Ada")
	account := o.simplefin.Open(bank, "Checking (6789)", "USD", 500_00)
	o.simplefin.Open(bank, "Savings (1234)", "USD", 900_00)
	o.simplefin.Book(account, time.Now(), -12_50, "Coffee")
	o.must(o.simplefin.Token()+"\n", "connect", "simplefin", "--token-stdin", "--account", "6789")
	o.simplefin.Relink(bank)

	gone := o.run("", "sync")
	again := o.must("", "connect", "simplefin", "--choose", "--yes")

	if gone.code != 1 || !strings.Contains(gone.stderr, "choose the accounts again") ||
		strings.Contains(gone.stderr, "SimpleFIN: SimpleFIN") {
		t.Errorf("exit %d with %q", gone.code, gone.stderr)
	}
	if !strings.HasPrefix(again, "SimpleFIN: nothing new.") {
		t.Errorf("it says %q", again)
	}
	if c := o.connections(); len(c) != 1 || c[0].State != "ready" || c[0].taken() != 1 {
		t.Errorf("the connections are %+v", c)
	}
	if lines := o.must("", "transactions", "--csv"); strings.Count(lines, "12.50,true,USD") != 1 {
		t.Errorf("transactions are %s", lines)
	}
}

func (c listed) taken() (n int) {
	for _, a := range c.Accounts {
		if a.Taken {
			n++
		}
	}
	return n
}

func TestNothingIsSentForATokenThatIsNone(t *testing.T) {
	o := goOnline(t)
	for name, test := range map[string]struct {
		stdin string
		args  []string
	}{
		"another provider's token": {"rk_live_sesame\n", []string{"connect", "mercury", "--token-stdin", "--yes"}},
		"no token":                 {"\n", []string{"connect", "simplefin", "--token-stdin", "--yes"}},
		"nobody to ask":            {o.mercury.Token(), []string{"connect", "mercury", "--token-stdin"}},
		"no terminal":              {"", []string{"connect", "mercury"}},
		"an unknown provider":      {"", []string{"connect", "paypal", "--yes"}},
		"no provider":              {"", []string{"connect"}},
	} {
		r := o.run(test.stdin, test.args...)

		if r.code == 0 || strings.Contains(r.stderr+r.stdout, "sesame") {
			t.Errorf("%s: exit %d, %q", name, r.code, r.stderr)
		}
	}
	if n := len(o.mercury.Requests()) + len(o.simplefin.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	if r := o.run("", "books"); r.code != 1 || !strings.Contains(r.stderr, "no books yet") {
		t.Errorf("books: exit %d, %q", r.code, r.stderr)
	}
}

func TestDisconnectingKeepsTheLinesOrForgetsThem(t *testing.T) {
	t.Parallel()
	o := goOnline(t)
	account := o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
	o.mercury.Book(account, time.Now(), -12_50, "Coffee")
	o.must(o.mercury.Token(), "connect", "mercury", "--token-stdin", "--account", "6789")

	nobody := o.run("", "disconnect", "mercury", "--forget")
	kept := o.must("", "disconnect", "Mercury")
	left := o.must("", "transactions", "--csv")
	o.must(o.mercury.Token(), "connect", "mercury", "--token-stdin", "--yes")
	forgotten := o.must("", "disconnect", "mercury", "--forget", "--yes")

	if nobody.code != 2 || !strings.Contains(nobody.stderr, "--yes") {
		t.Errorf("exit %d with %q", nobody.code, nobody.stderr)
	}
	if !strings.Contains(kept, "its lines stay in the books") || !strings.Contains(left, "Coffee") {
		t.Errorf("%q, then %s", kept, left)
	}
	if !strings.Contains(forgotten, "its lines are removed") ||
		strings.Contains(o.must("", "transactions", "--csv"), "Coffee") {
		t.Errorf("%q", forgotten)
	}
	if len(o.connections()) != 0 {
		t.Error("it is still connected")
	}
	if r := o.run("", "sync"); r.code != 4 || !strings.Contains(r.stderr, "connect mercury, simplefin or stripe") {
		t.Errorf("sync: exit %d, %q", r.code, r.stderr)
	}
}

func TestTheLinesOfADisconnectedConnectionCanBeRemoved(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(o *online) string{
		"disconnect --forget": func(o *online) string { return o.must("", "disconnect", "mercury", "--forget", "--yes") },
		"books undo": func(o *online) string {
			var answer struct{ Imports []struct{ Import string } }
			if err := json.Unmarshal([]byte(o.must("", "books", "imports", "--json")), &answer); err != nil {
				o.t.Fatal(err)
			}
			return o.must("", "books", "undo", answer.Imports[0].Import)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := goOnline(t)
			account := o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
			o.mercury.Book(account, time.Now(), -12_50, "Coffee")
			o.must(o.mercury.Token(), "connect", "mercury", "--token-stdin", "--yes")
			o.must("", "disconnect", "mercury")
			again := o.run("", "disconnect", "mercury")

			said := remove(o)

			if again.code == 0 || !strings.Contains(again.stderr, "is disconnected already") ||
				!strings.Contains(again.stderr, "--forget") {
				t.Errorf("disconnecting again: exit %d, %q", again.code, again.stderr)
			}
			if said == "" || strings.Contains(o.must("", "transactions", "--csv"), "Coffee") {
				t.Errorf("it says %q, and the lines are still there", said)
			}
			o.must(o.mercury.Token(), "connect", "mercury", "--token-stdin", "--yes")
			if lines := o.must("", "transactions", "--csv"); !strings.Contains(lines, "Coffee") {
				t.Errorf("connected anew, the transactions are %s", lines)
			}
		})
	}
}

func TestAnOperatorConnectsAnOrganization(t *testing.T) {
	o := goOnline(t)
	account := o.mercury.Open("Operating", "checking", "202012346789", 1_000_00)
	o.mercury.Book(account, time.Now(), -12_50, "Coffee")
	database := filepath.Join(t.TempDir(), "tarmac.db")
	org := strings.TrimSpace(o.must("", "admin", "--db", database, "org", "create", "Northlight Labs"))
	admin := func(stdin string, args ...string) result {
		return o.run(stdin, append([]string{"admin", "--db", database}, append(args, "--org", org)...)...)
	}

	connected := admin(o.mercury.Token(), "connect", "mercury", "--token-stdin", "--yes")
	synced := admin("", "sync", "--json")
	listed := admin("", "books", "providers")
	unnamed := o.run("", "admin", "--db", database, "sync")

	if connected.code != 0 || !strings.Contains(connected.stdout, "1 line new") {
		t.Errorf("connect: exit %d, %q, %q", connected.code, connected.stdout, connected.stderr)
	}
	if synced.code != 0 || !strings.Contains(synced.stdout, `"added":0`) {
		t.Errorf("sync: exit %d, %q, %q", synced.code, synced.stdout, synced.stderr)
	}
	if listed.code != 0 || !strings.Contains(listed.stdout, "Mercury") {
		t.Errorf("providers: exit %d, %q, %q", listed.code, listed.stdout, listed.stderr)
	}
	if unnamed.code != 2 || !strings.Contains(unnamed.stderr, "--org") {
		t.Errorf("without --org: exit %d, %q", unnamed.code, unnamed.stderr)
	}
}

func TestDoctorSaysHowConnectionsAre(t *testing.T) {
	o := goOnline(t)
	bank := o.simplefin.Connect("Harbor Bank", "Ada")
	o.simplefin.Open(bank, "Checking (6789)", "USD", 500_00)
	o.must(o.simplefin.Token()+"\n", "connect", "simplefin", "--token-stdin", "--yes")
	key, err := filepath.Glob(filepath.Join(o.dataHome(), "tarmac", "*.key"))
	if err != nil || len(key) != 1 {
		t.Fatalf("key files are %q, %v", key, err)
	}

	good := o.run("", "doctor")
	lost := os.Rename(key[0], key[0]+".lost")
	withoutKey := o.run("", "doctor")
	found := os.Rename(key[0]+".lost", key[0])
	o.simplefin.Revoke()
	_ = o.run("", "sync")
	denied := o.run("", "doctor")

	if lost != nil || found != nil {
		t.Fatal(lost, found)
	}
	for _, c := range []struct {
		name, says string
		result     result
	}{
		{"read", "SimpleFIN: ok, last read ", good},
		{"without the key", "restore the key file, or run `tarmac connect simplefin` with a new token", withoutKey},
		{"denied", "SimpleFIN: token refused, last read ", denied},
	} {
		if !strings.Contains(strings.Join(strings.Fields(c.result.stdout), " "), c.says) {
			t.Errorf("%s: doctor says\n%s", c.name, c.result.stdout)
		}
	}
}

// dataHome returns the directory of the user's data.
func (o *online) dataHome() string {
	for _, variable := range o.environ {
		if dir, ok := strings.CutPrefix(variable, "XDG_DATA_HOME="); ok {
			return dir
		}
	}
	o.t.Fatal("there is no directory of data")
	return ""
}
