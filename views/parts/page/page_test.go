package page_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/record"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// hooks is the smallest whole page: a list with a filter, details, an export and a copy key.
type hooks struct {
	*page.Page
	data page.Data[[]apiclient.Webhook]
	list *page.List[apiclient.Webhook]
}

func newHooks(env views.Env, read func(context.Context, string) ([]apiclient.Webhook, error)) *hooks {
	s := &hooks{Page: page.New(env)}
	s.data = page.Records("endpoint", read)
	s.data.MaxAge = func() time.Duration { return time.Minute }
	s.data.Took = func() tea.Cmd { s.list.Fill(); return nil }
	s.list = page.NewList(s.Page, page.Listing[apiclient.Webhook]{
		Title: "Endpoints", Noun: "Endpoint", Hint: "URL or id",
		Data:   func() *page.Data[[]apiclient.Webhook] { return &s.data },
		ID:     func(w *apiclient.Webhook) string { return w.ID },
		Record: record.Webhook, Searched: []string{"url", "id"},
		Columns: []table.Column{{Field: "url", Min: 20, Flex: 1}, {Field: "status", Min: 8}},
		Cell:    func(_ *apiclient.Webhook, f record.Field) table.Cell { return table.Cell{Text: f.TextOrDash()} },
		Detail: func(w *apiclient.Webhook) []table.Field {
			return table.Fields(record.Webhook(*w), table.Ink{}, func(record.Field) table.Ink { return table.Ink{} })
		},
		Empty: func() string { return "No endpoints." },
	})
	keys := views.Actions{
		s.list.BackKey(), s.list.OpenKey(), s.list.FilterKey(s.list.One), s.RemoveKey(nil),
		s.list.ExportKey(func() saveas.Table { return saveas.List(s.list.All(), record.Webhook, "endpoint") },
			"tarmac webhooks list", func() []string { return []string{"endpoints", s.list.Text} }),
		s.list.CopyKey("y", "copy id", "the endpoint's id", func(w *apiclient.Webhook) string { return w.ID }),
	}
	s.Declare(page.Spec{
		Title: "Endpoints", Keys: func() views.Actions { return keys }, Data: []page.Source{&s.data},
		Lists: []page.Lister{s.list}, Chips: []page.Chip{s.list.Chip()},
		Head: func() []page.Line { return s.list.Head(nil, s.list.Position(), s.Theme.Caution, s.list.Stale()) },
	})
	return s
}

// fixture is the page with its server.
type fixture struct {
	*hooks
	t     *testing.T
	at    time.Time
	all   []apiclient.Webhook
	err   error
	asked int
	said  []tea.Msg
}

func open(t *testing.T, urls ...string) *fixture {
	d := &fixture{t: t, at: sample.Now}
	for _, url := range urls {
		d.all = append(d.all, apiclient.Webhook{ID: "wh_" + url[:1], URL: "https://" + url, Status: apiclient.WebhookActive})
	}
	now := func() time.Time { return d.at }
	env := views.Env{
		Context: t.Context(), Now: now, Timeout: time.Minute, Theme: theme.New(true),
		Snapshot: snapshot.New(t.Context(), nil, snapshot.Options{Now: now, Timeout: time.Minute}),
		Places:   export.Directories{Documents: t.TempDir()},
	}
	d.hooks = newHooks(env, func(context.Context, string) ([]apiclient.Webhook, error) {
		d.asked++
		return d.all, d.err
	})
	d.SetSize(80, 20)
	d.run(d.Init())
	return d
}

func (d *fixture) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case page.Answer, saveas.Written:
		d.run(d.Update(msg))
	case tea.BatchMsg:
		for _, c := range msg {
			d.run(c)
		}
	default:
		d.said = append(d.said, msg)
	}
}

func (d *fixture) press(keys ...string) {
	for _, k := range keys {
		d.run(d.Update(sample.Press(k)))
	}
}

func (d *fixture) shows(want ...string) { d.t.Helper(); sample.CheckText(d.t, d, want...) }

func TestAPageIsFetchedAgainAtItsAgeAndAfterAFailure(t *testing.T) {
	d := open(t, "a.example", "b.example")
	d.shows("a.example", "row 1 of 2", "no filter")
	d.at = d.at.Add(time.Minute)
	d.err = errors.New("broken pipe")
	d.run(d.Update(views.Tick{Now: d.at}))
	d.shows("a.example", "stale, 1m old: broken pipe", "retry in 2s")
	d.err, d.all = nil, d.all[:1]
	d.at = d.at.Add(2 * time.Second)
	d.run(d.Update(views.Tick{Now: d.at}))
	d.shows("row 1 of 1")
	d.Update(views.Visible(false))
	d.at = d.at.Add(time.Hour)
	if d.run(d.Update(views.Tick{Now: d.at})); d.asked != 3 {
		t.Errorf("a hidden page asked %d times", d.asked)
	}
}

func TestOnlyTheLastAnswerCounts(t *testing.T) {
	d := open(t, "a.example")
	early := d.data.Fetch()
	late := early()
	d.all = nil
	d.run(d.data.Fetch())
	d.Update(late)
	d.shows("No endpoints.")
}

func TestWhatIsOpenedIsClosedInItsOrder(t *testing.T) {
	d := open(t, "a.example", "b.example")
	d.press("/", "b", "enter", "enter", "y")
	d.shows(`["b"]`, "Endpoint", "wh_b")
	if d.said[0] != (views.Copy{What: "the endpoint's id", Text: "wh_b"}) {
		t.Errorf("told %v", d.said)
	}
	if !d.Back() || !strings.Contains(sample.Text(d), `["b"]`) || !d.Back() || d.Filtered() || d.Back() {
		t.Error("esc does not close the details, then the filter, then nothing")
	}
	d.shows("row 2 of 2")
}

func TestAClickSelectsAndThenOpens(t *testing.T) {
	d := open(t, "a.example", "b.example")
	d.Click(3, 3)
	d.shows("row 2 of 2")
	d.Click(3, 3)
	d.shows("wh_b")
}

func TestEverySizeIsFilled(t *testing.T) { sample.CheckAllSizes(t, open(t, "a.example")) }
