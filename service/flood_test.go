package service_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// localListener accepts connections from this machine whose ends have no buffers. A client that
// does not read therefore holds the service's response.
type localListener struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (l *localListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.accepted:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *localListener) Close() error {
	close(l.closed)
	return nil
}

func (l *localListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// localConn is a connection from the loopback address, where a proxy may run.
type localConn struct{ net.Conn }

func (localConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2} }

func (l *localListener) dial() net.Conn {
	client, server := net.Pipe()
	l.accepted <- localConn{server}
	return client
}

// serve serves on a listener until the test ends.
func (f *fixture) serve(ln net.Listener) {
	f.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- f.service.Serve(ctx, ln, nil) }()
	f.t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			f.t.Errorf("Serve = %v", err)
		}
	})
}

// localGet sends a request and returns the status of the response, without reading its body.
func localGet(c net.Conn, secret, path string) (status int, err error) {
	request := "GET " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + secret + "\r\n\r\n"
	if _, err := io.WriteString(c, request); err != nil {
		return 0, err
	}
	res, err := http.ReadResponse(bufio.NewReaderSize(c, 16), nil)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, nil
}

// One token holds as many responses open as it can, on connections that all come from this machine.
func TestAFloodBehindALocalProxyLeavesOtherOrganizationsAlone(t *testing.T) {
	f := start(t, 0)
	f.limits = overload() // 128 open requests, 24 of them of one token
	f.restart()
	a, b := f.tenant("a"), f.tenant("b")
	f.fill(a, 200)
	ln := &localListener{make(chan net.Conn), make(chan struct{})}
	f.serve(ln)
	const flood = 200
	statuses := make(chan int, flood)
	var clients []net.Conn
	for range flood {
		client := ln.dial()
		clients = append(clients, client)
		go func() {
			status, err := localGet(client, a.secret, prefix+"/transactions?limit=200")
			if err != nil {
				status = 0 // counted as neither
			}
			statuses <- status
		}()
	}
	seen := map[int]int{}
	for range flood {
		seen[<-statuses]++
	}
	if seen[http.StatusOK] == 0 || seen[http.StatusOK]+seen[http.StatusTooManyRequests] != flood {
		t.Fatalf("statuses of the flood: %v", seen)
	}
	for i := range 50 {
		client := ln.dial()
		status, err := localGet(client, b.secret, prefix+"/ping")
		if err != nil || status != http.StatusOK {
			t.Fatalf("request %d of another organization: %d, %v", i+1, status, err)
		}
		_ = client.Close()
	}

	for _, c := range clients {
		_ = c.Close()
	}
}

// TARMAC_FLOOD is how long the flood of 2,000 connections lasts, such as 10s.
const floodVariable = "TARMAC_FLOOD"

// One token asks for pages on 2,000 connections from this machine, as a local proxy would pass them
// on, while another organization makes one request after the other.
func TestAFloodOfTwoThousandConnections(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv(floodVariable))
	if err != nil {
		t.Skip("set " + floodVariable + " to a duration to measure it")
	}
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	f.fill(a, 5000)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.serve(ln)
	const connections = 2000
	connected, begun, end := make(chan struct{}), make(chan struct{}, connections), make(chan struct{})
	var refusedFlood, servedFlood atomic.Int64
	var flood sync.WaitGroup
	for range connections {
		client, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		flood.Go(func() {
			defer client.Close()
			responses := bufio.NewReader(client)
			<-connected
			for first := true; ; first = false {
				status, err := askOn(client, responses, a.secret, prefix+"/transactions?limit=200")
				if first {
					begun <- struct{}{}
				}
				switch {
				case err != nil:
				case status == http.StatusOK:
					servedFlood.Add(1)
				default:
					refusedFlood.Add(1)
				}
				select {
				case <-end:
					return
				default:
					if err != nil {
						return
					}
				}
			}
		})
	}
	close(connected)
	for range connections / 2 {
		<-begun
	}
	var took []time.Duration
	statuses := map[int]int{}
	for until := time.Now().Add(lasts); time.Now().Before(until); {
		asked := time.Now()
		client, err := net.Dial("tcp", ln.Addr().String())
		status := 0
		if err == nil {
			status, err = askOn(client, bufio.NewReader(client), b.secret, prefix+"/ping")
			_ = client.Close()
		}
		if err != nil {
			status = 0
		}
		statuses[status]++
		took = append(took, time.Since(asked))
	}
	close(end)
	flood.Wait()
	slices.Sort(took)
	t.Logf("the flood: %d served, %d refused; the other organization: %v, median %s, 99th percentile %s, longest %s",
		servedFlood.Load(), refusedFlood.Load(), statuses, took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	if statuses[http.StatusOK] != len(took) {
		t.Errorf("of %d requests of the other organization, %d were answered", len(took), statuses[http.StatusOK])
	}
}

// askOn sends a request on a connection, reads the whole response and returns its status.
func askOn(c net.Conn, responses *bufio.Reader, secret, path string) (int, error) {
	request := "GET " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + secret + "\r\n\r\n"
	if _, err := io.WriteString(c, request); err != nil {
		return 0, err
	}
	res, err := http.ReadResponse(responses, nil)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// fill adds transactions with many different names to an organization.
func (f *fixture) fill(a tenant, rows int) {
	f.t.Helper()
	all := make([]ledger.Transaction, rows)
	for i := range all {
		all[i] = ledger.Transaction{
			ID: f.id(ids.Transaction), Date: civil.Of(noon).AddDays(-i / 10), Currency: "USD", AmountMinor: int64(i),
			AmountKnown: true, USDCents: int64(i), USDKnown: true,
			Counterparty: fmt.Sprintf("Supplier %d of Łódź", i), Memo: strings.Repeat("for services ", i%9),
			Reference: strconv.Itoa(i * 7919),
		}
	}
	f.write(func(tx *store.Tx) error { return tx.InsertTransactions(a.key, all) })
}
