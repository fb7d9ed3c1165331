package notify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"

	"tarmac/client/alerts"
	"tarmac/client/notify"
	"tarmac/client/settings"
)

// hostileNames are names that a chat or mail program would link, obey or hide, if it were not for
// the channel.
var hostileNames = []string{
	"https://evil.example/pay", "HTTP://EVIL.EXAMPLE", "evil.example", "www.evil.example/x?y=1",
	"pay@evil.example", "mailto:pay@evil.example", "tel:+4912345",
	"evil.xn--p1ai", "злой.рф", "例え.テスト", "evil。example", "evil．example",
	"192.0.2.7/pay", "http://192.0.2.7", "http://[2001:db8::1]/", "https://localhost/x", `\\evil\share`,
	"file:///etc/passwd", "steam://run/1", "s3://bucket", "javascript:alert(1)",
	"[pay](https://evil.example)", "<https://evil.example|pay>",
	"<a href=https://evil.example>pay</a>", "@everyone", "@here", "<!channel>", "<!subteam^S1>", "<@U123>", "<@&123>",
	"<#123>", "&lt;https://evil.example&gt;", "ev\u200bil.example", "evil.\u2060example", "evil\u00ad.example",
	"h\u200dttps://evil.example", "\u202emoc.elpmaxe\u202c", "\u2066x\u2069", "\ufeffevil.example",
	"evil\x1b[31m.example", "\x1b]8;;https://evil.example\x07pay",
	"\x9dx\x9c", "a\u0000b", "*b* _i_ ~s~ `c` ||d||", "# heading", "> quote",
}

// live is what some program takes for an address or a mention.
var live = regexp.MustCompile(`(?i)[a-z]:[^\s]|://|[\pL\pN_-][.。．｡][\pL][\pL\pN-]|` +
	`\d{1,3}(\.\d{1,3}){3}|@[\pL\pN]|\\\\[\pL\pN]`)

var invisible = regexp.MustCompile(`[\p{Cf}\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`)

// sent returns what a channel of a kind sends: the readable texts, and the whole body.
func sent(t *testing.T, kind string, m *alerts.Message) (texts []string, body string) {
	t.Helper()
	if kind == "terminal" {
		var out bytes.Buffer
		send(t, settings.Channel{Kind: kind, Amounts: true}, notify.Options{Terminal: &out}, m)
		return []string{strings.TrimPrefix(out.String(), "\a")}, out.String()
	}
	if kind == "mail" {
		address, ca, mails := mailServer(t, "")
		send(t, settings.Channel{Kind: kind, Server: address, From: "tarmac@example.com", To: "ada@example.com", CAFile: ca,
			Private: []string{address}, Amounts: true}, notify.Options{}, m)
		body = <-mails
		return mailTexts(t, body), body
	}
	c, s, got := webServer(t, kind, ok)
	c.Amounts = true
	send(t, c, notify.Options{Secret: s}, m)
	var fields map[string]any
	if err := json.Unmarshal(got.Bytes(), &fields); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"text", "content", "title", "message"} {
		if text, ok := fields[field].(string); ok {
			texts = append(texts, text)
		}
	}
	return texts, got.String()
}

func send(t *testing.T, c settings.Channel, o notify.Options, m *alerts.Message) {
	t.Helper()
	sender, err := notify.Open(c, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// mailTexts returns the subject and the parts of a mail, without the tags of HTML.
func mailTexts(t *testing.T, raw string) (texts []string) {
	t.Helper()
	mail, err := netmail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(mail.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	_, parameters, err := mime.ParseMediaType(mail.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(mail.Body, parameters["boundary"])
	for texts = []string{subject}; ; {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			text = regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`).ReplaceAllString(text, "")
			text = html.UnescapeString(text)
		}
		texts = append(texts, text)
	}
}

// naming returns a message that quotes a name everywhere.
func naming(name string) *alerts.Message {
	m := message()
	m.Title, m.Company, m.Note = "Paid "+name, name, name+" was silent"
	m.Findings = []alerts.Finding{{Text: "Paid $12,345.67 to " + name + ".", Basis: name, Open: "tarmac spend " + name}}
	m.Text = "Digest\n" + name + "  $1.00\n"
	m.Page = "<html><style>a{b:c}</style><p class=\"x\">" + html.EscapeString(name) + "</p></html>"
	return m
}

var kinds = []string{"slack", "discord", "ntfy", "mail", "terminal"}

func TestNoNameIsALinkOrAMentionInAnyChannel(t *testing.T) {
	for _, kind := range kinds {
		for _, name := range hostileNames {
			texts, body := sent(t, kind, naming(name))
			for _, text := range texts {
				read := text
				if kind == "discord" {
					read = regexp.MustCompile(`\\(.)`).ReplaceAllString(text, "$1")
				}
				if found := live.FindString(read); found != "" {
					t.Errorf("%s: %q has a live %q in\n%s", kind, name, found, text)
				}
				if found := invisible.FindString(text); found != "" {
					t.Errorf("%s: %q has an invisible %q in\n%q", kind, name, found, text)
				}
				if kind == "slack" && strings.ContainsAny(text, "<>") {
					t.Errorf("slack: %q has a tag in\n%s", name, text)
				}
				if kind == "discord" && regexp.MustCompile("(^|[^\\\\])[<>*_~`|#]").MatchString(text) {
					t.Errorf("discord: %q is formatted in\n%s", name, text)
				}
			}
			if len(texts) == 0 {
				t.Errorf("%s: nothing was read of %s", kind, body)
			}
		}
	}
}

func TestOrdinaryNamesAndFiguresStay(t *testing.T) {
	for _, name := range []string{
		"Smith & Sons Ltd.", "Muster S.r.l.", "Jansen B.V. 08:00", "J.P. Morgan 1.5M", "株式会社例", "Rent 9.0 / 12.5%",
		"a - b: c",
	} {
		if texts, _ := sent(t, "ntfy", naming(name)); !strings.Contains(texts[0]+texts[1], "$12,345.67 to "+name+".") {
			t.Errorf("%q became %q", name, texts)
		}
	}
	texts, _ := sent(t, "ntfy", naming("https://a.evil.example/"))
	if got := strings.Join(texts, "\n"); !strings.Contains(got, "https[:]//a[.]evil[.]example/") {
		t.Errorf("an address isn't readable in %q", got)
	}
}

// Otherwise a stranger's long names would keep every message of the channel away.
func TestAnNtfyMessageIsAsShortAsTheServerWants(t *testing.T) {
	m := message()
	for range 50 {
		m.Findings = append(m.Findings, alerts.Finding{Text: "Paid to " + strings.Repeat("<é&\">", 40)})
	}
	texts, body := sent(t, "ntfy", m)
	if longest := max(len(texts[0]), len(texts[1])); longest > 4096 || longest < 4090 || len(body) > 2*4096 {
		t.Errorf("a text of %d bytes in a request of %d", longest, len(body))
	}
}

func TestChatsAreAskedForNoLinksPreviewsOrMentions(t *testing.T) {
	for kind, want := range map[string]string{
		"slack":   "map[link_names:false mrkdwn:false parse:none unfurl_links:false unfurl_media:false]",
		"discord": "map[allowed_mentions:map[parse:[]] flags:4]",
	} {
		_, body := sent(t, kind, message())
		var fields map[string]any
		if err := json.Unmarshal([]byte(body), &fields); err != nil {
			t.Fatal(err)
		}
		delete(fields, "text")
		delete(fields, "content")
		if got := fmt.Sprint(fields); got != want {
			t.Errorf("%s is asked for %s, want %s", kind, got, want)
		}
	}
}
