// Package notify sends the messages of alerts: by mail, through ntfy, to a chat, to a command or to
// the terminal. Each channel needs TLS and reaches public addresses alone, unless the settings name
// a private one. Errors never contain a secret, a URL, or what a server answered.
package notify

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/mask"
	"tarmac/client/settings"
	"tarmac/internal/publicaddress"
	"tarmac/internal/termtext"
)

const (
	sendTimeout = 30 * time.Second
	maxFindings = 50 // in one message
)

// Options are what channels need beside their settings.
type Options struct {
	Secret   apiclient.Token // password, token, or URL of a chat; "" if there is none
	Terminal io.Writer       // for the kind terminal
	Resolver *net.Resolver   // nil for the system's
}

// ErrNoSecret means that a channel's secret is not known on this machine.
var ErrNoSecret = errors.New("its secret is not known here: run `tarmac alerts channel secret NAME`")

// Open returns the sender of a channel. The error is a sentence that follows the channel's name.
func Open(c settings.Channel, o Options) (alerts.Sender, error) {
	switch c.Kind {
	case "mail":
		return newMail(c, o)
	case "ntfy":
		return newNtfy(c, o)
	case "slack", "discord":
		return newChat(c, o)
	case "command":
		return newCommand(c)
	}
	return &terminal{out: o.Terminal, shown: shown{amounts: c.Amounts}}, nil
}

// NeedsSecret says what is secret about a channel of a kind, or returns "".
func NeedsSecret(c *settings.Channel) string {
	switch {
	case c.Kind == "slack" || c.Kind == "discord":
		return "URL of the webhook"
	case c.Kind == "mail" && c.User != "":
		return "password of " + c.User
	case c.Kind == "ntfy" && !c.Public:
		return "access token"
	}
	return ""
}

// shown decides what a channel shows of a message.
type shown struct{ amounts bool }

// text returns a line of a message. Nothing in it is a link or a mention.
func (s shown) text(text string) string {
	text = termtext.Line(text)
	if !s.amounts {
		text = mask.Unpadded(text)
	}
	return unlink(text)
}

// lines returns a message as lines of text.
func (s shown) lines(m *alerts.Message) (lines []string) {
	if m.Text != "" {
		text := m.Text
		if !s.amounts {
			text = cmp.Or(m.Masked, mask.Unpadded(text))
		}
		lines = append(strings.Split(unlink(visible(strings.TrimRight(text, "\n"))), "\n"), "")
	}
	for i, f := range m.Findings {
		if i == maxFindings {
			lines = append(lines, fmt.Sprintf("And %d more: tarmac alerts", len(m.Findings)-i), "")
			break
		}
		lines = append(lines, s.text(f.Text))
		if next := i + 1; next < len(m.Findings) && next != maxFindings && m.Findings[next].Basis == f.Basis &&
			m.Findings[next].Open == f.Open {
			continue // they stand once below all that have them
		}
		if f.Basis != "" {
			lines = append(lines, s.text(f.Basis))
		}
		if f.Open != "" {
			lines = append(lines, "See it: "+unlink(termtext.Line(f.Open)))
		}
		lines = append(lines, "")
	}
	if m.Note != "" {
		lines = append(lines, s.text(m.Note), "")
	}
	if m.Company != "" {
		lines = append(lines, unlink(termtext.Line(m.Company))+", "+m.At.UTC().Format("2006-01-02 15:04 UTC"))
	}
	return append(lines, "Message "+m.ID)
}

// guarded returns a function that dials public addresses, and the private ones that the settings
// name as HOST:PORT.
func guarded(private []string, resolver *net.Resolver) func(ctx context.Context, network, address string) (net.Conn,
	error) {
	guardian := publicaddress.Guardian()
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		dialer := &net.Dialer{Timeout: sendTimeout, Resolver: resolver}
		if !slices.Contains(private, address) {
			dialer.Control = func(network, address string, c syscall.RawConn) error {
				if guardian.Safe(network, address, c) != nil {
					return errPrivate
				}
				return nil
			}
		}
		return dialer.DialContext(ctx, network, address)
	}
}

var errPrivate = errors.New("the address is private: name it with private = [\"HOST:PORT\"] in the settings " +
	"if that is meant")

// tlsConfig trusts the system's authorities and those of a file.
func tlsConfig(caFile string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if caFile == "" {
		return config, nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	pem, err := os.ReadFile(caFile)
	if err != nil || !roots.AppendCertsFromPEM(pem) {
		return nil, errors.New("has a ca_file without certificates, or one that cannot be read")
	}
	config.RootCAs = roots
	return config, nil
}

// web returns a client for requests to one host. It follows no redirect.
func web(c *settings.Channel, o Options) (*http.Client, error) {
	config, err := tlsConfig(c.CAFile)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Timeout: sendTimeout,
		Transport: &http.Transport{
			DialContext: guarded(c.Private, o.Resolver), TLSClientConfig: config, Proxy: http.ProxyFromEnvironment,
			MaxResponseHeaderBytes: 64 << 10, DisableKeepAlives: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}
