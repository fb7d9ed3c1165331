package plain_test

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/state"
	"tarmac/internal/testsupport/voices"
)

// otherAmounts returns a company with the same days, names and counts as c, but with other amounts,
// and therefore with another runway and other shares.
func otherAmounts(c voices.Company) voices.Company {
	for i := range c.Rows {
		if c.Rows[i].Name == "Payroll" {
			c.Rows[i].Cents += c.Rows[i].Cents / 2
		}
	}
	for i := range c.Bills {
		c.Bills[i].Cents *= 3
	}
	c.Cash["cash_cents"], c.Cash["runway_cash_cents"], c.Cash["monthly_burn_cents"] = 700_000_00, 660_000_00, 44_500_00
	c.Cash["runway_months"] = 14.8
	c.Cash["runway_note"] = "About 14.8 months at the average net burn of the last 3 full months."
	c.Aging["buckets"].(map[string]any)["days_1_30_cents"] = 3_500_00
	c.Account["balance"].(map[string]any)["available_cents"] = 660_000_00
	return c
}

// A runway, the end of the cash or a share would reveal hidden amounts. Two companies that differ
// only in their amounts must therefore look the same.
func TestMaskedCompaniesThatDifferOnlyInAmountsLookTheSame(t *testing.T) {
	lines := []string{
		"mask", "overview", "runway", "forecast", "open 1", "open 13", "suppose burn -10", "plan october", "receivables",
		"remind", "open 1", "customers", "bills", "open 1", "open 1", "bills all", "spend", "open 1", "spend 6 in change",
		"recurring", "open 1", "recurring in next", "bridge", "open 1", "months", "transactions", "open 1", "invoices",
		"runway", "overview",
	}
	talks := func(c voices.Company) []string {
		server := httptest.NewServer(c)
		t.Cleanup(server.Close)
		client, err := apiclient.New(server.URL, "svc_org_voices", apiclient.WithRetry(apiclient.NoRetry))
		if err != nil {
			t.Fatal(err)
		}
		k := talk{client: client, planFile: filepath.Join(t.TempDir(), "a.plan")}
		k.Now, k.Drafts = func() time.Time { return voices.Now }, state.Directory(t.TempDir())
		_, masked, _ := strings.Cut(k.say(t, lines...), "Amounts are hidden")
		return strings.Split(strings.ReplaceAll(masked, filepath.Dir(k.planFile), ""), "\n")
	}

	one, other := talks(voices.Companies()[0]), talks(otherAmounts(voices.Companies()[0]))

	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			t.Errorf("line %d depends on amounts:\n%s\n%s", i, one[i], other[i])
		}
	}
	if len(one) != len(other) || len(one) < 100 {
		t.Errorf("%d and %d lines", len(one), len(other))
	}
}
