package page_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/client/export"
	"tarmac/client/record"
	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
	"tarmac/views/parts/page"
	"tarmac/views/parts/saveas"
	"tarmac/views/parts/table"
)

// fixture is the page with its server.
type fixture struct {
	*endpoints
	t     *testing.T
	at    time.Time
	all   []apiclient.Webhook
	err   error
	asked int
	said  []tea.Msg
}

func env(t *testing.T) views.Env {
	now := func() time.Time { return sample.Now }
	return views.Env{
		Context: t.Context(), Now: now, Timeout: time.Minute, Theme: theme.New(true),
		Snapshot: snapshot.New(t.Context(), nil, snapshot.Options{Now: now, Timeout: time.Minute}),
		Places:   export.Directories{Documents: t.TempDir()},
	}
}

func open(t *testing.T, urls ...string) *fixture {
	d := &fixture{t: t, at: sample.Now}
	for _, url := range urls {
		d.all = append(d.all, apiclient.Webhook{ID: "wh_" + url[:1], URL: "https://" + url, Status: apiclient.WebhookActive})
	}
	e := env(t)
	e.Now = func() time.Time { return d.at }
	d.endpoints = newEndpoints(e, func(context.Context, string) ([]apiclient.Webhook, error) {
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

func TestAListShowsNewRecordsByItself(t *testing.T) {
	d := open(t, "a.example")
	d.all = append(d.all, apiclient.Webhook{ID: "wh_b", URL: "https://b.example"})
	d.run(d.Update(views.Refresh{}))
	d.shows("https://b.example", "row 1 of 2")
}

// The server may send as many records as before, with the same IDs.
func TestAListShowsChangedRecordsByItself(t *testing.T) {
	d := open(t, "a.example")
	d.press("/", "o", "l", "d", "enter")
	d.shows("No endpoints")
	d.all[0].URL = "https://old.example"
	d.run(d.Update(views.Refresh{}))
	d.shows("https://old.example", "row 1 of 1")
}

func TestTheCursorStaysOnItsRecord(t *testing.T) {
	d := open(t, "a.example", "b.example", "c.example")
	d.press("j", "j")
	d.all = d.all[1:]
	d.run(d.Update(views.Refresh{}))
	d.shows("row 2 of 2")
	d.press("y")
	if want := (views.Copy{What: "the endpoint's id", Text: "wh_c"}); d.said[0] != want {
		t.Errorf("the cursor is on %v", d.said[0])
	}
}

// A page may replace what the IDs of its items are derived from before it fills the list.
func TestTheCursorStaysOnItsRecordWhenIDsAreDerived(t *testing.T) {
	names, items := []string{"a", "b", "c"}, []int{0, 1, 2}
	p := page.New(env(t))
	l := page.NewList(p, page.Listing[int]{
		Items: func() []int { return items }, State: func() resource.State { return resource.State{Status: resource.Ready} },
		ID: func(i *int) string { return names[*i] },
	})
	p.Declare(page.Spec{
		Title: "Letters", Keys: func() views.Actions { return nil }, Lists: []page.Lister{l},
	})
	l.Table.SetCursor(1)
	p.SetSize(80, 20)

	names = []string{"b", "c", "a"}
	l.Fill()

	if got := l.Table.Cursor(); got != 0 {
		t.Errorf("b is in row 0, the cursor in row %d", got)
	}
}

func TestAFilterOfThePageAppliesWithoutACall(t *testing.T) {
	even := false
	items := []int{1, 2, 3, 4}
	p := page.New(env(t))
	l := page.NewList(p, page.Listing[int]{
		Items: func() []int { return items }, State: func() resource.State { return resource.State{Status: resource.Ready} },
		ID:      func(i *int) string { return strconv.Itoa(*i) },
		Matches: func(i *int) bool { return !even || *i%2 == 0 },
	})
	label := func() string {
		if even {
			return "even"
		}
		return ""
	}
	p.Declare(page.Spec{
		Title: "Numbers", Lists: []page.Lister{l}, Chips: []page.Chip{{Label: label, Off: func() { even = false }}},
		Keys: func() views.Actions { return views.Actions{{Key: "e", Do: views.Do(func() { even = true })}} },
	})
	p.Update(sample.Press("e"))
	if got := l.All(); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("filtered, the list has %v", got)
	}
}

func TestTheOpenRecordIsReportedWhenItIsGone(t *testing.T) {
	d := open(t, "a.example", "b.example")
	d.list.Lost = func(w *apiclient.Webhook) tea.Cmd { return views.Tell(w.ID + " is gone") }
	d.press("enter")
	d.all = d.all[1:]
	d.run(d.Update(views.Refresh{}))
	if len(d.said) != 1 || d.said[0] != (views.Notice{Text: "wh_a is gone"}) {
		t.Errorf("reported %v", d.said)
	}
}

// The row under the cursor is always drawn, so the other one counts.
func TestRowsThatShowTheTimeChangeWithIt(t *testing.T) {
	d := open(t, "a.example", "b.example")
	d.list.Cell = func(*apiclient.Webhook, record.Field) table.Cell {
		return table.Cell{Text: d.at.Format(time.TimeOnly)}
	}
	current := func(ticks bool, after time.Duration) bool {
		d.list.Ticks, d.at = ticks, d.at.Add(after)
		d.Update(views.Tick{Now: d.at})
		lines := strings.Split(sample.Text(d), "\n")
		return strings.Contains(lines[3], d.at.Format(time.TimeOnly))
	}
	if !current(true, time.Second) {
		t.Error("a list with Ticks shows an old time")
	}
	if current(false, time.Second) {
		t.Error("a list without Ticks is drawn again")
	}
	if !current(false, 24*time.Hour) {
		t.Error("a list without Ticks shows yesterday's rows")
	}
}

func TestEverySizeIsFilled(t *testing.T) { sample.CheckAllSizes(t, open(t, "a.example")) }
