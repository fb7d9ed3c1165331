package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/long"
	"tarmac/views"
)

// concurrentDashboard is a dashboard whose commands run concurrently, as in the program.
type concurrentDashboard struct {
	*dashboard
	*faultyServer
	answers chan tea.Msg
}

func newConcurrent(t *testing.T, p *faultyServer) *concurrentDashboard {
	l := &concurrentDashboard{faultyServer: p, answers: make(chan tea.Msg, 1000)}
	var first tea.Cmd
	l.dashboard, first = newDashboard(t, p)
	l.begin(first)
	return l
}

func (l *concurrentDashboard) begin(cmd tea.Cmd) {
	if cmd != nil {
		go func() { l.answers <- cmd() }()
	}
}

func (l *concurrentDashboard) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			l.begin(cmd)
		}
	default:
		_, cmd := l.Update(msg)
		l.begin(cmd)
	}
}

// until handles answers until the screen shows one of the texts, and returns that text.
func (l *concurrentDashboard) until(texts ...string) string {
	l.t.Helper()
	patience := time.After(time.Minute)
	for {
		for _, text := range texts {
			if strings.Contains(l.flat(), text) {
				return text
			}
		}
		select {
		case msg := <-l.answers:
			l.take(msg)
		case <-patience:
			l.t.Fatalf("none of %q came:\n%s", texts, l.text())
		}
	}
}

// flat returns the screen as one line, with wrapped text joined. It omits the key for details,
// because "!" marks the outcome of a change.
func (l *concurrentDashboard) flat() string {
	words := strings.FieldsFunc(l.text(), func(r rune) bool { return strings.ContainsRune(" \n│╭╮╰╯─", r) })
	return strings.ReplaceAll(strings.Join(words, " "), "! details", "details")
}

// press presses keys, a second apart.
func (l *concurrentDashboard) press(keys ...string) {
	for _, k := range keys {
		l.clock.pass(time.Second)
		_, cmd := l.Update(keyPress(k))
		l.begin(cmd)
	}
}

func (l *concurrentDashboard) write(text string) {
	_, cmd := l.Update(tea.PasteMsg{Content: text})
	l.begin(cmd)
}

func (p *faultyServer) asked(request string) int { return p.faults.Counts().Requests[request] }

// onWrites returns the faults of a write, where possible also applied after the server has carried
// the write out. It leaves out a false refusal after success, which a client cannot detect.
func onWrites(statuses ...int) []faults.Fault {
	all := append(faults.Answers(), faults.Connections()...)
	for _, status := range append(statuses, 500, 502, 503, 504) {
		all = append(all, faults.Refusal(status))
	}
	for _, f := range slices.Clone(all) {
		if !f.ReachesService() && !strings.ContainsAny(f.Name[:1], "34") && f.Name != "a page with 403" {
			all = append(all, f.WithLostResponse())
		}
	}
	return all
}

const (
	inDoubt   = "Unknown whether the draft was created"
	notMade   = "Not proposed"
	badField  = "no draft was created"
	isMade    = "✓ Draft "
	oneFound  = "One of the newest drafts has the same recipient"
	noneFound = "matches the recipient, total and time sent"
)

// With -short, one in shortPart faults is tested.
const shortPart = 5

// Under every fault a proposal is sent once per confirmation, the typed text stays, and the
// reported outcome is true.
func TestAProposalUnderEveryFault(t *testing.T) {
	c := newCompany(t)
	for i, fault := range onWrites(400, 401, 403, 409, 413, 415, 422, 429) {
		if testing.Short() && i%shortPart != 0 {
			continue
		}
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			name := fmt.Sprintf("Recipient No %d", i)
			l := newConcurrent(t, newFaultyServer(t, c))
			l.until("● live")
			l.begin(views.Go(views.Propose, nil))
			l.until("Recipient")
			for _, text := range []string{name, "pay@example.com", "Consulting", "", "", "Workshop", "1.5", "1,200.50"} {
				l.write(text)
				l.press("tab")
			}
			l.press("ctrl+s")
			l.until("This creates a draft")
			l.faults.Script(faults.Rule{Requests: "POST /invoices", Fault: fault})
			l.press("enter", "enter")
			told := l.until(inDoubt, notMade, badField, isMade)
			l.faults.Clear()
			if n := l.asked("POST /invoices"); n != 1 {
				t.Errorf("sent %d times for one confirmation", n)
			}
			made := drafts(t, c.witness, name)
			switch {
			case fault.ReachesService() != (made == 1):
				t.Fatalf("the service made %d", made)
			case made == 1 && (told == notMade || told == badField):
				t.Errorf("it was made, and the page says that it was not:\n%s", l.text())
			case made == 0 && told == isMade:
				t.Errorf("it was not made, and the page says that it was:\n%s", l.text())
			case !strings.Contains(l.text(), name):
				t.Errorf("what was typed is gone:\n%s", l.text())
			}
			l.fits(fault.Name)
			if told == inDoubt {
				l.resolve(made, i%2 == 0)
				if n := drafts(t, c.witness, name); n != 1 {
					t.Errorf("in the end there are %d invoices", n)
				}
			}
		})
	}
}

// resolve ends an unknown outcome as a person would: by choosing the existing draft or sending
// again.
func (l *concurrentDashboard) resolve(made int, again bool) {
	l.t.Helper()
	found := l.until(oneFound, noneFound)
	if (found == oneFound) != (made == 1) {
		l.t.Errorf("%d drafts are there, and the page says:\n%s", made, l.text())
	}
	key := "enter"
	if again || made == 0 {
		key = "s"
	}
	before := l.asked("POST /invoices")
	l.press(key, key)
	l.until(isMade)
	sent := l.asked("POST /invoices") - before
	if want := map[string]int{"enter": 0, "s": 1}[key]; sent != want {
		l.t.Errorf("%s sent %d more, want %d", key, sent, want)
	}
}

func drafts(t *testing.T, client *apiclient.Client, recipient string) (n int) {
	t.Helper()
	all, err := client.Invoices(t.Context(), apiclient.InvoiceFilter{Status: apiclient.InvoiceDraft, Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	for _, invoice := range all {
		if invoice.RecipientName == recipient {
			n++
		}
	}
	return n
}

// change is a change to the endpoints: the keys that start it, the request, and the text that
// reports success.
type change struct {
	request string
	done    string
	press   func(l *concurrentDashboard, id string)
	is      func(before, after []apiclient.Webhook) bool // whether the server carried it out
}

var changes = map[string]change{
	"pause": {"PATCH /webhooks/{id}", "was paused", func(l *concurrentDashboard, _ string) { l.press("a") },
		func(_, after []apiclient.Webhook) bool { return after[0].Status == apiclient.WebhookPaused }},
	"rotate": {"POST /webhooks/{id}/rotate-secret", "whsec_", func(l *concurrentDashboard, id string) {
		l.press("s")
		l.write(id[len(id)-6:])
		l.press("enter")
	}, func(_, after []apiclient.Webhook) bool { return after[0].PreviousSecretExpiresAt != nil }},
	"delete": {"DELETE /webhooks/{id}", "was deleted", func(l *concurrentDashboard, id string) {
		l.press("D")
		l.write(id[len(id)-6:])
		l.press("enter")
	}, func(_, after []apiclient.Webhook) bool { return len(after) == 0 }},
	"create": {"POST /webhooks", "whsec_", func(l *concurrentDashboard, _ string) {
		l.press("n")
		l.write("https://hooks.example.com/second")
		l.press("tab", "a", "ctrl+s")
	}, func(before, after []apiclient.Webhook) bool { return len(after) > len(before) }},
}

// Under every fault a change to the endpoints is sent once, and the page never reports a wrong
// outcome.
func TestAChangeOfTheEndpointsUnderEveryFault(t *testing.T) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCompany(t)
			for i, fault := range onWrites(400, 401, 403, 404, 409, 429) {
				if testing.Short() && i%shortPart != 0 || (i+len(name))%long.Size(2, 1) != 0 {
					continue // another change has it
				}
				if name == "delete" && fault.Name == "no content" {
					continue // a good answer looks like this
				}
				t.Run(fault.Name, func(t *testing.T) { change.suffer(t, c, fault) })
			}
		})
	}
}

func (ch change) suffer(t *testing.T, c *company, fault faults.Fault) {
	l := newConcurrent(t, newFaultyServer(t, c))
	before := c.endpoints(t)
	l.until("● live")
	l.press("7")
	l.until("hooks.example.com/finance")
	sent := l.asked(ch.request)
	l.faults.Script(faults.Rule{Requests: strings.ReplaceAll(ch.request, "{id}", "*"), Fault: fault})
	ch.press(l, before[0].ID)
	told := l.until("Unknown whether", "! ", ch.done)
	l.faults.Clear()
	if n := l.asked(ch.request) - sent; n != 1 {
		t.Errorf("sent %d times", n)
	}
	carried := ch.is(before, c.endpoints(t))
	switch {
	case carried != fault.ReachesService():
		t.Errorf("carried out: %t", carried)
	case carried && told == "! ":
		t.Errorf("it was carried out, and the page says that it was not:\n%s", l.text())
	case !carried && told == ch.done:
		t.Errorf("it was not carried out, and the page says that it was:\n%s", l.text())
	}
	l.fits(fault.Name)
	c.restore(t)
}

func (c *company) endpoints(t *testing.T) []apiclient.Webhook {
	t.Helper()
	all, err := c.witness.Webhooks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// restore leaves one active endpoint with its first secret.
func (c *company) restore(t *testing.T) {
	t.Helper()
	for _, w := range c.endpoints(t) {
		if err := c.witness.DeleteWebhook(t.Context(), w.ID); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.witness.CreateWebhook(t.Context(), "https://hooks.example.com/finance",
		[]apiclient.EventType{apiclient.EventInvoicePaid}); err != nil {
		t.Fatal(err)
	}
}
