package apiclient_test

import (
	"context"
	"net"
)

// dialing makes connections to serve that say they lead to an address.
func dialing(serve func(net.Conn), address string) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			defer far.Close()
			serve(far)
		}()
		return elsewhere{near, &net.TCPAddr{IP: net.ParseIP(address), Port: 8080}}, nil
	}
}

// elsewhere is a connection that says it leads to another address.
type elsewhere struct {
	net.Conn
	at net.Addr
}

func (e elsewhere) RemoteAddr() net.Addr { return e.at }
