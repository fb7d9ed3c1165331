package webhooks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/views"
)

var update = sample.UpdateFlag()

func fails(err error) func(*server) { return func(s *server) { s.failWrite = err } }

func states(t testing.TB) map[string]*fixture {
	out := map[string]*fixture{
		"list":   open(t),
		"empty":  open(t, func(s *server) { s.endpoints = nil }),
		"failed": open(t, func(s *server) { s.failList = errDown }),
		"not-allowed": open(
			t,
			func(s *server) { s.failList = &apiclient.Error{Status: 403, Scope: "webhook_endpoints:manage"} },
		),
		"log-failed": open(t, func(s *server) { s.failLog = errDown }),
		"read-only":  openAs(t, views.Env{ReadOnly: true}),
		"hostile":    open(t, hostile),
		"unnamed":    open(t, func(s *server) { s.endpoints = []apiclient.Webhook{{Status: "resting"}} }),
	}
	for name, keys := range map[string][]string{
		"disabled": {"G"}, "deliveries": {"enter"}, "delivery": {"enter", "G", "enter"},
		"form": {"n"}, "change": {"c", "down"}, "delete": {"D"}, "rotate": {"s"}, "test": {"v"},
		"filtering": {"/", "o", "l", "d"},
		"filtered":  {"/", "h", "o", "o", "k", "enter", "enter", "/", "f", "a", "i", "l", "enter"},
	} {
		out[name] = open(t)
		out[name].press(keys...)
	}
	out["form-refused"] = open(t)
	out["form-refused"].press("n")
	out["form-refused"].write("http://example.com")
	out["form-refused"].press("ctrl+s")
	out["secret"] = open(t)
	out["secret"].create()
	out["rotated"] = open(t)
	out["rotated"].rotate()
	out["doubt"] = open(t, fails(errLost))
	out["doubt"].create()
	stale := open(t)
	stale.server.failList, stale.server.failLog = errDown, errDown
	stale.run(stale.Refresh())
	out["stale"] = stale
	for name, status := range map[string]int{"no-longer-allowed": 403, "token-refused": 401} {
		later := open(t)
		later.server.failList = &apiclient.Error{Status: status}
		later.run(later.all.Fetch())
		out[name] = later
	}
	return out
}

func (d *fixture) create() {
	d.press("n")
	d.write("https://new.example.com/in")
	d.press("enter", "a", "enter")
}

func (d *fixture) rotate() {
	d.press("s")
	d.write("ABCDEF")
	d.press("enter")
}

// hostile fills the server with the worst text that passes the cleaning.
func hostile(s *server) {
	endless := strings.Repeat("日本e\u0301", 80)
	const huge = int64(1<<63 - 1)
	far := start.Add(1 << 62)
	s.endpoints[0] = apiclient.Webhook{
		ID: endless, URL: "https://" + strings.Repeat("x", 2040),
		EventTypes: []apiclient.EventType{apiclient.EventType(endless)},
		Status:     apiclient.WebhookStatus(endless), DisabledReason: endless, PreviousSecretExpiresAt: &far,
		Extra: []apiclient.Field{{Name: endless, Value: endless}},
	}
	s.log[endless] = []apiclient.WebhookDelivery{{
		ID: endless, EventType: apiclient.EventType(endless), Status: apiclient.DeliveryStatus(endless), Attempts: ptr(huge),
		LastResponseCode: ptr(
			-huge,
		), LastError: endless, NextRetryAt: &far, Extra: []apiclient.Field{{Name: endless, Value: endless}},
	}, {Status: apiclient.DeliveryPending, NextRetryAt: &far}}
}

func TestEverySizeInEveryState(t *testing.T) {
	for name, d := range states(t) {
		for width := 0; width <= 250; width += step(width) {
			for height := 0; height <= 60; height += step(height) {
				d.SetSize(width, height)
				sample.CheckSize(t, d.View(), width, height)
			}
		}
		if t.Failed() {
			t.Fatalf("in the state %s", name)
		}
	}
}

func step(n int) int { return 1 + n/6 }

func TestGoldenScreens(t *testing.T) {
	for name, d := range states(t) {
		for _, size := range [][2]int{{120, 30}, {80, 21}, {40, 9}} {
			d.SetSize(size[0], size[1])
			sample.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), d.View(), *update)
		}
	}
}

func TestAWideScreenShowsTheDeliveryUnderTheCursorBesideTheList(t *testing.T) {
	d := open(t)
	d.SetSize(99, 30)
	d.hides("whd_3")
	d.SetSize(120, 30)
	d.shows("whd_3", "failed") // the newest, and the list
	d.press("tab", "down")
	d.shows("whd_2", "pending")
	d.press("enter")
	d.shows("whd_2", "pending", "Deliveries")
	d.press("esc", "down")
	d.shows("whd_1")
	d.SetSize(120, 10) // deliveries alone
	d.shows("timeout", "Deliveries to hooks.example.com")
}

func TestASpanRunsDownWithoutSayingZero(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Millisecond: "1s", 5 * time.Second: "5s", 59*time.Second + 1: "1m 00s", 249 * time.Second: "4m 09s",
		time.Hour: "1h 00m", 2*time.Hour + 5*time.Minute: "2h 05m", 76 * time.Hour: "3d 04h",
	} {
		if got := countdown(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
