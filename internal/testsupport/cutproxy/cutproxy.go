// Package cutproxy is a TCP proxy whose connections a test can cut, as when a server goes away.
package cutproxy

import (
	"bytes"
	"io"
	"net"
	"sync"
	"testing"
)

// Proxy passes connections on to another address of the machine.
type Proxy struct {
	Addr    string        // its own address
	Refused chan struct{} // receives a value for each connection that was refused, if there is room

	listener net.Listener
	target   string

	mu    sync.Mutex
	away  bool
	after []string // when clients have sent these texts in turn, and the last is passed on, Cut follows
	conns map[net.Conn]bool
}

// New starts a proxy that ends with the test.
func New(tb testing.TB, target string) *Proxy {
	tb.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Proxy{
		Addr: listener.Addr().String(), Refused: make(chan struct{}, 1), listener: listener, target: target,
		conns: map[net.Conn]bool{},
	}
	var running sync.WaitGroup
	running.Go(func() { p.accept(&running) })
	tb.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
		running.Wait()
	})
	return p
}

// Cut ends all connections and refuses new ones until Restore.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = true
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// Restore passes new connections on again.
func (p *Proxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = false
}

// CutAfter cuts like Cut when clients have sent the texts in turn. The last is passed on, but not
// the answer to it.
func (p *Proxy) CutAfter(texts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.after = texts
}

func (p *Proxy) accept(running *sync.WaitGroup) {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		if server := p.dial(conn); server != nil {
			running.Go(func() { p.pass(server, conn, p.last) })
			running.Go(func() { p.pass(conn, server, func([]byte) bool { return false }) })
		}
	}
}

// dial connects to the target, or refuses the connection.
func (p *Proxy) dial(client net.Conn) net.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	server, err := net.Dial("tcp", p.target)
	if p.away || err != nil {
		_ = client.Close()
		if err == nil {
			_ = server.Close()
		}
		select {
		case p.Refused <- struct{}{}:
		default:
		}
		return nil
	}
	p.conns[client], p.conns[server] = true, true
	return server
}

// last reports whether what a client sent is the last text of CutAfter.
func (p *Proxy) last(sent []byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting := len(p.after) > 0
	for len(p.after) > 0 {
		at := bytes.Index(sent, []byte(p.after[0]))
		if at < 0 {
			return false
		}
		sent, p.after = sent[at:], p.after[1:]
	}
	return waiting
}

func (p *Proxy) pass(to, from net.Conn, last func([]byte) bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && last(buffer[:n]) {
			p.mu.Lock()
			for conn := range p.conns {
				if conn != to {
					_ = conn.Close()
				}
			}
			p.away = true
			p.mu.Unlock()
			_, _ = to.Write(buffer[:n])
			_, _ = io.Copy(io.Discard, to) // until the server has answered and found the client gone
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
