package notify_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/notify"
	"tarmac/client/settings"
)

const secret = "hush-hush-42"

func message() *alerts.Message {
	return &alerts.Message{
		ID: "ABCDEF", At: time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC), Company: "Acme\r\nBcc: x@example.com",
		Title: "Paid $12,345.67 to <!channel> *Évil*\r\nX-Header: y, and 1 more",
		Findings: []alerts.Finding{
			{Text: "Paid $12,345.67 to <!channel> @everyone [a](https://evil.example) \u202e\x1b[31m.",
				Open: "tarmac transactions tx_1"},
			{Text: "Runway 8.4 months (below 9.0).", Basis: "Balance of 2 hours ago."},
		},
	}
}

// certificates writes the certificate of a server as a ca_file.
func certificates(t *testing.T, s *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	content := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// webServer answers with a function, and returns a channel that reaches it and the last body.
func webServer(t *testing.T, kind string, answer http.HandlerFunc) (settings.Channel, apiclient.Token, *bytes.Buffer) {
	t.Helper()
	var body bytes.Buffer
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body.Reset()
		_, _ = io.Copy(&body, r.Body)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	c := settings.Channel{
		Name: "one", Kind: kind, CAFile: certificates(t, server), Private: []string{server.Listener.Addr().String()},
	}
	if kind == "ntfy" {
		c.Server, c.To = server.URL, "topic"
		return c, secret, &body
	}
	return c, apiclient.Token(server.URL + "/" + secret), &body
}

func ok(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }

func TestChatsGetNoMentionsLinksOrAmounts(t *testing.T) {
	for _, kind := range []string{"slack", "discord", "ntfy"} {
		c, s, body := webServer(t, kind, ok)
		sender, err := notify.Open(c, notify.Options{Secret: s})
		if err != nil {
			t.Fatal(err)
		}
		if err := sender.Send(t.Context(), message()); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		var got map[string]any
		if err := json.Unmarshal(body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		text, _ := got[map[string]string{"slack": "text", "discord": "content", "ntfy": "message"}[kind]].(string)
		for _, forbidden := range []string{"12,345", "8.4", "\x1b", "\u202e", secret} {
			if strings.Contains(text, forbidden) {
				t.Errorf("%s shows %q:\n%s", kind, forbidden, text)
			}
		}
		if kind == "ntfy" && got["sequence_id"] != message().ID {
			t.Errorf("ntfy gets %v", got)
		}
		if kind == "slack" && strings.Contains(text, "<") {
			t.Errorf("slack gets a mention or a link:\n%s", text)
		}
		if kind == "discord" && (strings.Contains(text, "](") || fmt.Sprint(got["allowed_mentions"]) != "map[parse:[]]") {
			t.Errorf("discord gets a mention or a link:\n%s", text)
		}
		c.Amounts = true
		if sender, err = notify.Open(c, notify.Options{Secret: s}); err != nil {
			t.Fatal(err)
		}
		if err := sender.Send(t.Context(), message()); err != nil || !strings.Contains(body.String(), "12,345.67") {
			t.Errorf("%s with amounts: %v\n%s", kind, err, body)
		}
	}
}

func TestWhatAServerDoesWrongIsSaidWithoutSecrets(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"echo": {func(w http.ResponseWriter, r *http.Request) { http.Error(w, r.URL.String(), 500) },
			"the server answered 500"},
		"gone": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "give the channel its secret again"},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example"+r.URL.Path, http.StatusTemporaryRedirect)
		}, "nothing is sent there"},
		"broken": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
		"slow down": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "99999999999999")
			w.WriteHeader(429)
		}, "asks to wait"},
	} {
		channel, s, _ := webServer(t, "slack", c.answer)
		sender, err := notify.Open(channel, notify.Options{Secret: s})
		if err != nil {
			t.Fatal(err)
		}
		err = sender.Send(t.Context(), message())
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		var later *alerts.Later
		if name == "slow down" && (!errors.As(err, &later) || later.After > 24*time.Hour) {
			t.Errorf("it waits %v", later)
		}
	}
}

func TestPrivateAddressesAndPlainTextAreRefused(t *testing.T) {
	channel, s, _ := webServer(t, "slack", ok)
	channel.Private = nil
	sender, err := notify.Open(channel, notify.Options{Secret: s})
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Send(t.Context(), message()); err == nil || !strings.Contains(err.Error(), "the address is private") {
		t.Errorf("a private address: %v", err)
	}
	for name, c := range map[string]struct {
		channel settings.Channel
		secret  apiclient.Token
		want    string
	}{
		"http":             {settings.Channel{Kind: "discord"}, "http://example.com/" + secret, "https://"},
		"no secret":        {settings.Channel{Kind: "slack"}, "", "tarmac alerts channel secret"},
		"plain ntfy":       {settings.Channel{Kind: "ntfy", To: "t", Server: "http://ntfy.sh"}, secret, "https://"},
		"public by chance": {settings.Channel{Kind: "ntfy", To: "t"}, "", "public = true"},
		"no topic":         {settings.Channel{Kind: "ntfy", Public: true}, "", "topic"},
		"no port":          {settings.Channel{Kind: "mail", Server: "smtp.example.com"}, "", "with its port"},
		"no sender":        {settings.Channel{Kind: "mail", Server: "a:25", To: "a@example.com"}, "", "sender"},
		"no address": {settings.Channel{Kind: "mail", Server: "a:25", From: "a@example.com", To: "x\r\nBcc: b@c"},
			"", "an address"},
		"no password":     {settings.Channel{Kind: "mail", Server: "a:25", User: "u"}, "", "secret"},
		"no certificates": {settings.Channel{Kind: "slack", CAFile: "/nowhere"}, "https://x/", "ca_file"},
		"no program":      {settings.Channel{Kind: "command"}, "", "needs a program"},
	} {
		if _, err := notify.Open(c.channel, notify.Options{Secret: c.secret}); err == nil ||
			!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestACommandGetsAMessageAndNothingElse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell for the script")
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	script := filepath.Join(dir, "tell")
	text := "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"" + out + "\"\ncat >> \"" + out + "\"\nexit $1\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{"0": "", "7": "ended with 7"} {
		sender, err := notify.Open(settings.Channel{Kind: "command", Command: []string{script, code, "$(id); a b"}},
			notify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := sender.Send(t.Context(), message()); fmt.Sprint(err) != "<nil>" && !strings.Contains(err.Error(), want) ||
			(err == nil) != (want == "") {
			t.Errorf("%s: %v", code, err)
		}
		got, _ := os.ReadFile(out)
		lines := strings.SplitN(string(got), "\n", 3)
		var m alerts.Message
		if len(lines) != 3 || lines[1] != "$(id); a b" || json.Unmarshal([]byte(lines[2]), &m) != nil || m.ID != "ABCDEF" {
			t.Errorf("it got %q", got)
		}
	}
}

// mailServer takes one mail by SMTP with STARTTLS and sends what came after DATA.
func mailServer(t *testing.T, refuse string) (address, caFile string, mails chan string) {
	t.Helper()
	web := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(web.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	mails = make(chan string, 10)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serveMail(conn, web.TLS, refuse, mails)
		}
	}()
	return listener.Addr().String(), certificates(t, web), mails
}

func serveMail(conn net.Conn, config *tls.Config, refuse string, mails chan string) {
	defer conn.Close()
	in, encrypted := bufio.NewReader(conn), false
	say := func(text string) { fmt.Fprint(conn, text+"\r\n") }
	say("220 ready")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(strings.Fields(line + " x")[0]); {
		case refuse == verb+" closes":
			return
		case refuse == verb+" hangs":
			_, _ = io.Copy(io.Discard, conn)
			return
		case refuse != "" && strings.HasPrefix(refuse, verb):
			say(strings.TrimPrefix(refuse, verb+" "))
		case verb == "EHLO" && !encrypted:
			say("250-here\r\n250 STARTTLS")
		case verb == "EHLO":
			say("250-here\r\n250 AUTH PLAIN")
		case verb == "STARTTLS":
			say("220 go on")
			conn = tls.Server(conn, config)
			in, encrypted = bufio.NewReader(conn), true
		case verb == "AUTH":
			say("235 yes")
		case verb == "DATA":
			say("354 go on")
			var mail strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				mail.WriteString(strings.TrimPrefix(line, "."))
			}
			mails <- mail.String()
			say("250 taken")
		case verb == "QUIT":
			say("221 bye")
			return
		default:
			say("250 yes")
		}
	}
}

func TestAMailIsOneMailWithItsID(t *testing.T) {
	address, ca, mails := mailServer(t, "")
	c := settings.Channel{
		Kind: "mail", Server: address, From: "tarmac@example.com", To: "Ada <ada@example.com>", User: "ada", CAFile: ca,
		Private: []string{address}, Amounts: true,
	}
	sender, err := notify.Open(c, notify.Options{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	m := message()
	m.Page = "<p>all</p>"
	if err := sender.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got, err := netmail.ReadMessage(strings.NewReader(<-mails))
	if err != nil {
		t.Fatal(err)
	}
	if id := got.Header.Get("Message-Id"); id != "<ABCDEF@example.com>" {
		t.Errorf("Message-ID %q", id)
	}
	if got.Header.Get("Bcc") != "" || got.Header.Get("X-Header") != "" ||
		got.Header.Get("To") != `"Ada" <ada@example.com>` {
		t.Errorf("headers %q", got.Header)
	}
	if got.Header.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("programs that answer mail would answer %q", got.Header)
	}
	if at, err := got.Header.Date(); err != nil || !at.Equal(m.At) {
		t.Errorf("date %v, %v", at, err)
	}
}

func TestAMailServerThatRefusesIsNamed(t *testing.T) {
	for refuse, want := range map[string]string{
		"RCPT 550 no such " + secret: "answered 550", "MAIL 451 later": "answered 451", "STARTTLS 454 no": "454",
		"AUTH 535 wrong " + secret: "535",
	} {
		address, ca, _ := mailServer(t, refuse)
		c := settings.Channel{Kind: "mail", Server: address, From: "a@example.com", To: "b@example.com", User: "ada",
			CAFile:  ca,
			Private: []string{address}}
		sender, err := notify.Open(c, notify.Options{Secret: secret})
		if err != nil {
			t.Fatal(err)
		}
		if err := sender.Send(t.Context(), message()); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", refuse, err)
		}
	}
}

func TestAMailServerThatHangsOrClosesIsNamed(t *testing.T) {
	for refuse, want := range map[string]string{
		"EHLO closes": "EOF", "DATA closes": "EOF", "EHLO hangs": "did not take the mail within",
		"DATA hangs": "did not take the mail within",
	} {
		t.Run(refuse, func(t *testing.T) {
			t.Parallel()
			address, ca, _ := mailServer(t, refuse)
			sender, err := notify.Open(settings.Channel{
				Kind: "mail", Server: address, From: "a@example.com", To: "b@example.com", User: "ada", CAFile: ca,
				Private: []string{address},
			}, notify.Options{Secret: secret})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second) // a sender has its own limit too
			defer cancel()

			err = sender.Send(ctx, message())

			if err == nil || !strings.HasPrefix(err.Error(), address+" ") && !strings.HasPrefix(err.Error(), address+":") ||
				!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAMailServerWithAWrongCertificateGetsNothing(t *testing.T) {
	address, _, mails := mailServer(t, "")
	c := settings.Channel{Kind: "mail", Server: address, From: "a@example.com", To: "b@example.com", User: "ada",
		Private: []string{address}}
	sender, err := notify.Open(c, notify.Options{Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Send(t.Context(), message()); err == nil || !strings.Contains(err.Error(), "certificate") ||
		len(mails) > 0 {
		t.Errorf("%v", err)
	}
}

// The messages of a channel without amounts have the same length for any amount. Its digest is one
// that was written without amounts, not one whose amounts were covered with dots.
func TestHiddenAmountsDoNotShowTheirLength(t *testing.T) {
	texts := map[string]bool{}
	for _, amount := range []string{"$1.00", "$12,345,678.90"} {
		c, s, body := webServer(t, "slack", ok)
		sender, err := notify.Open(c, notify.Options{Secret: s})
		if err != nil {
			t.Fatal(err)
		}
		m := &alerts.Message{
			ID: "A", Title: "Cash " + amount + " (below $5k)", Findings: []alerts.Finding{{Text: "Cash " + amount + " now"}},
			Text: "Cash:   " + amount + "\nwent from 16.5\nto 14.4", Masked: "Cash: hidden",
		}
		if err := sender.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		texts[body.String()] = true
		if !strings.Contains(body.String(), "Cash: hidden") || strings.Contains(body.String(), "16.5") {
			t.Errorf("it gets %s", body.String())
		}
	}
	if len(texts) != 1 {
		t.Errorf("the messages differ: %q", slices.Collect(maps.Keys(texts)))
	}
}
