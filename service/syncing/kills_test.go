//go:build unix

package syncing_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/providers/internet"
	fake "tarmac/internal/testsupport/providers/simplefin"
	"tarmac/internal/testsupport/testdb"
	"tarmac/service/providers/simplefin"
	"tarmac/service/providers/wire"
	"tarmac/service/sealing"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

// syncKills is an environment variable: how often a reading is killed. asReader is one that makes
// the test binary read a connection in place of running tests.
const (
	syncKills = "TARMAC_SYNC_KILLS"
	asReader  = "TARMAC_TEST_AS_READER"
)

func TestMain(m *testing.M) {
	if text := os.Getenv(asReader); text != "" {
		if err := readInThisProcess(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// reader describes a process that reads a connection, or makes one with a token.
type reader struct {
	Database, Key string
	Token         string // "" to read
	Org           store.OrgKey
	Now           time.Time
}

// readInThisProcess prints a line, and then reads the connection of an organization or makes one.
func readInThisProcess(text string) error {
	var r reader
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	st, err := store.Open(context.Background(), r.Database, store.Options{})
	if err != nil {
		return err
	}
	key, err := sealing.Load(r.Key)
	if err != nil {
		return err
	}
	client, err := wire.New(wire.Config{Proxy: http.ProxyFromEnvironment})
	if err != nil {
		return err
	}
	s := newSyncer(st, func() time.Time { return r.Now }, key, simplefin.Kind())
	s.Client = client
	fmt.Println("ready")
	if r.Token != "" {
		_, _, err := s.Connect(context.Background(), r.Org,
			syncing.ConnectRequest{Provider: "simplefin", Token: wire.NewSecret(r.Token)})
		return err
	}
	outcomes, err := s.Sync(context.Background(), r.Org, "", syncing.SyncOptions{})
	if err == nil && outcomes[0].Problem != "" {
		err = fmt.Errorf("the connection was not read: %s", outcomes[0].Problem)
	}
	return err
}

// A reading that is killed at any point is whole or absent: the lines, the balances and the state
// of the connection together. After its lease, another process reads the connection.
func TestKilledReadingsAreWholeOrAbsent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs many processes")
	}
	rounds := killsOf(t)
	k := newKilledReadings(t)
	k.learn()
	whole := 0
	for range rounds {
		k.change()
		before := k.picture()
		k.kill("")
		killed := k.picture()
		stored := k.isStored()

		k.clock.advance(leaseEnds)
		k.finish()
		after := k.picture()

		if stored {
			whole++
			before = after
		}
		if killed != before {
			t.Fatalf("the reading is stored: %v; the books are\n%s\nwant\n%s", stored, killed, before)
		}
		k.clock.advance(betweenReadings - leaseEnds)
	}
	t.Logf("of %d killed readings, %d were whole", rounds, whole)
}

// killsOf returns how often the test kills.
func killsOf(t *testing.T) int {
	t.Helper()
	text := os.Getenv(syncKills)
	if text == "" {
		return 6
	}
	kills, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", syncKills, err)
	}
	return kills
}

// The lease of a killed reading ends after leaseEnds. With two readings in betweenReadings, the
// requests of a day are not used up, and no day ends between the two.
const (
	leaseEnds       = 6 * time.Minute
	betweenReadings = 3 * time.Hour
)

// killedReadings is a connection that is read by processes that are killed.
type killedReadings struct {
	*fixture
	t       *testing.T
	server  *fake.Server
	account *fake.Account
	lines   []*fake.Line
	environ []string
	key     string
	took    time.Duration // time of a reading that was not killed
}

func newKilledReadings(t *testing.T) *killedReadings {
	t.Helper()
	web, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = web.Close() }) // killed processes leave connections
	k := &killedReadings{fixture: newFixture(t), t: t, key: filepath.Join(t.TempDir(), "key")}
	if k.environ, err = web.Environment(filepath.Join(t.TempDir(), "root.pem")); err != nil {
		t.Fatal(err)
	}
	key, err := sealing.LoadOrCreate(k.key, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	k.Syncer = newSyncer(k.Store, k.clock.now, key, simplefin.Kind())
	if k.Client, err = wire.New(wire.Config{Proxy: web.Proxy, RootCAs: web.RootCAs()}); err != nil {
		t.Fatal(err)
	}
	const host = "bridge.simplefin.org"
	k.server = fake.New(host, k.clock.now)
	web.Handle(host, k.server)
	k.account = k.server.Open(k.server.Connect("Harbor Bank", "Ada"), "Checking (4821)", "USD", 1_000_00)
	for range 200 {
		k.book()
	}
	return k
}

func (k *killedReadings) book() {
	day := civil.Of(k.clock.now()).AddDays(-mathrand.IntN(20))
	minor := mathrand.Int64N(1_000_00) - 500_00
	k.lines = append(k.lines, k.server.Book(k.account, day.Time(), minor, fmt.Sprintf("Line %d", len(k.lines))))
}

// change books some lines at the bank, corrects one and withdraws one.
func (k *killedReadings) change() {
	for range 1 + mathrand.IntN(5) {
		k.book()
	}
	recent := len(k.lines) - 10
	k.server.Change(k.lines[recent], mathrand.Int64N(1_000_00), "Corrected")
	k.server.Withdraw(k.account, k.lines[recent+1])
}

// learn connects the account and measures a reading.
func (k *killedReadings) learn() {
	k.t.Helper()
	c, _, err := k.Connect(k.t.Context(), k.org, syncing.ConnectRequest{
		Provider: "simplefin", Token: wire.NewSecret(k.server.Token()),
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.choose(k.t, c, c.Accounts[0].RemoteID)
	k.clock.advance(betweenReadings)
	k.change()
	cmd, begun := k.start("")
	if err := cmd.Wait(); err != nil {
		k.t.Fatal(err)
	}
	k.took = time.Since(begun)
	k.clock.advance(betweenReadings)
}

// start starts a process that reads the connection or connects with a token, and returns when it
// begins.
func (k *killedReadings) start(token string) (*exec.Cmd, time.Time) {
	k.t.Helper()
	text, err := json.Marshal(reader{Database: k.path, Key: k.key, Token: token, Org: k.org, Now: k.clock.now()})
	if err != nil {
		k.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		k.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(append(os.Environ(), asReader+"="+string(text)), k.environ...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		k.t.Fatalf("%q, %v", line, err)
	}
	return cmd, time.Now()
}

// kill starts a process as start does, and kills it at a random moment.
func (k *killedReadings) kill(token string) {
	k.t.Helper()
	cmd, _ := k.start(token)
	<-time.After(mathrand.N(k.took + k.took/2))
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // the error only reports the kill
	// A server may still be ending what the process began. This waits for it.
	err := k.Store.WriteOf(k.t.Context(), k.org, func(tx *store.Tx) error {
		_, err := tx.HasForeignTransactions(k.org)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	k.checkFile()
}

// checkFile checks that a SQLite file is sound.
func (k *killedReadings) checkFile() {
	k.t.Helper()
	if testdb.Postgres() {
		return
	}
	db, err := sql.Open("sqlite", k.path)
	if err != nil {
		k.t.Fatal(err)
	}
	defer db.Close()
	var integrity string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&integrity); err != nil || integrity != "ok" {
		k.t.Fatalf("integrity %q, %v", integrity, err)
	}
}

// isStored reports whether the connection says that it was read at the present time.
func (k *killedReadings) isStored() bool { return k.list(k.t)[0].LastSuccess.Equal(k.clock.now()) }

// finish reads the connection in this process.
func (k *killedReadings) finish() {
	k.t.Helper()
	if outcome := k.sync(k.t); outcome.Problem != "" {
		k.t.Fatalf("after a killed reading: %s", outcome.Problem)
	}
}

func (k *killedReadings) picture() string {
	k.t.Helper()
	text, addsUp := picture(k.t, k.Books(k.org))
	if !addsUp {
		k.t.Errorf("the lines do not add up to the balances:\n%s", text)
	}
	return text
}
