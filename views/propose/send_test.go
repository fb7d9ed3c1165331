package propose

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"tarmac/apiclient"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

func civilDate(s string) civil.Date { return civil.MustParse(s) }

func TestTwoEntersSendOnceExactlyWhatTheReviewShows(t *testing.T) {
	d := openReview(t)
	d.says(
		"Łukasz & Söhne",
		"pay@lukasz.example",
		"Consulting in November",
		"2026-12-20",
		"call before sending",
		"1.5 × $1,200.50 = $1,800.75",
		"Total $1,800.75",
	)
	d.press("enter")
	d.says("Press enter again to create the draft")
	if len(d.server.proposed) != 0 {
		t.Fatal("the first enter sends")
	}
	d.press("enter")
	if len(d.server.proposed) != 1 || !reflect.DeepEqual(d.server.proposed[0], typedProposal()) {
		t.Fatalf("sent: %+v", d.server.proposed)
	}
	d.says("INV-000131", "Nothing was sent to Łukasz & Söhne", "$1,800.75")
	if _, err := d.saved(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the draft is still kept: %v", err)
	}
	d.said = nil
	d.press("enter")
	want := views.Visit{Screen: views.Invoices, Target: views.InvoiceTarget{ID: "inv_INV-000131"}}
	if len(d.said) != 1 || d.said[0] != want {
		t.Errorf("enter asks for %+v", d.said)
	}
	d.press("y")
	if want := (views.Copy{What: "the invoice's number", Text: "INV-000131"}); d.said[1] != want {
		t.Errorf("y asks for %+v", d.said[1])
	}
	d.press("n")
	if !d.State().Typing || !d.form.empty() {
		t.Errorf("after n:\n%s", d.text())
	}
}

func TestNothingIsSentWhileTheRequestIsOnTheWire(t *testing.T) {
	d := openReview(t)
	d.hold = true
	d.press("enter", "enter")
	if d.step != sending || len(d.pending) != 1 {
		t.Fatalf("step %d with %d requests", d.step, len(d.pending))
	}
	for _, k := range []string{"enter", "enter", "esc", "c", "s", "D", "y", "n", "ctrl+s", "enter", "enter"} {
		d.press(k)
		d.Back()
	}
	d.run(d.Update(views.Refresh{}))
	if d.step != sending || len(d.pending) != 1 {
		t.Fatalf("step %d with %d requests after all keys", d.step, len(d.pending))
	}
	d.respond()
	if d.step != finished || len(d.server.proposed) != 1 {
		t.Errorf("step %d, sent %d times", d.step, len(d.server.proposed))
	}
}

// A held enter key sends nothing, whatever its repeat rate and wherever it was pressed.
func TestEnterHeldDownSendsNothing(t *testing.T) {
	for _, delay := range []time.Duration{200, 300, 500, 660, 1000} {
		for _, repeat := range []time.Duration{20, 33, 100, 140, 180, 250, 310, 450, 500} {
			onButton := open(t)
			onButton.fill()
			onButton.press("tab")
			if onButton.form.at != onButton.form.reviewButton() {
				t.Fatalf("the cursor is at %d", onButton.form.at)
			}
			for from, d := range map[string]*fixture{"the button": onButton, "the review": openReview(t)} {
				holdDown(d, delay*time.Millisecond, repeat*time.Millisecond)
				if len(d.server.proposed) != 0 {
					t.Errorf("held down on %s, repeated after %d ms, then every %d: sent", from, delay, repeat)
				}
			}
		}
	}
}

// holdDown presses enter, repeats it a hundred times and releases it.
func holdDown(d *fixture, delay, repeat time.Duration) {
	d.at = d.at.Add(time.Second)
	// pending is the command that sends confirmDue when settleTime has passed.
	var pending tea.Cmd
	var due time.Time
	step := func(after time.Duration) {
		d.at = d.at.Add(after)
		if pending != nil && !d.at.Before(due) {
			d.run(pending)
		}
		pending = nil // it has run, or this press came before settleTime had passed
		cmd := d.Update(sample.Press("enter"))
		if d.confirmation.pending {
			pending, due = cmd, d.at.Add(settleTime)
		} else {
			d.run(cmd)
		}
	}
	step(0)
	step(delay)
	for range 100 {
		step(repeat)
	}
	d.run(pending)
}

func TestAnEnterInHasteIsNoSecondOne(t *testing.T) {
	d := openReview(t)
	d.press("enter")
	d.at = d.at.Add(100 * time.Millisecond)
	d.pressNow("enter")
	d.says("Press enter again to create the draft")
	if len(d.server.proposed) != 0 {
		t.Error("two enters in haste send")
	}
	d.press("enter")
	if len(d.server.proposed) != 1 {
		t.Error("one in peace after them does not")
	}
}

func TestEscStopsWhatTheSecondEnterBegan(t *testing.T) {
	d := openReview(t)
	d.press("enter")
	d.at = d.at.Add(time.Second)
	cmd := d.Update(sample.Press("enter"))
	d.says("Waiting for the key to be released. esc cancels.")
	d.pressNow("esc")
	if d.run(cmd); len(d.server.proposed) != 0 || d.step != reviewing {
		t.Errorf("step %d, sent %d times", d.step, len(d.server.proposed))
	}
}

func TestAnythingBetweenTheEntersStopsIt(t *testing.T) {
	for name, between := range map[string]func(*fixture){
		"a letter":   func(d *fixture) { d.press("z") },
		"an arrow":   func(d *fixture) { d.press("down") },
		"esc":        func(d *fixture) { d.at = d.at.Add(time.Second); d.Back() },
		"ten second": func(d *fixture) { d.at = d.at.Add(confirmTime) },
		"a look elsewhere": func(d *fixture) {
			d.Update(views.Visible(false))
			d.at = d.at.Add(time.Second)
			d.Update(views.Visible(true))
		},
		"an edit": func(d *fixture) { d.press("c", "ctrl+s") },
	} {
		d := openReview(t)
		d.press("enter")
		between(d)
		d.press("enter")
		if len(d.server.proposed) != 0 || d.step != reviewing {
			t.Errorf("%s between the enters: sent %d, step %d", name, len(d.server.proposed), d.step)
		}
		d.press("enter")
		if len(d.server.proposed) != 1 {
			t.Errorf("%s: and a second enter after it does not send", name)
		}
	}
}

func TestRefusalsKeepWhatWasTyped(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		step step
		says []string
	}{
		"a field": {&apiclient.Error{Status: 400,
			Message: "recipient_email must be an e-mail address such as pay@acme.example"}, filling,
			[]string{"! must be an e-mail address such as pay@acme.example"}},
		"a line's field": {&apiclient.Error{Status: 400,
			Message: "line_items[0].quantity must be a decimal string greater than zero"}, filling,
			[]string{"quantity: must be a decimal string"}},
		"a line": {&apiclient.Error{Status: 400, Message: "line_items[0] comes to less than one cent"}, filling,
			[]string{"comes to less than one cent"}},
		"no field's name": {&apiclient.Error{Status: 400, Message: "body must be a single JSON object"}, reviewing,
			[]string{"Not proposed: body must be a single JSON object (400)."}},
		"token": {&apiclient.Error{Status: 401, Message: "invalid API token"}, reviewing,
			[]string{"the server refused the token"}},
		"scope": {&apiclient.Error{Status: 403, Message: "token lacks the required scope invoices:propose"},
			reviewing, []string{"lacks the required scope"}},
		"owner": {&apiclient.Error{Status: 409,
			Message: "the organization has no active owner to attribute the invoice to"}, reviewing,
			[]string{"no active owner"}},
		"currency": {&apiclient.Error{Status: 422, Message: `unsupported currency "EUR"; only USD is supported`},
			reviewing, []string{"unsupported currency"}},
		"nobody there": {&apiclient.NetworkError{Method: "POST", Err: errors.New("connection refused")}, reviewing,
			[]string{"cannot be reached: connection refused; nothing was sent"}},
		"too often": {&apiclient.Error{Status: 429, Message: "rate limit exceeded", RetryAfter: 12 * time.Second},
			reviewing, []string{"rate limited", "retry in 12s"}},
	} {
		d := openReview(t)
		d.server.answer = c.err
		d.press("enter", "enter")
		if d.step != c.step {
			t.Errorf("%s: step %d:\n%s", name, d.step, d.text())
			continue
		}
		d.says(c.says...)
		kept, err := d.saved()
		if err != nil || kept.RecipientName != "Łukasz & Söhne" || len(kept.Lines) != 1 || !kept.SentAt.IsZero() {
			t.Errorf("%s: the draft is %+v, %v", name, kept, err)
		}
		d.server.answer = nil
		if c.step == filling {
			d.press("ctrl+s")
		}
		d.at = d.at.Add(time.Minute)
		d.press("enter", "enter")
		if d.step != finished || len(d.server.proposed) != 2 || !reflect.DeepEqual(d.server.proposed[1], typedProposal()) {
			t.Errorf("%s: trying again: step %d, %+v", name, d.step, d.server.proposed)
		}
	}
}

func TestAPauseThatTheServerAskedForIsKept(t *testing.T) {
	d := openReview(t)
	d.server.answer = &apiclient.Error{Status: 429, Message: "rate limit exceeded", RetryAfter: 30 * time.Second}
	d.press("enter", "enter")
	d.press("enter", "enter", "enter", "enter")
	if len(d.server.proposed) != 1 {
		t.Errorf("sent %d times within the pause", len(d.server.proposed))
	}
	d.says("retry in 26s")
}

func TestALateAnswerIsDropped(t *testing.T) {
	d := openReview(t)
	d.hold = true
	d.press("enter", "enter")
	invoice := created("INV-1", typedProposal(), d.at)
	d.run(d.Update(response{d.attempt.number - 1, &invoice, nil}))
	if d.step != sending {
		t.Errorf("an answer to another request counted: step %d", d.step)
	}
	d.respond()
	if d.run(d.Update(response{d.attempt.number, nil, unknown})); d.step != finished {
		t.Errorf("a second answer counted: step %d", d.step)
	}
}

// A refusal of the second request says nothing about the first, unless it names a field.
func TestOnlyARefusedFieldEndsADoubt(t *testing.T) {
	for name, c := range map[string]struct {
		err  *apiclient.Error
		step step
	}{
		"method": {&apiclient.Error{Status: 405, Message: "the server answered method not allowed"}, uncertain},
		"proxy":  {&apiclient.Error{Status: 400, Message: "the server answered bad request"}, uncertain},
		"busy":   {&apiclient.Error{Status: 409, Message: "a request with this idempotency key is still running"}, uncertain},
		"field": {&apiclient.Error{Status: 400,
			Message: "recipient_email must be an e-mail address such as pay@acme.example"}, filling},
	} {
		d := openUncertain(t)
		d.server.answer = c.err
		d.press("s", "s")
		kept, err := d.saved()
		if d.step != c.step || err != nil || kept.SentAt.IsZero() == (c.step == uncertain) {
			t.Errorf("%s: step %d, sent at %v, %v", name, d.step, kept.SentAt, err)
		}
	}
}

// The draft must be marked as sent on disk before the request is sent, unless the user confirms
// again.
func TestNothingIsSentUnnotedButByWhoInsists(t *testing.T) {
	d := openReview(t)
	if err := d.saving.Store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(d.dir), os.WriteFile(d.dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	d.press("enter", "enter")
	d.says("Not sent: the draft file could not be updated", "Draft not saved")
	if d.step != reviewing || len(d.server.proposed) != 0 {
		t.Fatalf("step %d, sent %d times", d.step, len(d.server.proposed))
	}
	d.press("enter", "enter")
	if d.step != finished || len(d.server.proposed) != 1 {
		t.Errorf("step %d, sent %d times", d.step, len(d.server.proposed))
	}
}

// The page reports a created invoice to all screens, since no event does.
func TestThatAnInvoiceWasCreatedIsToldToEveryScreen(t *testing.T) {
	d := openReview(t)
	d.press("enter", "enter")
	if want := (views.InvoiceCreated{ID: "inv_INV-000131"}); d.step != finished ||
		!slices.Contains(d.said, tea.Msg(want)) {
		t.Errorf("step %d, told %v", d.step, d.said)
	}
}

func TestTheLineItemsAreShownAfterTheProposalWasSent(t *testing.T) {
	d := openReview(t)

	d.press("enter", "enter")

	d.says("Line items as sent", "1. Workshop", "1.5 × $1,200.50 =", "Total $1,800.75")
	d.silent("The subtotal of the draft")
}

func TestADraftWithAnotherSumThanTheLinesSaysSo(t *testing.T) {
	other := created("INV-000139", typedProposal(), sample.Now)
	other.Subtotal, other.Total = apiclient.NewAmount(5, "USD"), apiclient.NewAmount(5, "USD")
	d := openUncertain(t, other)

	d.press("enter", "enter")

	d.says("Line items as sent", "The subtotal of the draft is $0.05, but the line items that were sent")
}

// A hundred line items do not hide what can be done with the invoice.
func TestACreatedInvoiceScrolls(t *testing.T) {
	d := openReview(t)
	d.press("enter", "enter")
	d.SetSize(40, 12)
	d.silent("Total $1,800.75")

	d.press("G")

	d.says("Total $1,800.75", "copy number")
}

func TestTheWorkOfASessionIsWhatWasCreatedOrTyped(t *testing.T) {
	d := openReview(t)
	if got := d.State().Work; !slices.Equal(got, []string{"1 unsent invoice"}) {
		t.Errorf("on the review: %v", got)
	}
	d.press("enter", "enter")
	if got := d.State().Work; !slices.Equal(got, []string{"1 proposed invoice"}) {
		t.Errorf("after sending: %v", got)
	}
	d.press("n")
	if got := d.State().Work; !slices.Equal(got, []string{"1 proposed invoice"}) {
		t.Errorf("with a new form: %v", got)
	}
	if got := open(t).State().Work; len(got) > 0 {
		t.Errorf("at first: %v", got)
	}
}
