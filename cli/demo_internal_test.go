package cli

import (
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/service"
)

// A demo that was left during generation starts over; a complete one continues with its data.
func TestADemoGoesOnOnlyWithWhatIsComplete(t *testing.T) {
	dir := t.TempDir()
	svc, err := service.Open(t.Context(), service.Config{
		Database: filepath.Join(dir, "demo.db"), Logger: slog.New(slog.DiscardHandler), Now: time.Now, Entropy: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	left, err := svc.CreateOrganization(t.Context(), demoCompany)
	if err != nil {
		t.Fatal(err)
	}
	if err := svc.Close(); err != nil {
		t.Fatal(err)
	}

	var ids []string
	for range 2 {
		c, err := startDemo(t.Context(), command.Env{Now: time.Now}, demoFlags{data: dir, transactions: 1, seed: 1},
			dialer{timeout: defaultTimeout, logger: slog.New(slog.DiscardHandler)}, &demoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		ping, err := c.Client.Ping(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		page, err := c.Client.TransactionPage(t.Context(), apiclient.TransactionQuery{Limit: 1})
		if err != nil || page.Summary.Count == 0 {
			t.Errorf("%+v, %v", page, err)
		}
		ids = append(ids, ping.OrgID)
		c.Close()
	}
	if ids[0] == left.PublicID || ids[0] != ids[1] {
		t.Errorf("left %s, then %v", left.PublicID, ids)
	}
}

// The dashboard is the demo's only client. A limit would only show "rate limited" at the start.
func TestTheDemoDoesNotLimitItsOwnClient(t *testing.T) {
	c, err := startDemo(t.Context(), command.Env{Now: time.Now}, demoFlags{transactions: 1, seed: 1},
		dialer{timeout: defaultTimeout, logger: slog.New(slog.DiscardHandler)}, &demoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 200 {
		if _, err := c.Client.Ping(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if rate := c.Client.Rate(); rate != (apiclient.Rate{}) || c.Client.Held() > 0 {
		t.Errorf("the limit is %+v, reads are held for %s", rate, c.Client.Held())
	}
}

// The second run has another port, and keeps the endpoints of the first.
func TestADemoHasAnEndpointThatAnswersAndOneThatFails(t *testing.T) {
	dir := t.TempDir()
	var runs [2][]apiclient.Webhook
	for i := range runs {
		c, err := startDemo(t.Context(), command.Env{Now: time.Now}, demoFlags{data: dir, transactions: 1, seed: 1},
			dialer{timeout: defaultTimeout, logger: slog.New(slog.DiscardHandler)}, &demoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		runs[i], err = c.Client.Webhooks(t.Context())
		if err != nil || len(runs[i]) != 2 {
			t.Fatalf("%+v, %v", runs[i], err)
		}
		c.Close()
	}
	for i, endpoint := range runs[1] {
		if before := runs[0][i]; endpoint.ID != before.ID || endpoint.Status != apiclient.WebhookActive {
			t.Errorf("%+v was %+v", endpoint, before)
		}
	}
}

func TestADemoHasAnAlertToSee(t *testing.T) {
	c, err := startDemo(t.Context(), command.Env{Now: time.Now}, demoFlags{transactions: 1500, seed: 1},
		dialer{timeout: defaultTimeout, logger: slog.New(slog.DiscardHandler)}, &demoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()

	o, err := c.Alerts(t.Context())

	if err != nil || len(o.Open()) == 0 || o.Open()[0].Rule != "bill-due" {
		t.Errorf("%v, crossed is none of\n%+v", err, o)
	}
}

// The second run finds the books of the first. A run in US dollars makes another company.
func TestADemoInEurosHasBooksInEuros(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for _, currency := range []string{"EUR", "EUR", "USD"} {
		c, err := startDemo(t.Context(), command.Env{Now: time.Now},
			demoFlags{data: dir, transactions: 1, seed: 1, currency: currency},
			dialer{timeout: defaultTimeout, logger: slog.New(slog.DiscardHandler)}, &demoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		ping, err := c.Client.Ping(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		page, err := c.Client.TransactionPage(t.Context(), apiclient.TransactionQuery{Limit: 1})
		if err != nil || page.Summary.Currency != currency || (c.Books != nil) != (currency == "EUR") {
			t.Errorf("in %s: %+v, %v", currency, page, err)
		}
		ids = append(ids, ping.OrgID)
		c.Close()
	}
	if ids[0] != ids[1] || ids[0] == ids[2] {
		t.Errorf("the companies are %v", ids)
	}
}
