package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestUsageErrorsExitTwoAndSayWhat(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"dmeo"}, `unknown command "dmeo"`},
		{[]string{"--token", "x"}, "unknown flag: --token"},
		{[]string{"demo", "--transactions", "many"}, "--transactions"},
		{[]string{"demo", "--transactions", "0"}, "--transactions must be from 1"},
		{[]string{"demo", "now"}, "takes no arguments"},
		{[]string{"demo", "--timeout", "0s"}, "--timeout must be greater than zero"},
		{[]string{"--timeout", "soon"}, "--timeout"},
		{[]string{"serve", "--rate", "-1"}, "--rate must be 0 or more"},
		{[]string{"serve", "--tls-cert", "cert.pem"}, "--tls-cert and --tls-key go together"},
		{[]string{"admin"}, "requires a subcommand"},
		{[]string{"admin", "org", "make"}, `unknown command "make"`},
		{[]string{"admin", "--db", db, "org", "create"}, "needs one argument, the organization's name"},
		{[]string{"admin", "--db", db, "org", "create", " "}, "needs one argument, the organization's name"},
		{[]string{"admin", "--db", db, "token", "create", "--scope", "account:read"}, "--org is missing"},
		{[]string{"admin", "--db", db, "token", "create", "--org", "org_x"}, "--scope is missing"},
		{[]string{"admin", "--db", db, "token", "create", "--org", "org_x", "--scope", "all"}, `unknown scope "all"`},
		{[]string{"admin", "--db", db, "token", "create", "--org", "org_x", "--scope", "account:read", "--expires", "soon"},
			"--expires must be like 90d"},
		{[]string{"admin", "--db", db, "token", "create", "--org", "org_x", "--scope", "account:read", "--expires", "-1h"},
			"--expires must be in the future"},
		{[]string{"admin", "--db", db, "token", "revoke"}, "needs the token's id"},
		{[]string{"admin", "--db", db, "seed"}, "--org is missing"},
	} {
		r := tarmac(t, nil, c.args...)
		if r.code != 2 || !strings.Contains(r.stderr, c.says) {
			t.Errorf("tarmac %s: exit %d, %q; want exit 2 and %q", strings.Join(c.args, " "), r.code, r.stderr, c.says)
		}
		if r.stdout != "" {
			t.Errorf("tarmac %s wrote to standard output: %q", strings.Join(c.args, " "), r.stdout)
		}
	}
	if _, err := os.Stat(db); !os.IsNotExist(err) {
		t.Error("a command that was used wrongly made the database")
	}
}

func TestOperatorMakesAndRevokesAToken(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", db, "org", "create", "Northlight Labs")
	if !regexp.MustCompile(`^org_[0-9A-Z]{26}$`).MatchString(org) {
		t.Fatalf("org create printed %q, not an id alone", org)
	}
	if list := must(t, "admin", "--db", db, "org", "list"); !strings.Contains(list, org) ||
		!strings.Contains(list, "Northlight Labs") {
		t.Errorf("org list:\n%s", list)
	}

	token := must(t, "admin", "--db", db, "token", "create", "--org", org, "--scope", "account:read", "--scope",
		"payments:read", "--expires", "90d")
	if !regexp.MustCompile(`^svc_org_[0-9A-Za-z]{36}$`).MatchString(token) {
		t.Fatalf("token create printed %q, not a token alone", token)
	}
	list := must(t, "admin", "--db", db, "token", "list", "--org", org)
	if strings.Contains(list, token) || !strings.Contains(list, "active") ||
		!strings.Contains(list, "account:read,payments:read") || !strings.Contains(list, token[len(token)-4:]) {
		t.Errorf("token list:\n%s", list)
	}
	id := regexp.MustCompile(`tok_[0-9A-Z]{26}`).FindString(list)
	must(t, "admin", "--db", db, "token", "revoke", id)
	if list := must(t, "admin", "--db", db, "token", "list", "--org", org); !strings.Contains(list, "revoked") {
		t.Errorf("after revoke:\n%s", list)
	}
	if stored, err := os.ReadFile(db); err != nil || strings.Contains(string(stored), token) {
		t.Errorf("the database holds the token itself (%v)", err)
	}
}

// Scripts recognize a missing database by the exit code.
func TestADatabaseNamedWronglyIsNotMade(t *testing.T) {
	db := filepath.Join(t.TempDir(), "typo.db")
	for _, args := range [][]string{
		{"admin", "--db", db, "org", "list"},
		{"admin", "--db", db, "token", "revoke", "tok_x"},
		{"admin", "--db", db, "seed", "--org", "org_x"},
	} {
		if r := tarmac(t, nil, args...); r.code != 1 || !strings.Contains(r.stderr, db) {
			t.Errorf("tarmac %s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
		}
	}
	if _, err := os.Stat(db); !os.IsNotExist(err) {
		t.Error("the database was made")
	}
}

func TestOperatorErrorsNameWhatIsMissing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	must(t, "admin", "--db", db, "org", "create", "Northlight Labs")
	for _, args := range [][]string{
		{"admin", "--db", db, "token", "create", "--org", "org_nobody", "--scope", "account:read"},
		{"admin", "--db", db, "token", "list", "--org", "org_nobody"},
		{"admin", "--db", db, "seed", "--org", "org_nobody"},
	} {
		if r := tarmac(t, nil, args...); r.code != 4 || !strings.Contains(r.stderr, "org_nobody") ||
			strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("tarmac %s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
		}
	}
	if r := tarmac(t, nil, "admin", "--db", db, "token", "revoke", "tok_nobody"); r.code != 4 ||
		!strings.Contains(r.stderr, "tok_nobody") {
		t.Errorf("revoke of nothing: exit %d, %q", r.code, r.stderr)
	}
}

// Errors mask a token that was passed in place of an id.
func TestErrorsDoNotRepeatAToken(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	for _, args := range [][]string{
		{"svc_org_secret"},
		{"demo", "svc_org_secret"},
		{"admin", "svc_org_secret"},
		{"admin", "--db", db, "token", "create", "--org", "org_x", "--scope", "svc_org_secret"},
		{"admin", "--db", db, "token", "create", "--scope", "account:read", "--org", "svc_org_secret"},
		{"admin", "--db", db, "token", "list", "--org", "svc_org_secret"},
		{"admin", "--db", db, "token", "revoke", "svc_org_secret"},
		{"admin", "--db", db, "seed", "--org", "svc_org_secret"},
	} {
		if r := tarmac(t, nil, args...); r.code == 0 || strings.Contains(r.stderr+r.stdout, "secret") {
			t.Errorf("tarmac %s: exit %d, %q", strings.Join(args, " "), r.code, r.stderr)
		}
	}
}

func TestSeedMakesAsManyTransactionsAsAskedFor(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", db, "org", "create", "Northlight Labs")

	out := must(t, "admin", "--db", db, "seed", "--org", org, "--transactions", "1")

	if !strings.HasPrefix(out, "1 transaction in ") {
		t.Errorf("seed printed %q", out)
	}
}

func TestSeedLeavesAFilledOrganizationAlone(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", db, "org", "create", "Northlight Labs")
	if out := must(t, "admin", "--db", db, "seed", "--org", org, "--transactions", "3000"); !strings.HasPrefix(out,
		"3,000 transactions in ") {
		t.Errorf("seed printed %q", out)
	}
	if r := tarmac(t, nil, "admin", "--db", db, "seed", "--org", org, "--transactions", "3000"); r.code != 1 ||
		!strings.Contains(r.stderr, "already has records") {
		t.Errorf("second seed: exit %d, %q", r.code, r.stderr)
	}
}

func TestSeedAfterAnAccountWasOpenedSaysWhatToDo(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tarmac.db")
	org := must(t, "admin", "--db", db, "org", "create", "Northlight Labs")
	must(t, "admin", "--db", db, "account", "open", "--org", org, "--available", "250,000")

	r := tarmac(t, nil, "admin", "--db", db, "seed", "--org", org)

	for _, want := range []string{"already has records", "account", "seed a new organization"} {
		if r.code != 1 || !strings.Contains(r.stderr, want) {
			t.Errorf("exit %d, %q has no %q", r.code, r.stderr, want)
		}
	}
}

func TestDashboardSaysWhatItMissesBeforeItTakesTheScreen(t *testing.T) {
	world := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(world, []byte("svc_org_x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		says string
		code int
	}{
		"no token":    {map[string]string{"TARMAC_BASE_URL": "https://finance.example.com"}, nil, "TARMAC_TOKEN", 2},
		"no base URL": {map[string]string{"TARMAC_TOKEN": "svc_org_x"}, nil, "TARMAC_BASE_URL", 2},
		"open token file": {map[string]string{"TARMAC_BASE_URL": "https://finance.example.com", "TARMAC_TOKEN_FILE": world},
			nil, "chmod 600", 2},
		"plain http": {map[string]string{"TARMAC_BASE_URL": "http://finance.example.com", "TARMAC_TOKEN": "svc_org_x"},
			nil, "https", 1},
		"no terminal": {map[string]string{"TARMAC_BASE_URL": "https://finance.example.com", "TARMAC_TOKEN": "svc_org_x"},
			nil, "needs a terminal", 1},
	} {
		r := tarmac(t, c.env, c.args...)
		if r.code != c.code || !strings.Contains(r.stderr, c.says) || strings.Contains(r.stderr+r.stdout, "svc_org_x") {
			t.Errorf("%s: exit %d, %q; want exit %d and %q", name, r.code, r.stderr, c.code, c.says)
		}
	}
}

// A program that runs commands has arguments of its own, such as a test and its flags.
func TestACommandLineWithoutArgumentsIgnoresThoseOfTheProcess(t *testing.T) {
	ofProcess := os.Args
	t.Cleanup(func() { os.Args = ofProcess })
	os.Args = []string{"tarmac", "version"}

	r := tarmac(t, nil)

	if r.code != 1 || r.stdout != "" || !strings.Contains(r.stderr, "needs a terminal") {
		t.Errorf("exit %d, printed %q and %q", r.code, r.stdout, r.stderr)
	}
}

func TestALogFileThatOthersCanReadIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if r := tarmac(t, nil, "demo", "--log-file", path); r.code != 1 || !strings.Contains(r.stderr, "chmod 600 "+path) {
		t.Errorf("exit %d, %q", r.code, r.stderr)
	}
}

func TestVersionSaysWhatItIs(t *testing.T) {
	out := must(t, "version")
	for _, flag := range []string{"--version", "-v"} {
		if same := must(t, flag); same != out {
			t.Errorf("%s prints %q, not %q", flag, same, out)
		}
	}
	if !regexp.MustCompile(`^tarmac \S+ \(go1\.\d+\S*, \w+/\w+\)$`).MatchString(out) {
		t.Errorf("version printed %q", out)
	}
}

func TestHelpListsEveryCommand(t *testing.T) {
	out := must(t, "--help")
	for _, name := range []string{"demo", "serve", "admin", "version", "completion"} {
		if !strings.Contains(out, name) {
			t.Errorf("help does not list %s:\n%s", name, out)
		}
	}
}
