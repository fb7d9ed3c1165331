//go:build linux && (amd64 || arm64)

// Package slowdisk makes SQLite read a file as from a slow disk with nothing in the system's file
// cache, without root and without a file system of its own.
package slowdisk

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"
)

const (
	// ReadTime is how long the disk takes for a read.
	ReadTime = 5 * time.Millisecond
	// Depth is the number of reads that the disk serves at the same time.
	Depth = 64
	block = 4096
)

// Disk delays the reads of blocks of one file that have not been read since the Disk was made.
type Disk struct {
	inode uint64
	queue chan struct{} // holds a value for each read in progress

	mutex  sync.Mutex
	blocks map[int64]chan struct{} // closed when the block has been read
}

// Under makes all connections to a SQLite file read from a new Disk until the test ends. The file's
// write-ahead log is not delayed. Only one Disk can be used at a time.
func Under(tb testing.TB, path string) *Disk {
	tb.Helper()
	var of syscall.Stat_t
	if err := syscall.Stat(path, &of); err != nil {
		tb.Fatal(&os.PathError{Op: "stat", Path: path, Err: err})
	}
	d := &Disk{inode: of.Ino, queue: make(chan struct{}, Depth), blocks: map[int64]chan struct{}{}}
	read := d.pread
	replacePread(tb, *(*uintptr)(unsafe.Pointer(&read)))
	tb.Cleanup(func() {
		replacePread(tb, 0)
		runtime.KeepAlive(read)
	})
	return d
}

// Reads returns the number of blocks that were read from the disk.
func (d *Disk) Reads() int {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return len(d.blocks)
}

// pread has the signature of the C function pread after its translation to Go.
func (d *Disk) pread(tls *libc.TLS, fd int32, buffer uintptr, size uint64, offset int64) int64 {
	var of syscall.Stat_t
	if err := syscall.Fstat(int(fd), &of); err == nil && of.Ino == d.inode {
		for n := offset / block; n*block < offset+int64(size); n++ {
			d.await(n)
		}
	}
	return libc.Xpread(tls, fd, buffer, size, offset)
}

// await returns when a block is in the file cache.
func (d *Disk) await(block int64) {
	d.mutex.Lock()
	done, known := d.blocks[block]
	if !known {
		done = make(chan struct{})
		d.blocks[block] = done
	}
	d.mutex.Unlock()
	if known {
		<-done
		return
	}
	d.queue <- struct{}{}
	time.Sleep(ReadTime)
	<-d.queue
	close(done)
}

// replacePread sets the function that SQLite calls for pread; 0 is the system's.
func replacePread(tb testing.TB, function uintptr) {
	tb.Helper()
	tls := libc.NewTLS()
	defer tls.Close()
	name, err := libc.CString("pread")
	if err != nil {
		tb.Fatal(err)
	}
	defer libc.Xfree(tls, name)
	address := sqlite.Xsqlite3_vfs_find(tls, 0)
	vfs := *(**sqlite.Tsqlite3_vfs)(unsafe.Pointer(&address))
	set := *(*func(*libc.TLS, uintptr, uintptr, uintptr) int32)(unsafe.Pointer(&vfs.FxSetSystemCall))
	if code := set(tls, address, name, function); code != sqlite.SQLITE_OK {
		tb.Fatalf("SQLite refuses to replace pread: %d", code)
	}
}
