package ui

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/client/resource"
	"tarmac/client/snapshot"
	"tarmac/internal/testsupport/contract"
	"tarmac/internal/testsupport/faults"
	"tarmac/internal/testsupport/long"
	"tarmac/views"
)

// faultCase is a screen and the operation that it depends on.
type faultCase struct {
	screen    string
	operation string // operation id in the contract
	requests  string
	listing   bool
	parts     []snapshot.Part // the parts that this operation provides
}

var faultCases = []faultCase{
	{"overview", "getAccount", "GET /account", false, []snapshot.Part{snapshot.Account}},
	{views.Runway, "getCashPosition", "GET /insights/cash-position", false, []snapshot.Part{snapshot.Cash}},
	{views.Receivables, "getReceivablesAging", "GET /receivables/aging", false, []snapshot.Part{snapshot.Aging}},
	{views.Transactions, "listTransactions", "GET /transactions", true, []snapshot.Part{snapshot.Months, snapshot.Latest}},
	{views.Invoices, "listInvoices", "GET /invoices", false, nil},
	{views.Events, "listEvents", "GET /events", true, []snapshot.Part{snapshot.Events}},
	{"webhooks", "listWebhooks", "GET /webhooks", false, nil},
	{views.Intent, "getPaymentIntent", "GET /payment-intents/*", false, nil},
}

// faultsOf returns every fault that an operation can have.
func faultsOf(c *contract.Contract, s faultCase) []faults.Fault {
	all := append(faults.Answers(), faults.Connections()...)
	for _, op := range c.Operations() {
		if op.ID != s.operation {
			continue
		}
		for _, status := range op.Statuses {
			if status >= 400 {
				all = append(all, faults.Refusal(status))
			}
		}
	}
	all = append(
		all,
		faults.Refusal(http.StatusInternalServerError),
		faults.Refusal(http.StatusServiceUnavailable),
		faults.Refusal(http.StatusGatewayTimeout),
	)
	if s.listing {
		all = append(all, faults.Cursors()...)
	}
	return all
}

// Every fault is reported on each screen, with no figure that the server did not send, and the
// screen recovers when it ends.
func TestEveryFaultIsShownAndPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("the random walk has these faults too")
	}
	c, referee := newCompany(t), contract.Load(t)
	for number, s := range faultCases {
		t.Run(s.screen, func(t *testing.T) {
			p := newFaultyServer(t, c)
			w := &watch{faultCase: s, faultyServer: p}
			var first func()
			w.dashboard, first = beginning(t, p)
			first()
			w.open(c)
			for i, fault := range faultsOf(referee, s) {
				// Each screen has a sixth of the faults by default, each fault one screen or two.
				if (i+number)%long.Size(6, 1) == 0 {
					w.suffer(fault, i%2 == 0)
				}
			}
			w.pressAll()
		})
	}
}

func beginning(t *testing.T, p *faultyServer) (*dashboard, func()) {
	d, cmd := newDashboard(t, p)
	return d, func() { d.drain(cmd) }
}

// watch is a dashboard whose server has a fault while a screen is open.
type watch struct {
	*dashboard
	*faultyServer
	faultCase
	good string
}

func (w *watch) open(c *company) {
	w.t.Helper()
	for _, page := range w.session.pages {
		if page.Name == w.screen {
			w.visitOf(c, page)
		}
	}
	w.pass(2 * time.Second)
	w.good = w.text()
	if said := troubles(w.good); len(said) > 0 {
		w.t.Fatalf("before any fault %s says %q:\n%s", w.screen, said, w.good)
	}
}

func (d *dashboard) visitOf(c *company, to page) {
	d.t.Helper()
	if to.Name == views.Intent {
		d.drain(views.Go(views.Intent, views.IntentTarget{ID: c.intent}))
		return
	}
	d.reach(to)
}

// A dashboard that starts during a fault shows no figures, and all of them after the fault.
func TestAFaultAtTheStart(t *testing.T) {
	if testing.Short() {
		t.Skip("the random walk has these faults too")
	}
	c := newCompany(t)
	all := append(faults.Answers(), faults.Connections()...)
	for _, status := range []int{400, 401, 403, 404, 429, 500, 503} {
		all = append(all, faults.Refusal(status))
	}
	said := map[string]map[string]bool{} // the figures that the server sends
	healthy := &watch{faultyServer: newFaultyServer(t, c)}
	var begin func()
	healthy.dashboard, begin = beginning(t, healthy.faultyServer)
	begin()
	healthy.visitAll(c, func(screen string) { said[screen] = figuresOf(healthy.text()) })
	for i, fault := range all {
		if i%long.Size(3, 1) != 0 {
			continue // TestEveryFaultIsShownAndPasses has it
		}
		t.Run(fault.Name, func(t *testing.T) {
			p := newFaultyServer(t, c)
			w := &watch{faultyServer: p}
			var first func()
			w.dashboard, first = beginning(t, p)
			bare := map[string]map[string]bool{} // the figures of each screen without data
			for i, page := range w.session.pages {
				w.session.active = i
				bare[page.Name] = figuresOf(w.text())
			}
			w.session.active = 0
			w.faults.Script(faults.Rule{Fault: fault})
			first()
			w.visitAll(c, func(screen string) {
				if len(troubles(w.text())) == 0 && !harmless(fault) {
					t.Errorf("%s says nothing:\n%s", screen, w.text())
				}
				for f := range figuresOf(w.text()) {
					if !bare[screen][f] && !(harmless(fault) && said[screen][f]) {
						t.Errorf("%s: nobody said %s:\n%s", screen, f, w.text())
					}
				}
				w.fits(screen)
			})
			w.faults.Clear()
			w.pass(61 * time.Second)
			w.pass(time.Second)
			w.visitAll(c, func(screen string) {
				w.pass(time.Second) // a page fetches what became due while it was hidden
				if trouble := troubles(w.text()); len(trouble) > 0 {
					t.Errorf("after it has passed %s says %q:\n%s", screen, trouble, w.text())
				}
			})
		})
	}
}

func (w *watch) visitAll(c *company, look func(screen string)) {
	w.t.Helper()
	for _, page := range w.session.pages {
		if page.Name != views.Propose { // it shows the state of its draft
			w.visitOf(c, page)
			look(page.Name)
		}
	}
}

// troubles returns the words of a frame that report a problem.
func troubles(text string) (said []string) {
	for _, word := range [...]string{"◌ ", "✕ ", "stale", "Could not load", "Not allowed", "refused", "Loading",
		"No payment intent"} {
		if strings.Contains(text, word) {
			said = append(said, word)
		}
	}
	return said
}

func (w *watch) suffer(fault faults.Fault, byItself bool) {
	w.t.Helper()
	what := fmt.Sprintf("%s under %q", w.screen, fault.Name)
	before := w.Counts(fault)
	w.clock.pass(2 * time.Second)
	w.faults.Script(faults.Rule{Requests: w.requests, Fault: fault})
	w.press("r")
	if w.Counts(fault) == before {
		w.t.Errorf("%s: nothing was asked for", what)
	}
	w.check(what, fault)
	w.fits(what)
	w.faults.Clear()
	switch {
	case byItself:
		w.pass(61 * time.Second)
		w.pass(time.Second)
	default:
		w.clock.pass(4 * time.Second)
		w.press("r")
	}
	if said := troubles(w.text()); len(said) > 0 {
		w.t.Fatalf("%s: after it has passed the screen says %q:\n%s", what, said, w.text())
	}
	shown := figuresOf(w.text())
	for f := range figuresOf(w.good) {
		if !shown[f] {
			w.t.Errorf("%s: %s did not come back:\n%s\nfor\n%s", what, f, w.text(), w.good)
		}
	}
}

// pass advances the clock and ticks.
func (w *watch) pass(d time.Duration) {
	w.t.Helper()
	w.clock.pass(d)
	w.drain(w.tick(views.Tick{Now: w.clock.Now()}))
}

// Counts returns how often a fault was applied.
func (w *watch) Counts(fault faults.Fault) int { return w.faults.Counts().Applied[fault.Name] }

// check checks the screen during the fault.
func (w *watch) check(what string, fault faults.Fault) {
	w.t.Helper()
	text, told := w.text(), troubles(w.text())
	refused := fault.Name == "403" || fault.Name == "a page with 403"
	switch {
	case refused && !slices.Contains(told, "Not allowed"):
		w.t.Errorf("%s: it does not say that it is not allowed:\n%s", what, text)
	case len(told) == 0 && !harmless(fault):
		w.t.Errorf("%s: it says nothing:\n%s", what, text)
	}
	known := figuresOf(w.good)
	for f := range figuresOf(text) {
		if !known[f] {
			w.t.Errorf("%s: nobody said %s:\n%s\nbefore:\n%s", what, f, text, w.good)
		}
	}
	w.others(what, fault)
}

// harmless reports whether the contract still allows the altered answer, so that it may pass as a
// good one.
func harmless(f faults.Fault) bool {
	return f.Name == "an empty object" || f.Name == "nothing but nulls" || f.Name == "every other field missing" ||
		f.Name == "a first page for ever" || f.Name == "a next page that is this one"
}

// others checks that the fault does not affect other parts.
func (w *watch) others(what string, fault faults.Fault) {
	w.t.Helper()
	if fault.Name == "401" {
		// The success of another part ends the outage, so every part is fetched, including the
		// refused one.
		for range 3 {
			w.pass(time.Second)
		}
	}
	if _, out := w.session.data.Outage(); out || strings.HasPrefix(fault.Name, "429") { // these affect every part
		return
	}
	for _, part := range snapshot.Parts {
		if state := w.session.data.State(part); !slices.Contains(w.parts, part) && state.Status != resource.Ready {
			w.t.Errorf("%s: part %d has status %d", what, part, state.Status)
		}
	}
}

// pressAll presses every key that the screen offers while all requests fail.
func (w *watch) pressAll() {
	w.t.Helper()
	w.faults.Script(faults.Rule{Fault: faults.Refusal(http.StatusInternalServerError)})
	w.press("r")
	for _, group := range w.front().Help() {
		for _, binding := range group.Bindings {
			for _, k := range binding.Keys() {
				w.press(k)
				w.fits(w.screen + " after " + k)
				w.press("esc", "esc", "esc")
			}
		}
	}
}
