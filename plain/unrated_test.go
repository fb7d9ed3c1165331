package plain_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/unrated"
)

// Line mode marks every sum that excludes rows.
func TestEverySumSaysWhatItLeavesOut(t *testing.T) {
	for name, c := range unrated.Companies(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)) {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c)
			t.Cleanup(server.Close)
			client, err := apiclient.New(server.URL, "svc_org_test", apiclient.WithRetry(apiclient.NoRetry))
			if err != nil {
				t.Fatal(err)
			}
			k := talk{client: client}
			k.Now = func() time.Time { return c.Now }

			for _, lines := range [][]string{{}, {"months"}, {"2", "suppose overdue"}, {"3"}, {"4"}, {"4", "filter in"},
				{"4", "open 1"}} {
				text := k.say(t, lines...)
				_, last, _ := strings.Cut(text, "Overview, profile")
				judge := c
				judge.InflowsShown = slices.Contains(lines, "filter in")
				for _, wrong := range judge.FalseStatements(last, ahead(3), ahead(6), ahead(12)) {
					t.Errorf("%q: %s\n%s", lines, wrong, last)
				}
				if c.Caveat() != "" && !strings.Contains(last, c.Caveat()) {
					t.Errorf("%q: what the runway leaves out is not said:\n%s", lines, last)
				}
			}
		})
	}
}

// ahead is the cash in some months at the net burn. It is complete.
func ahead(months int64) int64 { return 237_218_849 - months*16_701_311 }

func TestAZeroMonthIsNotCountedFromABadDate(t *testing.T) {
	c := unrated.Company{Now: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	client, err := apiclient.New(server.URL, "svc_org_test", apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	k := talk{client: client}
	text := k.say(t, "2", "suppose burn -10")
	inOrder(t, text, `Cash on hand`, `no usable date`)
	if strings.Contains(text, "gone in 000") {
		t.Errorf("a month is counted from the year 1:\n%s", text)
	}
}
