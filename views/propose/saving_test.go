package propose

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/snapshot"
	"tarmac/client/state"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func viewsTick(at time.Time) views.Tick { return views.Tick{Now: at} }

func TestWhatWasTypedIsThereAfterARestart(t *testing.T) {
	d := open(t)
	d.fill()
	d.press("enter")
	d.write("half a li")
	d.pause()
	d.at = d.at.Add(3 * time.Hour)
	d.start(nil)
	d.says("Draft from 3h ago restored.", "Łukasz & Söhne", "Workshop", "1,200.50", "$1,800.75", "2026-12-20",
		"half a li")
	if !d.State().Typing || d.form.at != atLines+cells+1 {
		t.Errorf("typing %t at %d: the quantity is what is missing", d.State().Typing, d.form.at)
	}
	d.silent("must be")
	d.write("3")
	d.press("tab")
	d.write("10")
	d.pause()
	d.start(nil)
	if d.State().Typing || d.form.at != d.form.reviewButton() {
		t.Errorf("typing %t at %d: nothing is missing before the review", d.State().Typing, d.form.at)
	}
	d.press("enter")
	d.says("Review")
}

func TestWhatWasTypedLastIsSavedWhenTheProgramEnds(t *testing.T) {
	d := open(t)
	d.write("Contoso")
	if _, err := d.saved(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("saved before typing paused: %v", err)
	}
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	if kept, err := d.saved(); err != nil || kept.RecipientName != "Contoso" {
		t.Errorf("%+v, %v", kept, err)
	}
	if err := d.Flush(); err != nil {
		t.Errorf("with nothing to save: %v", err)
	}
}

// Flush repeats a save that is still running when the program ends.
func TestWhatIsBeingSavedIsSavedWhenTheProgramEnds(t *testing.T) {
	d := open(t)
	d.write("Contoso")
	if cmd := d.Update(sample.Press("tab")); cmd == nil {
		t.Fatal("the end of a field saves nothing")
	}
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	if kept, err := d.saved(); err != nil || kept.RecipientName != "Contoso" {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestAnInvoiceThatIsThereIsNotLookedForAgain(t *testing.T) {
	d := openReview(t)
	d.hold = true
	d.press("enter", "enter")
	answer := d.pending[0]()
	if kept, err := d.saved(); err != nil || kept.SentAt.IsZero() {
		t.Fatalf("before the answer: %+v, %v", kept, err)
	}
	d.Update(answer) // and the program ends before it deletes the draft
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	if kept, err := d.saved(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("still kept: %+v, %v", kept, err)
	}
}

func TestTypingIsSavedShortlyAfter(t *testing.T) {
	d := open(t)
	d.write("Cont")
	d.pause()
	if kept, err := d.saved(); err != nil || kept.RecipientName != "Cont" {
		t.Errorf("%+v, %v", kept, err)
	}
	d.write("oso")
	if len(d.due) != 1 {
		t.Errorf("%d moments to save at", len(d.due))
	}
}

func TestNothingTypedLeavesNoDraft(t *testing.T) {
	d := open(t)
	d.write("x")
	d.press("tab", "shift+tab", "backspace", "tab")
	if kept, err := d.saved(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty draft is kept: %+v, %v", kept, err)
	}
}

func TestAProgramThatEndedWhileItSentLooksFirst(t *testing.T) {
	d := openReview(t)
	d.hold = true
	d.press("enter", "enter")
	// The server handles the request, but its response is lost.
	d.pending[0]()
	d.pending, d.hold = nil, false
	key := d.saving.Draft.Key
	d.server.drafts = []apiclient.Invoice{created("INV-000131", typedProposal(), sample.Now)}
	d.start(nil)
	if d.step != uncertain || len(d.server.proposed) != 1 || d.saving.Draft.Key != key {
		t.Fatalf("step %d, sent %d times, key %q after %q", d.step, len(d.server.proposed), d.saving.Draft.Key, key)
	}
	d.says("the program ended before the answer", "likely INV-000131", "$1,800.75 to Łukasz & Söhne")
	d.press("s", "s")
	if len(d.server.proposed) != 2 || !sameProposal(d.server.proposed[1], typedProposal()) {
		t.Errorf("sent again: %+v", d.server.proposed)
	}
}

// The review turns a relative due date into a day, so that sending again on another day sends the
// same proposal.
func TestADueDateDoesNotMoveWithTheDays(t *testing.T) {
	dir := t.TempDir()
	kept := draft.Draft{
		Key:            "k",
		RecipientName:  "Contoso",
		RecipientEmail: "a@contoso.example",
		Description:    "x",
		DueDate:        "net 30",
		Lines:          []draft.Line{{Description: "x", Quantity: "1", UnitPrice: "1"}},
	}
	if err := draft.NewStore(state.Directory(dir)).Save("org_1", 1, kept); err != nil {
		t.Fatal(err)
	}
	d := openIn(t, dir, nil)
	d.server.answer = unknown
	d.press("ctrl+s", "enter", "enter")
	d.at = d.at.Add(20 * time.Hour)
	d.start(nil)
	d.press("s", "s")
	if len(d.server.proposed) != 2 || d.server.proposed[0].DueDate != civilDate("2026-12-20") ||
		d.server.proposed[1].DueDate != d.server.proposed[0].DueDate {
		t.Errorf("sent %+v", d.server.proposed)
	}
}

func TestWhatWasFoundForOneIsNotShownForAnother(t *testing.T) {
	d := openUncertain(t, created("INV-000139", typedProposal(), sample.Now))
	d.press("D", "y")
	d.fill()
	d.server.searchErr = errors.New("broken pipe")
	d.press("ctrl+s", "enter", "enter")
	d.silent("INV-000139")
	d.press("enter", "enter")
	if d.step != uncertain {
		t.Errorf("step %d", d.step)
	}
}

func sameProposal(a, b apiclient.InvoiceProposal) bool {
	return a.RecipientName == b.RecipientName && a.DueDate == b.DueDate && len(a.LineItems) == len(b.LineItems) &&
		a.LineItems[0] == b.LineItems[0]
}

func TestADamagedDraftIsSetAsideAndSaidSo(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "proposal-org_1.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := openIn(t, dir, nil)
	d.says("the file is damaged; it was moved to")
	d.write("Contoso")
	d.press("tab")
	if kept, err := d.saved(); err != nil || kept.RecipientName != "Contoso" {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestADraftThatCannotBeKeptIsSaidAndTriedAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d := openIn(t, file, nil)
	d.press("esc")
	d.saving.failure = nil
	d.form.name.Focus()
	d.write("Contoso")
	d.press("tab")
	d.says("Draft not saved")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	d.due, d.saving.waiting = nil, false
	d.run(d.Update(viewsTick(d.at)))
	d.silent("Draft not saved")
	if kept, err := d.saved(); err != nil || kept.RecipientName != "Contoso" {
		t.Errorf("%+v, %v", kept, err)
	}
}

func TestDiscardingAsks(t *testing.T) {
	d := open(t)
	d.fill()
	d.press("esc", "esc", "D")
	d.says("Discard this draft?")
	d.press("n")
	if d.form.empty() {
		t.Fatal("n discards")
	}
	d.press("D", "y")
	if !d.form.empty() || d.step != filling {
		t.Errorf("after y:\n%s", d.text())
	}
	if kept, err := d.saved(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("still kept: %+v, %v", kept, err)
	}
}

// A key stands for one proposal: sending it again keeps the key, changing or finishing it takes a
// new one.
func TestTheKeyIsOfOneProposal(t *testing.T) {
	var keys []string
	status := http.StatusConflict
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(`{"error":"the organization has no active owner to attribute the invoice to"}`))
	}))
	t.Cleanup(srv.Close)
	client, err := apiclient.New(srv.URL, apiclient.Token("svc_org_0123456789"))
	if err != nil {
		t.Fatal(err)
	}
	d := open(t)
	d.source = client
	d.fill()
	d.press("ctrl+s", "enter", "enter", "enter", "enter")
	d.press("c", "g", "enter")
	d.write("!")
	d.press("ctrl+s", "enter", "enter")
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] == keys[2] {
		t.Errorf("keys %q", keys)
	}
}

func TestWhoMayNotProposeIsToldSo(t *testing.T) {
	d := openIn(t, t.TempDir(), func(o *views.Env) { o.ReadOnly = true })
	d.says("This session is read-only")
	d.press("enter", "ctrl+s", "D")
	if d.State().Typing || len(d.server.proposed) != 0 {
		t.Error("a read-only session types")
	}

	d = open(t)
	ping, _ := d.data.Ping.Value()
	ping.Scopes = []string{"account:read"}
	d.arrange()
	d.says("Not allowed.", "The token lacks the scope invoices:propose.")
	if d.State().Typing {
		t.Error("without the scope it types")
	}
	ping.Scopes = []string{"invoices:propose"}
	if d.arrange(); !d.State().Typing {
		t.Error("with the scope it does not type")
	}
}

func TestItWaitsForWhoseDraftItIs(t *testing.T) {
	d := &fixture{t: t, server: &server{}, at: sample.Now, dir: t.TempDir(), org: sample.New()}
	if err := draft.NewStore(state.Directory(d.dir)).Save("org_1", 1,
		draft.Draft{Key: "k", RecipientName: "Contoso", SavedAt: d.at}); err != nil {
		t.Fatal(err)
	}
	d.data = d.org.Unfetched(t)
	d.start(nil)
	d.says("Loading")
	d.org.Break(errors.New("broken pipe"))
	d.org.Load(d.data)
	d.says("Could not load: broken pipe")
	d.org.Fail = map[snapshot.Part]error{}
	for _, answer := range d.org.Load(d.data) {
		d.run(d.Update(answer))
	}
	d.says("Contoso", "Draft from 0s ago restored.")
}

// Two programs on one machine never show, send or delete each other's drafts.
func TestADraftThatAnotherProgramWritesIsLeftToIt(t *testing.T) {
	first := open(t)
	first.fill()
	first.server.answer = unknown
	first.press("ctrl+s", "enter", "enter")
	second := openIn(t, first.dir, nil)
	second.says("Another tarmac has a draft open")
	if second.step != filling || !second.form.empty() {
		t.Fatalf("it has the other's draft:\n%s", second.text())
	}
	second.write("Contoso")
	second.press("tab")
	second.press("esc", "D", "y")
	if kept, err := first.saved(); err != nil || kept.SentAt.IsZero() || kept.RecipientName != "Łukasz & Söhne" {
		t.Errorf("the first one's draft is %+v, %v", kept, err)
	}
}

// The page calls a draft saved only while its file exists.
func TestADraftIsCalledKeptWhileItsFileIsThere(t *testing.T) {
	d := open(t)
	agree := func(step string) {
		t.Helper()
		_, err := d.saved()
		if there, said := err == nil, strings.Contains(d.text(), "draft saved"); there != said {
			t.Errorf("%s: the file is there: %t, the page says so: %t", step, there, said)
		}
	}
	agree("before anything is typed")
	d.write("Contoso")
	agree("before typing pauses")
	d.pause()
	agree("after a pause")
	for range "Contoso" {
		d.press("backspace")
	}
	d.pause()
	agree("when all is erased")
	d.write("Contoso")
	d.pause()
	d.start(nil)
	agree("after a restart")
	d.press("esc", "D", "y")
	agree("when it is discarded")
}

// The form has the focus every time it is opened.
func TestTheFormOpensTheSameWayEveryTime(t *testing.T) {
	d := open(t)
	show := func() { d.run(d.Show(views.ProposeTarget{})) }
	show()
	if !d.State().Typing {
		t.Fatal("the first time nothing can be typed")
	}
	d.write("Con")
	d.press("esc")
	show()
	d.write("toso")
	d.says("Contoso")

	d = open(t)
	d.fill()
	d.press("ctrl+s", "enter", "enter")
	if d.step != finished {
		t.Fatalf("it is not made:\n%s", d.text())
	}
	show()
	d.says("Propose an invoice")
	if !d.State().Typing || strings.Contains(d.text(), "Contoso") {
		t.Errorf("after a proposal the form is not a new one:\n%s", d.text())
	}
}
