package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/settings"
	"tarmac/internal/termtext"
)

// secretURL checks the URL of a chat, which is a secret. The error does not contain it.
func secretURL(secret apiclient.Token) (string, error) {
	u, err := url.Parse(secret.Reveal())
	switch {
	case secret == "":
		return "", ErrNoSecret
	case err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil:
		return "", errors.New("has a webhook whose URL does not begin with https:// and a host")
	}
	return u.String(), nil
}

// chat posts to a webhook of Slack or Discord.
type chat struct {
	shown
	client  *http.Client
	url     string // a secret
	discord bool
}

func newChat(c settings.Channel, o Options) (*chat, error) {
	to, err := secretURL(o.Secret)
	if err != nil {
		return nil, err
	}
	client, err := web(&c, o)
	if err != nil {
		return nil, err
	}
	return &chat{shown: shown{c.Amounts}, client: client, url: to, discord: c.Kind == "discord"}, nil
}

// maxDiscord is the longest message that Discord accepts, in characters. suppressEmbeds is its flag
// for messages without previews.
const (
	maxDiscord     = 2000
	suppressEmbeds = 4
)

var (
	slackEscapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	discordEscapes = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, ">", `\>`,
		"#", `\#`,
		"[", `\[`, "]", `\]`, "(", `\(`, ")", `\)`, "<", `\<`, "-", `\-`)
)

// Send posts a message. Its names are text: they mention nobody and contain no links.
func (c *chat) Send(ctx context.Context, m *alerts.Message) error {
	text := strings.Join(c.lines(m), "\n")
	var body any = map[string]any{
		"text": slackEscapes.Replace(text), "mrkdwn": false, "parse": "none", "link_names": false,
		"unfurl_links": false, "unfurl_media": false,
	}
	if c.discord {
		text = discordEscapes.Replace(text)
		if letters := []rune(text); len(letters) > maxDiscord {
			text = strings.TrimRight(string(letters[:maxDiscord-1]), `\`) + "…"
		}
		body = map[string]any{
			"content": text, "flags": suppressEmbeds, "allowed_mentions": map[string]any{"parse": []string{}},
		}
	}
	return post(ctx, c.client, c.url, "", body)
}

// ntfy publishes to a topic.
type ntfy struct {
	shown
	client *http.Client
	server string
	topic  string
	token  apiclient.Token
}

func newNtfy(c settings.Channel, o Options) (*ntfy, error) {
	server := c.Server
	if server == "" {
		server = "https://ntfy.sh"
	}
	u, err := url.Parse(server)
	switch {
	case err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil:
		return nil, errors.New("needs a server that begins with https://, such as https://ntfy.sh")
	case c.To == "":
		return nil, errors.New("needs a topic: to = \"…\"")
	case o.Secret == "" && !c.Public:
		return nil, errors.New("has no token, so that everybody who knows the topic can read it: give it one with `tarmac " +
			"alerts channel secret`, or write public = true")
	}
	client, err := web(&c, o)
	if err != nil {
		return nil, err
	}
	return &ntfy{shown: shown{c.Amounts}, client: client, server: u.String(), topic: c.To, token: o.Secret}, nil
}

// maxNtfy is the longest text that ntfy shows as a message, in bytes. It makes a file of a longer
// one or, from twice that on as JSON, refuses it.
const maxNtfy = 4096

// Send publishes a message. One that comes twice has the same sequence ID, by which ntfy 2.16 and
// newer show it once.
func (n *ntfy) Send(ctx context.Context, m *alerts.Message) error {
	text := strings.Join(n.lines(m), "\n")
	if len(text) > maxNtfy {
		text = strings.ToValidUTF8(text[:maxNtfy-len("…")], "") + "…"
	}
	return post(ctx, n.client, n.server, n.token, map[string]any{
		"topic": n.topic, "title": n.text(m.Title), "message": text, "sequence_id": m.ID,
	})
}

// post posts JSON. The error has the status or the cause, but neither the URL nor the answer.
func post(ctx context.Context, client *http.Client, to string, token apiclient.Token, body any) error {
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false) // an escape takes six bytes
	if err := encoder.Encode(body); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, to, &content)
	if err != nil {
		return errors.New("the address is none")
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token.Reveal())
	}
	answer, err := client.Do(request)
	if err != nil {
		return withoutURL(err)
	}
	defer answer.Body.Close()
	switch code := answer.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code >= 300 && code < 400:
		return fmt.Errorf("the server answered %d, which leads elsewhere; nothing is sent there", code)
	case code == http.StatusTooManyRequests:
		after, _ := strconv.ParseFloat(answer.Header.Get("Retry-After"), 64)
		wait := time.Duration(min(max(after, 0), 24*3600)) * time.Second
		return &alerts.Later{Err: errors.New("the server asks to wait (429)"), After: wait}
	case code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusNotFound:
		return fmt.Errorf("the server refused it (%d): give the channel its secret again", code)
	default:
		return fmt.Errorf("the server answered %d", code)
	}
}

// withoutURL returns the cause of an error of a request without its URL, which may be a secret.
func withoutURL(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if errors.Is(err, errPrivate) {
		return errPrivate
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %s", sendTimeout)
	}
	return errors.New(termtext.Line(err.Error()))
}
