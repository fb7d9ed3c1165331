package voices_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"tarmac/apiclient"
	"tarmac/cli"
	"tarmac/cli/command"
	"tarmac/client/assistant"
	"tarmac/client/figures"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/voices"
	"tarmac/plain"
	"tarmac/ui"
)

// served is a company with a server.
type served struct {
	t       *testing.T
	company voices.Company
	client  *apiclient.Client
	url     string

	coverage figures.Coverage // of the company's statements; set by ledgerFacts
}

func serve(t *testing.T, c voices.Company) *served {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	client, err := apiclient.New(server.URL, "svc_org_voices", apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	return &served{t: t, company: c, client: client, url: server.URL}
}

func now() time.Time { return voices.Now }

func today() civil.Date { return civil.Of(voices.Now) }

// command returns what a command prints, standard output first.
func (s *served) command(line string) string {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	env := map[string]string{"TARMAC_BASE_URL": s.url, "TARMAC_TOKEN": "svc_org_voices"}
	cli.Run(s.t.Context(), command.Env{
		Stdout: &stdout, Stderr: &stderr, Getenv: func(name string) string { return env[name] }, Now: now,
	}, strings.Fields(line))
	return stdout.String() + stderr.String()
}

// lines returns what line mode prints after the typed lines.
func (s *served) lines(typed ...string) string {
	s.t.Helper()
	var out bytes.Buffer
	err := plain.Run(s.t.Context(), plain.Options{
		In: strings.NewReader(strings.Join(typed, "\n") + "\n"), Out: &out, Now: now, After: time.After,
		Timeout: time.Minute, Documents: s.t.TempDir(),
		Start: plain.Profile{Name: "work", Open: func(context.Context) (plain.Connection, error) {
			return plain.Connection{Client: s.client, Profile: "work"}, nil
		}},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return out.String()
}

// assistant returns an answer to an assistant as JSON, or the error.
func (s *served) assistant(ask func(context.Context) (any, error)) string {
	s.t.Helper()
	answer, err := ask(s.t.Context())
	if err != nil {
		return err.Error()
	}
	text, err := json.MarshalIndent(answer, "", " ")
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// asked returns the answers to an assistant by their names.
func (s *served) asked() map[string]string {
	return map[string]string{
		"cash":  s.assistant(func(ctx context.Context) (any, error) { return assistant.GetCash(ctx, s.client, voices.Now) }),
		"aging": s.assistant(func(ctx context.Context) (any, error) { return assistant.GetReceivables(ctx, s.client) }),
		"spend": s.assistant(func(ctx context.Context) (any, error) {
			return assistant.GetSpend(ctx, s.client, today(), assistant.SpendInput{})
		}),
		"bills": s.assistant(func(ctx context.Context) (any, error) {
			return assistant.GetBills(ctx, s.client, today(), assistant.BillsInput{})
		}),
		"forecast": s.assistant(func(ctx context.Context) (any, error) {
			return assistant.GetForecast(ctx, s.client, today(), assistant.ForecastInput{})
		}),
		"overview": s.assistant(func(ctx context.Context) (any, error) {
			return assistant.GetOverview(ctx, s.client, today())
		}),
		"transactions": s.assistant(func(ctx context.Context) (any, error) {
			return assistant.GetTransactions(ctx, s.client, today(), assistant.TransactionsInput{Period: "2026-10"})
		}),
	}
}

// dashboard is a dashboard without a terminal.
type dashboard struct {
	t       *testing.T
	model   *ui.Model
	answers chan tea.Msg
	ahead   atomic.Int64 // offset of its clock, which separates key presses
	mu      sync.Mutex
	copied  string
}

func (s *served) dashboard() *dashboard {
	s.t.Helper()
	d := &dashboard{t: s.t, answers: make(chan tea.Msg, 1000)}
	d.model = ui.New(s.t.Context(), ui.Options{
		Now:     func() time.Time { return voices.Now.Add(time.Duration(d.ahead.Load())) },
		Timeout: time.Minute, Drafts: state.Directory(s.t.TempDir()),
		Clipboard: ui.Clipboard{Program: "test", Copy: func(_ context.Context, text string) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.copied = text
			return nil
		}},
		Start: &ui.Profile{Name: "work", Open: func(context.Context) (ui.Connection, error) {
			return ui.Connection{Client: s.client, Profile: "work"}, nil
		}},
	})
	s.t.Cleanup(func() {
		if err := d.model.Close(); err != nil {
			s.t.Error(err)
		}
	})
	d.begin(d.model.Init())
	d.take(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.settle()
	return d
}

func (d *dashboard) begin(cmd tea.Cmd) {
	if cmd != nil {
		go func() { d.answers <- cmd() }()
	}
}

func (d *dashboard) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.begin(cmd)
		}
	default:
		_, cmd := d.model.Update(msg)
		d.begin(cmd)
	}
}

// pending matches what a page says while it waits for something.
var pending = regexp.MustCompile(`not been loaded|[Ll]oading|as far as read|Looking for|Waiting for transactions|` +
	`when all months|Connecting|[Rr]eading|read so far`)

func (d *dashboard) screen() string { return ansi.Strip(d.model.View().Content) }

// settle processes messages until the page does not wait for anything.
func (d *dashboard) settle() { d.until(func() bool { return !pending.MatchString(d.screen()) }) }

func (d *dashboard) until(done func() bool) {
	d.t.Helper()
	for deadline := time.After(time.Minute); !done(); {
		select {
		case msg := <-d.answers:
			d.take(msg)
		case <-deadline:
			d.t.Fatalf("the screen goes on waiting:\n%s", d.screen())
		}
	}
}

// press presses keys, which open a page, and returns its screens at 120x40 and at 40x12.
func (d *dashboard) press(keys string) (large, small string) {
	d.t.Helper()
	for _, key := range keys {
		d.ahead.Add(int64(time.Second))
		d.take(tea.KeyPressMsg{Code: key, Text: string(key)})
		d.settle()
	}
	large = d.screen()
	d.take(tea.WindowSizeMsg{Width: 40, Height: 12})
	d.settle()
	small = d.screen()
	d.take(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.settle()
	return large, small
}

// copy presses y and returns what is on the clipboard then.
func (d *dashboard) copy() string {
	d.t.Helper()
	d.copied = ""
	d.take(tea.KeyPressMsg{Code: 'y', Text: "y"})
	text := ""
	d.until(func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		text = d.copied
		return text != ""
	})
	return text
}
