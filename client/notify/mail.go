package notify

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

// implicitTLS is the port on which TLS begins with the connection; on others it begins with
// STARTTLS.
const implicitTLS = 465

// dialFunc connects to an address.
type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// mail sends through a mail server.
type mail struct {
	shown
	channel settings.Channel
	secret  apiclient.Token
	host    string
	port    int
	tls     *tls.Config
	dial    dialFunc
}

func newMail(c settings.Channel, o Options) (*mail, error) {
	host, port, err := net.SplitHostPort(c.Server)
	number, bad := strconv.Atoi(port)
	switch {
	case err != nil || bad != nil || host == "":
		return nil, errors.New("needs a server with its port, such as smtp.example.com:465")
	case c.User != "" && o.Secret == "":
		return nil, ErrNoSecret
	}
	config, err := tlsConfig(c.CAFile)
	if err != nil {
		return nil, err
	}
	config.ServerName = host
	m := &mail{shown: shown{c.Amounts}, channel: c, secret: o.Secret, host: host, port: number, tls: config,
		dial: guarded(c.Private, o.Resolver)}
	if _, err := m.envelope(); err != nil {
		return nil, err
	}
	return m, nil
}

// envelope returns a message with its addresses.
func (m *mail) envelope() (*gomail.Msg, error) {
	msg := gomail.NewMsg()
	if err := msg.From(m.channel.From); err != nil {
		return nil, errors.New("needs the address of a sender, such as from = \"tarmac@example.com\"")
	}
	if err := msg.To(m.channel.To); err != nil {
		return nil, errors.New("needs an address, such as to = \"ada@example.com\"")
	}
	return msg, nil
}

// Send sends a message. Its Message-ID is that of the message, so that mail programs show one that
// comes twice once.
func (m *mail) Send(ctx context.Context, message *alerts.Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	msg, err := m.envelope()
	if err != nil {
		return err
	}
	_, domain, _ := strings.Cut(msg.GetFromString()[0], "@")
	msg.SetMessageIDWithValue(message.ID + "@" + strings.Trim(domain, "<> "))
	msg.SetDateWithValue(message.At)
	msg.SetUserAgent("tarmac")
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // so that no program answers it
	msg.Subject(m.text(message.Title))
	msg.SetBodyString(gomail.TypeTextPlain, strings.Join(m.lines(message), "\n")+"\n")
	if message.Page != "" && m.amounts {
		msg.AddAlternativeString(gomail.TypeTextHTML, unlinkPage(message.Page))
	}
	client, err := m.client(ctx)
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.DialAndSendWithContext(ctx, msg); err != nil {
		return m.problem(ctx, err)
	}
	return nil
}

// client returns a client whose connections are closed when ctx ends: the library waits for a
// silent server otherwise.
func (m *mail) client(ctx context.Context) (*gomail.Client, error) {
	closing := func(dial dialFunc) dialFunc {
		return func(of context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(of, network, address)
			if err == nil {
				context.AfterFunc(ctx, func() { _ = conn.Close() })
			}
			return conn, err
		}
	}
	options := []gomail.Option{
		gomail.WithPort(m.port), gomail.WithTimeout(sendTimeout), gomail.WithTLSConfig(m.tls),
		gomail.WithTLSPolicy(gomail.TLSMandatory),
		gomail.WithDialContextFunc(gomail.DialContextFunc(closing(m.dial))),
	}
	auth := gomail.SMTPAuthAutoDiscover
	if m.port == implicitTLS {
		auth = gomail.SMTPAuthPlain // the library does not see that the connection has TLS, and offers no more
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS),
			gomail.WithDialContextFunc(gomail.DialContextFunc(closing(m.dialTLS))))
	}
	if m.channel.User != "" {
		options = append(options, gomail.WithSMTPAuth(auth), gomail.WithUsername(m.channel.User),
			gomail.WithPassword(m.secret.Reveal()))
	}
	return gomail.NewClient(m.host, options...)
}

// dialTLS dials and makes the handshake of TLS.
func (m *mail) dialTLS(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := m.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	encrypted := tls.Client(raw, m.tls)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return encrypted, nil
}

// problem says why a mail was not sent, without what the server said beyond its code.
func (m *mail) problem(ctx context.Context, err error) error {
	var send *gomail.SendError
	switch {
	case errors.Is(err, errPrivate):
		return errPrivate
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not take the mail within %s", m.channel.Server, sendTimeout)
	case errors.As(err, &send) && send.ErrorCode() != 0:
		return fmt.Errorf("%s answered %d", m.channel.Server, send.ErrorCode())
	}
	text := termtext.Line(err.Error())
	if secret := m.secret.Reveal(); secret != "" {
		text = strings.ReplaceAll(text, secret, "[password]")
	}
	return fmt.Errorf("%s: %s", m.channel.Server, text)
}
