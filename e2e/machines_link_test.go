//go:build long

package e2e_test

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// link is a network connection between a process and the database that can be cut. While it is
// cut, data is held back without an error.
type link struct {
	url, to string
	gate    sync.RWMutex
}

func newLink(t *testing.T, database string) *link {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ln.Close() })
	l := &link{to: u.Host}
	u.Host = ln.Addr().String()
	l.url = u.String()
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go l.carry(conn)
		}
	}()
	return l
}

func (l *link) cut() { l.gate.Lock() }

func (l *link) mend() { l.gate.Unlock() }

func (l *link) carry(near net.Conn) {
	defer near.Close()
	l.gate.RLock()
	far, err := net.Dial("tcp", l.to)
	l.gate.RUnlock()
	if err != nil {
		return
	}
	defer far.Close()
	var both sync.WaitGroup
	for _, way := range [...][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			piece := make([]byte, 32<<10)
			for {
				n, err := way[0].Read(piece)
				l.gate.RLock()
				if n > 0 {
					_, _ = way[1].Write(piece[:n])
				}
				if err != nil {
					_ = way[1].Close()
				}
				l.gate.RUnlock()
				if err != nil {
					return
				}
			}
		})
	}
	both.Wait()
}
