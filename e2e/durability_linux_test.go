//go:build long

package e2e_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"tarmac/internal/testsupport/testprogram"
)

// smallDisk mounts a disk of the given size in MiB and returns its directory. It needs root.
func smallDisk(t *testing.T, megabytes string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+megabytes+"m,mode=0700"); err != nil {
		t.Skipf("SKIPPED: a small disk cannot be mounted here (%v); run it as root", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// occupy fills a disk except for the given bytes and returns a function that frees the space.
func occupy(t *testing.T, dir string, but int64) (release func()) {
	t.Helper()
	name := filepath.Join(dir, "occupied")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	chunk := make([]byte, 4096)
	var size int64
	for err == nil {
		var n int
		n, err = file.Write(chunk)
		size += int64(n)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	if err := file.Truncate(size - but); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
}

// On a full disk, the service rejects writes completely, keeps serving reads and reveals no
// internals. Once there is space, the same process writes again, and so does a process that was
// killed and restarted.
func TestAFullDiskRefusesWritesUntilThereIsRoom(t *testing.T) {
	dir := smallDisk(t, "8")
	k := newDurableServer(t, dir)
	k.works("before")
	release := occupy(t, dir, 256<<10)
	refused := 0
	for n := 0; refused < 20; n++ {
		if n > 5000 {
			t.Fatal("the disk does not fill up")
		}
		switch status, answer, _ := k.propose(); status {
		case http.StatusCreated:
		case http.StatusInternalServerError:
			if refused++; answer != "internal error" {
				t.Errorf("it is told: %s", answer)
			}
		default:
			t.Fatalf("answered %d %s", status, answer)
		}
	}
	k.reads("on a full disk")
	if !strings.Contains(k.logged(), "make room on its disk") {
		t.Errorf("the log does not say what to do: %s", k.logged())
	}
	backup := filepath.Join(dir, "copy.db")
	testprogram.OneLine(t, "a backup to the full disk", testprogram.Process(t, "admin", "--db", k.database,
		"backup", backup),
		"copying the database", "make room")
	if left, err := filepath.Glob(filepath.Join(dir, "*copy*")); err != nil || len(left) != 0 {
		t.Errorf("it left %q, %v", left, err)
	}
	elsewhere := filepath.Join(t.TempDir(), "copy.db")
	if r := testprogram.Process(t, "admin", "--db", k.database, "backup", elsewhere); r.Code != 0 {
		t.Errorf("a backup to another disk: %s", r.Stderr)
	}
	release()
	k.works("with room, in the same process")
	release = occupy(t, dir, 0)
	k.kill()
	k.serve()
	k.reads("started on a full disk after a kill")
	release()
	k.works("with room, after a kill")
	k.kill()
	k.whole()
	r := testprogram.Process(t, "admin", "--db", elsewhere, "--key-file", k.database+".key", "org", "list")
	if r.Code != 0 {
		t.Errorf("the copy: %s", r.Stderr)
	}
}

// A backup that runs out of space leaves no files.
func TestABackupThatRunsOutOfRoomLeavesNothing(t *testing.T) {
	dir := smallDisk(t, "1")
	database, _, _ := testprogram.Organization(t, "5000", testprogram.ReadScopes)
	testprogram.OneLine(t, "backup", testprogram.Process(t, "admin", "--db", database, "backup",
		filepath.Join(dir, "copy.db")),
		"copying the database", "make room")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// A service that starts on a full disk reports it, and starts once there is space.
func TestAStartOnAFullDiskSaysSo(t *testing.T) {
	dir := smallDisk(t, "4")
	database := filepath.Join(dir, "tarmac.db")
	release := occupy(t, dir, 0)
	testprogram.OneLine(t, "the first start", testprogram.Process(t, "serve", "--db", database, "--addr",
		"127.0.0.1:0"), database,
		"make room on its disk")
	release()
	testprogram.Must(t, "admin", "--db", database, "org", "create", "Northlight Labs")
	release = occupy(t, dir, 0)
	testprogram.OneLine(t, "a later start", testprogram.Process(t, "serve", "--db", database, "--addr",
		"127.0.0.1:0"), database,
		"make room on its disk")
	release()
	if r := testprogram.Process(t, "admin", "--db", database, "org", "list"); r.Code != 0 ||
		!strings.Contains(r.Stdout, "Northlight Labs") {
		t.Errorf("with room: %+v", r)
	}
}

func TestAReadOnlyDiskIsToldAtTheStart(t *testing.T) {
	dir := smallDisk(t, "4")
	database := filepath.Join(dir, "tarmac.db")
	testprogram.Must(t, "admin", "--db", database, "org", "create", "Northlight Labs")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"serve", "--db", database, "--addr", "127.0.0.1:0"}, {"admin", "--db", database, "org", "list"},
	} {
		testprogram.OneLine(t, args[0], testprogram.Process(t, args...), database, "read-only file system", "writable")
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if r := testprogram.Process(t, "admin", "--db", database, "org", "list"); r.Code != 0 {
		t.Errorf("writable again: %s", r.Stderr)
	}
}

// If no byte can be written (here through a file size limit), the service logs it once per
// background task, keeps serving reads, and writes again once it can. This test needs no root.
func TestADiskThatTakesNothingIsOutlived(t *testing.T) {
	k := newDurableServer(t, t.TempDir())
	for range 20 {
		k.works("before")
	}
	pid := k.process.Process.Pid
	limitFiles(t, pid, 0)
	for range 20 {
		status, answer, _ := k.propose()
		if status != http.StatusInternalServerError || answer != "internal error" {
			t.Errorf("a draft is answered %d %s", status, answer)
		}
	}
	k.reads("while nothing can be written")
	var own syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &own); err != nil {
		t.Fatal(err)
	}
	limitFiles(t, pid, own.Max)
	// The log file accepts lines again too.
	k.works("afterwards")
	k.kill()
	k.serve()
	k.reads("afterwards")
	k.kill()
	k.whole()
}

// limitFiles limits the file size of another process, in bytes.
func limitFiles(t *testing.T, pid int, most uint64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = most
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		t.Skipf("SKIPPED: the limits of another process cannot be set here (%v)", errno)
	}
}
