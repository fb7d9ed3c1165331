//go:build long && unix

package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/testsupport/providers"
	"tarmac/internal/testsupport/providers/mercury"
	"tarmac/internal/testsupport/testprogram"
	"tarmac/service/bookkeeping"
)

// ownLedger is the ledger of a second organization, which comes from statements and from a bank.
// It records, independently of the service, what must be in it.
type ownLedger struct {
	s        *soak
	org      string
	template *exec.Cmd
	witness  *apiclient.Client
	bank     *mercury.Server
	account  *mercury.Account

	mu         sync.Mutex
	statements []*statement
	booked     []int64 // USD cents of the lines at the bank, all odd
}

// statement is a file with the lines of one day and the balances around them. Days and balances of
// consecutive files are consecutive.
type statement struct {
	path    string
	lines   []int64  // USD cents, all even, so that no line looks like a transfer from the bank
	closing int64    // USD cents
	imports []string // ids of the imports that have this file
}

// newOwnLedger creates the organization, and connects it to a bank that o provides.
func newOwnLedger(s *soak, o *providers.Fakes) *ownLedger {
	s.t.Helper()
	l := &ownLedger{s: s, bank: o.Mercury, template: testprogram.Command(s.t, o.Environ),
		org: testprogram.Must(s.t, "admin", "--db", s.database, "org", "create", "Fennel & Thyme")}
	l.account = l.bank.Open("Operating", "checking", "202012346789", 0)
	r, _ := testprogram.Typing(s.t, o.Environ, l.bank.Token(), "admin", "--db", s.database, "connect", "mercury",
		"--org", l.org, "--token-stdin", "--yes")
	if r.Code != 0 {
		s.t.Fatalf("connecting the bank: exit %d, %s", r.Code, r.Stderr)
	}
	token := testprogram.Must(s.t, "admin", "--db", s.database, "token", "create", "--org", l.org, "--scope",
		testprogram.ReadScopes)
	l.witness = s.client(s.served.url(), token)
	return l
}

// admin runs an administrative command, one in twelve of which is killed.
func (l *ownLedger) admin(rng *rand.Rand, args ...string) ran {
	all := append(append([]string{"admin", "--db", l.s.database}, args...), "--org", l.org)
	return l.s.run(rng, 12, again(l.template, nil, all...))
}

// importFiles imports statements, imports some of them again, and undoes imports.
func (l *ownLedger) importFiles(rng *rand.Rand) {
	for l.s.rest(rng, 50*time.Millisecond, l.s.pace()) {
		var have []*statement
		for _, f := range l.statements {
			if len(f.imports) > 0 {
				have = append(have, f)
			}
		}
		switch n := rng.IntN(10); {
		case n < 2 && len(have) > 0:
			f := have[rng.IntN(len(have))]
			l.undo(rng, f, rng.IntN(len(f.imports)))
		case n < 4 && len(l.statements) > 0: // one that is there, or was undone
			l.importFile(rng, l.statements[rng.IntN(len(l.statements))])
		default:
			l.importFile(rng, l.writeStatement(rng))
		}
	}
}

// writeStatement writes the statement of the next day.
func (l *ownLedger) writeStatement(rng *rand.Rand) *statement {
	n := len(l.statements)
	day := time.Now().UTC().AddDate(-15, 0, n).Format(time.DateOnly)
	f := &statement{path: filepath.Join(l.s.t.TempDir(), fmt.Sprintf("day-%d.jsonl", n))}
	opening := int64(0)
	if n > 0 {
		opening = l.statements[n-1].closing
	}
	f.closing = opening
	var lines []byte
	for i := range 1 + rng.IntN(8) {
		cents := 2 * (rng.Int64N(2_000_000) - 900_000)
		f.lines, f.closing = append(f.lines, cents), f.closing+cents
		lines = fmt.Appendf(lines, `{"date":%q,"account":"4821","amount":%q,"id":"line-%d-%d","description":"Day %d"}`+"\n",
			day, decimal(cents), n, i, n)
	}
	head := fmt.Sprintf(`{"account":"4821","currency":"USD","bank":"Harbor Bank","from":%q,"to":%[1]q,`+
		`"opening":%q,"closing":%q}`+"\n", day, decimal(opening), decimal(f.closing))
	if err := os.WriteFile(f.path, append([]byte(head), lines...), 0o600); err != nil {
		l.s.t.Error(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statements = append(l.statements, f)
	return f
}

// decimal writes an amount in cents with a point.
func decimal(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// importFile imports a statement. The import is whole, or absent if it was killed.
func (l *ownLedger) importFile(rng *rand.Rand, f *statement) {
	before := l.imports(f)
	r := l.admin(rng, "import", "--yes", "--json", f.path)
	f.imports = l.imports(f)
	switch added := len(f.imports) - len(before); {
	case r.busy() && added == 0:
		l.s.tally.add("imports of statements", "refused, since the database was busy")
	case r.code != 0 && !r.killed:
		l.s.t.Errorf("importing %s: exit %d, %s", f.path, r.code, r.said)
	case added > 1 || added < 0 || len(f.imports) == 0 && !r.killed:
		l.s.t.Errorf("importing %s left the imports %q, and they were %q", f.path, f.imports, before)
	case r.killed && added == 0:
		l.s.tally.add("imports of statements", "killed, and not done")
	case r.killed:
		l.s.tally.add("imports of statements", "killed, and done")
	case len(before) > 0:
		l.s.tally.add("imports of statements", "done again, with nothing new")
	default:
		l.s.tally.add("imports of statements", "done")
	}
}

func (l *ownLedger) undo(rng *rand.Rand, f *statement, n int) {
	id, before := f.imports[n], f.imports
	r := l.admin(rng, "books", "undo", id)
	f.imports = l.imports(f)
	done := !slices.Contains(f.imports, id)
	switch {
	case r.busy() && !done:
		l.s.tally.add("undone imports", "refused, since the database was busy")
	case r.code != 0 && !r.killed || !r.killed && !done || len(before)-len(f.imports) > 1:
		l.s.t.Errorf("undoing %s: exit %d, %s; %q is left of %q", id, r.code, r.said, f.imports, before)
	case r.killed && !done:
		l.s.tally.add("undone imports", "killed, and not done")
	case r.killed:
		l.s.tally.add("undone imports", "killed, and done")
	default:
		l.s.tally.add("undone imports", "done")
	}
}

// imports returns the ids of the imports that have a statement.
func (l *ownLedger) imports(f *statement) (ids []string) {
	all, err := l.books().Imports(context.Background())
	if err != nil {
		l.s.t.Error(err)
	}
	for _, i := range all {
		if slices.ContainsFunc(i.Files, func(r ownbooks.ImportedFile) bool { return r.Name == filepath.Base(f.path) }) {
			ids = append(ids, i.ID)
		}
	}
	return ids
}

func (l *ownLedger) books() *bookkeeping.Books {
	b, err := l.s.operator.Books(context.Background(), l.org)
	if err != nil {
		l.s.t.Fatal(err)
	}
	return b
}

// check reads the bank once more, and compares lines, balances and the API's totals with what was
// imported and booked.
func (l *ownLedger) check() {
	t := l.s.t
	t.Helper()
	l.bank.Fail(0, "")
	for deadline := time.Now().Add(deliveredWithin); !l.sync(rand.New(rand.NewPCG(l.s.seed, 98))); {
		if time.Now().After(deadline) {
			t.Error("the bank cannot be read")
			break
		}
	}
	want, got := map[string][]int64{"…6789": l.booked}, map[string][]int64{}
	balance := int64(0)
	for _, f := range l.statements {
		if len(f.imports) > 0 {
			want["…4821"] = append(want["…4821"], f.lines...)
			balance = f.closing
		}
	}
	err := l.books().Lines(t.Context(), bookkeeping.LineFilter{}, func(r bookkeeping.LineRecord) error {
		cents := r.AmountMinor
		if r.Direction == "outflow" {
			cents = -cents
		}
		got[r.Account] = append(got[r.Account], cents)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	var sum apiclient.Summary
	for account, lines := range want {
		slices.Sort(lines)
		slices.Sort(got[account])
		if !slices.Equal(lines, got[account]) {
			t.Errorf("%s has %d lines, and should have %d", account, len(got[account]), len(lines))
		}
		for _, cents := range lines {
			sum.Count++
			sum.NetMinor += cents
			sum.InflowMinor += max(cents, 0)
			sum.OutflowMinor += max(-cents, 0)
		}
		l.s.tally.addN("lines of imports and readings, as on the books", account, len(lines))
	}
	l.checkAccounts(balance)
	l.checkSummary(sum)
}

func (l *ownLedger) checkAccounts(balance int64) {
	l.s.t.Helper()
	accounts, err := l.books().Accounts(l.s.t.Context())
	if err != nil {
		l.s.t.Error(err)
	}
	for i := range accounts {
		a := &accounts[i]
		if a.Contradiction || len(a.Differences) > 0 {
			l.s.t.Errorf("%s does not add up: %+v", a.Number, a)
		}
		if a.Number == "…4821" && (a.Balance == nil || *a.Balance != balance) {
			l.s.t.Errorf("%s: %+v, want %d cents", a.Number, a, balance)
		}
	}
}

func (l *ownLedger) checkSummary(want apiclient.Summary) {
	l.s.t.Helper()
	query := apiclient.TransactionQuery{Limit: 200}
	page := insist(l.s, func(ctx context.Context) (*apiclient.TransactionPage, error) {
		return l.witness.TransactionPage(ctx, query)
	})
	if page != nil && page.Summary != want {
		l.s.t.Errorf("the API's totals are %+v, want %+v", page.Summary, want)
	}
	if problem := insist(l.s, func(ctx context.Context) (string, error) {
		return sumPages(ctx, l.witness, query)
	}); problem != "" {
		l.s.t.Error(problem)
	}
	l.s.tally.add("net of imports and readings, in the API as on the books", money.Text(want.NetMinor, "USD"))
}
