package webhooks

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/views"
)

// leaveSecret waits until keys count, then closes the secret.
func (d *fixture) leaveSecret() {
	d.t.Helper()
	d.at = d.at.Add(time.Second)
	d.press("esc", "esc")
}

func TestASecretIsShownOnceAndLeavesNoTrace(t *testing.T) {
	for name, make := range map[string]func(*fixture){"created": (*fixture).create, "rotated": (*fixture).rotate} {
		d := open(t)
		make(d)
		d.shows(signing.Reveal())
		if !d.Typing() || !d.Back() || !d.secret.Open() {
			t.Errorf("%s: the page can be left by a single key", name)
		}
		d.leaveSecret()
		if d.Typing() || d.secret.value != nil {
			t.Errorf("%s: the model still holds it", name)
		}
		d.pass(20)
		d.press("enter", "esc", "n", "esc", "s", "esc")
		d.run(d.Refresh())
		d.hides("svc_whsec_", "5up3r")
		if said := strings.Join(append(d.notices, d.copied...), " "); strings.Contains(said, "5up3r") {
			t.Errorf("%s: it was told or copied: %s", name, said)
		}
	}
}

func TestASecretIsPrintedByNothing(t *testing.T) {
	d := open(t)
	d.press("s")
	d.write("ABCDEF")
	answer := d.Update(press("enter"))()
	if _, ok := answer.(Written); !ok {
		t.Fatalf("the answer is %T", answer)
	}
	d.run(d.Update(answer))
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("message", "msg", answer, "screen", d.secret)
	for _, printed := range []string{
		fmt.Sprintf("%v %+v %#v %s", answer, answer, answer, answer),
		fmt.Sprintf("%+v %#v", d.secret, d.secret), log.String(),
	} {
		if strings.Contains(printed, "5up3r") {
			t.Errorf("printed: %s", printed)
		}
	}
}

func TestCopyingASecretTakesTwoPressesAndAWarning(t *testing.T) {
	d := open(t)
	d.create()
	d.at = d.at.Add(time.Second)
	d.press("y")
	d.shows("Other programs can read the clipboard", "Press y again to copy")
	if len(d.copied) > 0 {
		t.Fatal("it was copied at once")
	}
	d.press("x", "y", "esc")
	if len(d.copied) > 0 || !d.secret.Open() {
		t.Fatal("another key between does not matter")
	}
	d.press("y", "y")
	if len(d.copied) != 1 || d.copied[0] != signing.Reveal() {
		t.Errorf("copied %d times", len(d.copied))
	}
	d.shows("Clear the clipboard", signing.Reveal())
	d.press("y", "x", "esc", "esc")
	if d.Typing() {
		t.Error("it cannot be left after copying")
	}
}

// Keys pressed before the secret appeared do not close it, and a held key counts once.
func TestKeysInFlightDoNotCloseASecret(t *testing.T) {
	d := open(t)
	d.create()
	d.press("esc", "esc", "y", "y")
	d.shows(signing.Reveal())
	d.at = d.at.Add(time.Second)
	held := press("esc")
	d.run(d.Update(held))
	held.IsRepeat = true
	for range 5 {
		d.run(d.Update(held))
	}
	d.shows(signing.Reveal(), "Press esc again to leave")
	if len(d.copied) > 0 {
		t.Error("it was copied")
	}
}

func TestASecretThatComesUnseenWaits(t *testing.T) {
	d := open(t)
	d.press("s")
	d.write("ABCDEF")
	cmd := d.Update(press("enter"))
	d.Update(views.Visible(false))
	d.run(cmd)
	if len(d.notices) != 1 || !strings.Contains(d.notices[0], "is ready on the Webhooks page") {
		t.Errorf("told %v", d.notices)
	}
	for range 60 {
		d.at = d.at.Add(time.Second)
		d.run(d.Update(views.Tick{Now: d.at}))
	}
	d.shows(signing.Reveal(), "The previous secret stays valid until 2026-11-21 14:02 UTC")
}

// A secret is shown whole at any size, or replaced by the size that it needs.
func TestASecretIsWholeOrNotThere(t *testing.T) {
	d := open(t)
	d.create()
	for width := 1; width < 120; width += 3 {
		for height := 1; height < 30; height += 2 {
			d.SetSize(width, height)
			joined := strings.ReplaceAll(d.text(), "\n", "")
			if whole := strings.Contains(joined, signing.Reveal()); !whole && strings.Contains(joined, "svc_whsec_") {
				t.Fatalf("at %dx%d there is half of it:\n%s", width, height, d.text())
			} else if !whole && width > 12 && height > 8 {
				t.Fatalf("at %dx%d it is not shown:\n%s", width, height, d.text())
			}
		}
	}
}

func TestAnUnknownCreateIsLookedUpAndNotRepeated(t *testing.T) {
	for name, c := range map[string]struct {
		carriedOut bool
		want       string
	}{
		"it was carried out": {true, "It was created: wh_01NEWNEWNEWAAAAAA. " +
			"Its secret was never shown: press s for a new one."},
		"it was not": {false, "It is not in the list. Press r to refresh; " +
			"if it stays missing, n reopens the form as you left it."},
	} {
		d := open(t, fails(errLost), func(s *server) { s.carryOut = c.carriedOut })
		d.requests()
		d.create()
		d.pass(40)
		if n := times(d.requests(), "create https://new.example.com/in"); n != 1 {
			t.Errorf("%s: sent %d times", name, n)
		}
		d.shows("Unknown whether the endpoint at new.example.com was created: no answer in time.", c.want)
		d.server.failWrite = nil
		if c.carriedOut {
			d.press("s")
			d.write("AAAAAA")
			d.press("enter")
			d.shows("Signing secret of new.example.com")
			continue
		}
		d.press("n")
		d.shows("https://new.example.com/in", "[x] invoice.paid")
	}
}

// An older endpoint with the same URL is not mistaken for the new one.
func TestAnUnknownCreateIsNotMistakenForAnOlderEndpoint(t *testing.T) {
	d := open(t, fails(errLost), func(s *server) { s.endpoints[2].URL = "https://new.example.com/in" })
	d.create()
	d.shows("It is not in the list.")
}

// The new endpoint is also found when it appears only in a later list.
func TestAnUnknownCreateIsFoundLater(t *testing.T) {
	d := open(t, fails(errLost))
	d.create()
	d.shows("It is not in the list.")
	d.server.endpoints = append(
		d.server.endpoints,
		apiclient.Webhook{ID: "wh_late", URL: "https://new.example.com/in", Status: apiclient.WebhookActive},
	)
	d.run(d.Refresh())
	d.shows("It was created: wh_late.")
}

func TestAnUnknownRotationSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		carriedOut bool
		want       string
	}{
		"it was carried out": {true, "It was replaced by a secret that was never shown: press s for a new one."},
		"it was not":         {false, "The list shows no replacement"},
	} {
		d := open(t, fails(errLost), func(s *server) { s.carryOut = c.carriedOut })
		d.requests()
		d.rotate()
		d.pass(40)
		if n := times(d.requests(), "rotate wh_01ACTIVEACTIVEABCDEF"); n != 1 {
			t.Errorf("%s: sent %d times", name, n)
		}
		d.shows("Unknown whether the secret of hooks.example.com was replaced", c.want)
		d.Back()
		d.hides("Unknown whether")
	}
}

func TestOtherUnknownOutcomes(t *testing.T) {
	deleteFirst := func(d *fixture) { d.press("D"); d.write("ABCDEF"); d.press("enter") }
	for name, c := range map[string]struct {
		do   func(*fixture)
		out  bool
		want string
	}{
		"delete, done": {deleteFirst, true,
			"was deleted: no answer in time. The request was not repeated. It is no longer in the list."},
		"delete, not done": {deleteFirst, false, "It is still in the list."},
		"pause, done":      {func(d *fixture) { d.press("a") }, true, "It is paused now."},
		"pause, not done":  {func(d *fixture) { d.press("a") }, false, "It is active now."},
		"test":             {func(d *fixture) { d.press("v") }, true, "If so, it is among the deliveries."},
		"change":           {func(d *fixture) { d.press("c", "x", "ctrl+s") }, true, "The list shows its current state."},
	} {
		d := open(t, fails(errLost), func(s *server) { s.carryOut = c.out })
		c.do(d)
		d.shows("Unknown whether", c.want)
		if d.Typing() {
			t.Errorf("%s: something is still open", name)
		}
	}
	// Until a read succeeds, the page makes no claim about the list.
	d := open(t, fails(errLost))
	d.server.failList = errDown
	d.create()
	d.shows("Reloading the endpoints.")
}

func TestTheWorkOfASessionIsTheEndpointsThatWereCreated(t *testing.T) {
	d := open(t)
	if got := d.State().Work; len(got) > 0 {
		t.Errorf("at first: %v", got)
	}

	d.create()

	if got := d.State().Work; !slices.Equal(got, []string{"1 webhook endpoint"}) {
		t.Errorf("after creating one: %v", got)
	}
}
