package apiclient_test

import (
	"context"
	"net"
)

// dialing returns a transport whose connections to serve claim to lead to address.
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

// elsewhere is a connection that claims to lead to another address.
type elsewhere struct {
	net.Conn
	at net.Addr
}

func (e elsewhere) RemoteAddr() net.Addr { return e.at }
