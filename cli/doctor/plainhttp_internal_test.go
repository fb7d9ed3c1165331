package doctor

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"tarmac/cli/command"
	"tarmac/client/settings"
)

// elsewhere is a connection to another machine.
type elsewhere struct{ net.Conn }

func (elsewhere) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 8080}
}

// The doctor's own request follows the rule of all requests: no token over plain HTTP to other
// machines.
func TestTheDoctorSendsNoTokenElsewhereByPlainHTTP(t *testing.T) {
	heard := make(chan []byte, 1)
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			sent, _ := io.ReadAll(far)
			heard <- sent
		}()
		return elsewhere{near}, nil
	}}
	d := doctor{Env: command.Env{Now: time.Now}, flags: Flags{Timeout: 10 * time.Second}}
	d.callAPI(t.Context(), settings.Connection{BaseURL: "http://localhost:8080", Token: "svc_org_travels"}, transport)
	if sent := <-heard; len(sent) > 0 {
		t.Errorf("sent %q", sent)
	}
	if len(d.findings) != 1 || d.findings[0].Status != statusProblem ||
		!strings.Contains(d.findings[0].Found, "is not this machine") {
		t.Errorf("found %+v", d.findings)
	}
}
