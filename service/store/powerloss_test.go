package store_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"tarmac/internal/testsupport/testdb"
	"tarmac/service/store"
)

// moments holds the files at one point in time, and the length of the log after the commit of
// each organization.
type moments struct {
	file, log []byte
	folded    int   // number of organizations in the file
	ends      []int // length of the log after each other organization's commit
}

const (
	logHeader   = 32
	frameHeader = 24
	page        = 4096
)

// written creates organizations, one for each transaction, folds the first of them into the file,
// and returns what is on the disk.
func written(t testing.TB, folded, logged int) (m moments, path string, s *store.Store) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tarmac.db")
	s, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for i := range folded {
		fill(t, s, organization(t, s, fmt.Sprint("folded", i)), 20)
	}
	if err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.folded = folded
	for i := range logged {
		write(t, s, func(tx *store.Tx) error {
			org, err := tx.CreateOrganization(store.Organization{PublicID: fmt.Sprint("org_logged", i), Name: "a",
				CreatedAt: created})
			if err != nil {
				return err
			}
			return tx.InsertTransactions(org, rows(t, 20))
		})
		m.ends = append(m.ends, inUse(t, path+"-wal"))
	}
	m.file, m.log = bytesOf(t, path), bytesOf(t, path+"-wal")
	return m, path, s
}

func bytesOf(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inUse returns the length of the log's current frames. Frames behind them were written before
// the log was restarted, and have another salt.
func inUse(t testing.TB, path string) int {
	t.Helper()
	log := bytesOf(t, path)
	end := logHeader
	for end+frameHeader+page <= len(log) && bytes.Equal(log[end+8:end+16], log[16:24]) {
		end += frameHeader + page
	}
	return end
}

// found opens the files that a power cut left, checks their integrity, and returns how many
// organizations they have.
func found(t testing.TB, file, log []byte) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tarmac.db")
	for name, content := range map[string][]byte{path: file, path + "-wal": log} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(t.Context(), path, store.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := s.Organizations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var integrity string
	var transactions int
	if err := db.QueryRow("SELECT integrity_check, (SELECT count(*) FROM transactions) FROM "+
		"pragma_integrity_check").Scan(&integrity, &transactions); err != nil {
		t.Fatal(err)
	}
	if integrity != "ok" || transactions != 20*len(all) {
		t.Errorf("integrity %s; %d organizations with %d transactions", integrity, len(all), transactions)
	}
	return len(all)
}

// However much of the log reached the disk before a power cut, exactly the transactions committed
// in that part are there.
func TestALogThatEndsAnywhereKeepsWhatWasCommittedBefore(t *testing.T) {
	testdb.SQLiteOnly(t)
	if testing.Short() {
		t.Skip("takes long under the race detector, and has no goroutines for it")
	}
	m, _, _ := written(t, 10, 30)
	random := rand.New(rand.NewPCG(1, 2))
	last := m.ends[len(m.ends)-1]
	var at []int
	for _, end := range m.ends {
		at = append(at, end-1, end)
	}
	for range scale(40) {
		at = append(at, random.IntN(last+1))
	}
	for _, end := range at {
		want := m.folded
		for _, e := range m.ends {
			if e <= end {
				want++
			}
		}
		if got := found(t, m.file, m.log[:end]); got != want {
			t.Errorf("with %d of %d bytes: %d organizations, want %d", end, last, got, want)
		}
		// The disk may have stored the file's length but not its bytes.
		torn := append(bytes.Clone(m.log[:end]), make([]byte, last-end)...)
		if got := found(t, m.file, torn); got != want {
			t.Errorf("with %d of %d bytes and zeros: %d organizations, want %d", end, last, got, want)
		}
	}
}

// If the power fails while the log is copied into the file, each sector of the file may be old
// or new. The log still has all changes.
func TestAFileThatIsHalfFoldedIsMadeWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("uses the database alone")
	}
	testdb.SQLiteOnly(t)
	m, path, s := written(t, 10, 30)
	if err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := bytesOf(t, path)
	const sector = 512
	random := rand.New(rand.NewPCG(3, 4))
	for range scale(30) {
		half := bytes.Clone(after[:len(m.file)+random.IntN(len(after)-len(m.file)+1)/page*page])
		for i := 0; i < len(m.file); i += sector {
			if random.IntN(2) == 0 {
				copy(half[i:i+sector], m.file[i:])
			}
		}
		if got, want := found(t, half, m.log), m.folded+len(m.ends); got != want {
			t.Errorf("%d organizations, want %d", got, want)
		}
	}
}

// The control experiment: if synced frames of the log are damaged, their transactions are lost,
// and found reports it.
func TestADamagedFrameEndsTheLog(t *testing.T) {
	testdb.SQLiteOnly(t)
	m, _, _ := written(t, 1, 5)
	log := bytes.Clone(m.log)
	binary.BigEndian.PutUint32(log[m.ends[2]+frameHeader+100:], 0xdeadbeef)
	if got, want := found(t, m.file, log), m.folded+3; got != want {
		t.Errorf("%d organizations, want %d", got, want)
	}
}

// scale returns the number of cases, reduced under -short.
func scale(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// BenchmarkCommit measures the cost of waiting for the disk. "full" is how the service runs.
// "normal" would survive a power cut without the commits since the last checkpoint. "off" is the
// demo.
func BenchmarkCommit(b *testing.B) {
	for _, level := range []string{"full", "normal", "off"} {
		b.Run(level, func(b *testing.B) {
			s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"), store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			if err := s.SetSynchronous(b.Context(), level); err != nil {
				b.Fatal(err)
			}
			org := organization(b, s, "a")
			n := 0
			for b.Loop() {
				one := rows(b, 1)
				n++
				write(b, s, func(tx *store.Tx) error { return tx.InsertTransactions(org, one) })
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}
