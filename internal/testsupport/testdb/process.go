package testdb

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// startTimeout is the time limit for starting a server.
const startTimeout = time.Minute

// process is a server's process, and its data.
type process struct {
	as       []string // the beginning of command lines that run PostgreSQL's programs
	bin, dir string
	url      string
	log      bytes.Buffer
	hold     io.Closer     // the server ends when it is closed
	ended    chan struct{} // closed when the server has ended
}

func (p *process) data() string { return filepath.Join(p.dir, "data") }

// create makes the files of a server.
func (p *process) create() error {
	initdb := p.command(filepath.Join(p.bin, "initdb"), "-D", p.data(), "-U", "tarmac", "--auth=trust", "--encoding=UTF8",
		"--locale=C.UTF-8", "--no-sync")
	if output, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return nil
}

// start starts the server and waits until it accepts connections. Another process may take the
// free port before the server does, so it tries several.
func (p *process) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for range 3 {
		address, err := freeAddress()
		if err == nil {
			err = p.serve(address)
		}
		if err != nil {
			return err
		}
		if p.await(ctx) {
			return nil
		}
		log := p.stop()
		if ctx.Err() != nil {
			return fmt.Errorf("PostgreSQL did not answer within %s:\n%s", startTimeout, log)
		}
	}
	return errors.New("PostgreSQL does not start:\n" + p.log.String())
}

// serve runs the server under a shell that stops the server when the shell's standard input is
// closed. That also happens if this program is killed.
func (p *process) serve(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	p.url = (&url.URL{Scheme: "postgres", User: url.User("tarmac"), Host: address, Path: "/postgres",
		RawQuery: "sslmode=disable"}).String()
	args := []string{
		"-c",
		`exec 3<&0; "$@" </dev/null 3<&- & server=$!; (cat <&3 >/dev/null; kill -INT $server) 2>/dev/null & wait $server`,
		"sh", filepath.Join(p.bin, "postgres"), "-D", p.data(), "-p", port,
	}
	for _, setting := range [...]string{
		"listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "synchronous_commit=off",
		"full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
		"shared_buffers=128MB", "max_connections=500", "autovacuum=off", "timezone=UTC",
	} {
		args = append(args, "-c", setting)
	}
	server := p.command("sh", args...)
	p.log.Reset()
	server.Stderr = &p.log
	if p.hold, err = server.StdinPipe(); err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	p.ended = make(chan struct{})
	go func() {
		defer close(p.ended)
		_ = server.Wait()
	}()
	return nil
}

// stop ends the server and returns the end of its log.
func (p *process) stop() (log string) {
	_ = p.hold.Close()
	<-p.ended
	return string(p.log.Bytes()[max(0, p.log.Len()-4000):])
}

// await waits until the server accepts connections. If the server or the time ends before that,
// await returns false.
func (p *process) await(ctx context.Context) bool {
	db, err := sql.Open("pgx", p.url)
	if err != nil {
		return false
	}
	defer func() { _ = db.Close() }()
	for {
		if db.PingContext(ctx) == nil {
			return true
		}
		select {
		case <-p.ended:
			return false
		case <-ctx.Done():
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (p *process) command(name string, args ...string) *exec.Cmd {
	all := append(append(slices.Clone(p.as), name), args...)
	cmd := exec.Command(all[0], all[1:]...)
	cmd.Dir = p.dir
	return cmd
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
