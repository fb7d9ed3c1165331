package plain_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/client/scenario"
	"tarmac/client/state"
	"tarmac/internal/civil"
	"tarmac/internal/testsupport/unrated"
)

func TestScenariosOutlastTheSession(t *testing.T) {
	k := talk{client: serve(t).client}
	dir := filepath.Join(t.TempDir(), "state")
	k.Drafts = state.Directory(dir)

	k.say(t, "2", "suppose burn -10")
	text := k.say(t, "2", "suppose overdue", "forget", "scenarios")

	inOrder(t, text, `Current plan: `, `Scenario 1 \(hypothetical\), burn -10: `,
		`Scenario 2 \(hypothetical\), overdue: `, `All scenarios deleted`, `No scenarios yet`)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("nothing is supposed any more, and there is %v, %v", left, err)
	}
}

func TestScenariosThatCannotBeReadAreLeftAlone(t *testing.T) {
	k := talk{client: serve(t).client}
	dir := filepath.Join(t.TempDir(), "state")
	k.Drafts = state.Directory(dir)
	k.say(t, "2", "suppose burn -10")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}

	text := k.say(t, "2", "suppose overdue")

	inOrder(t, text, `Saved scenarios could not be read, new ones are kept until you quit: `,
		`Scenario 1 \(hypothetical\), overdue: `)
	if n := strings.Count(text, "could not be read"); n != 1 {
		t.Errorf("it is said %d times:\n%s", n, text)
	}
	if now, err := os.ReadFile(files[0]); err != nil || string(now) != "{" {
		t.Errorf("the file is %q, %v", now, err)
	}
}

// inEuros is a company whose cash position is in euros.
func inEuros(t *testing.T) talk {
	t.Helper()
	company := unrated.Company{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/cash-position") {
			company.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		company.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Preference-Applied", "reporting-currency")
		fmt.Fprint(w, strings.Replace(answer.Body.String(), "{", `{"currency":"EUR",`, 1))
	}))
	t.Cleanup(server.Close)
	client, err := apiclient.New(server.URL, "svc_org_test", apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	k := talk{client: client}
	k.Now = func() time.Time { return company.Now }
	return k
}

func TestScenariosAreInTheCurrencyOfTheCompany(t *testing.T) {
	k := inEuros(t)
	k.Drafts = state.Directory(filepath.Join(t.TempDir(), "state"))
	file := scenario.NewFile(k.Drafts, draft.OrgKey(k.client.Origin(), "org_unrated"))
	var set scenario.Set
	month := civil.New(2026, 11, 1)
	set.Put(0, scenario.Scenario{Name: "Hire", Changes: scenario.Changes{
		Currency: "USD", Monthly: -8_000_00, MonthlyFrom: month,
	}})
	if err := file.Save(1, set, month); err != nil {
		t.Fatal(err)
	}
	notApplied := `Its amounts are in US dollars, the company's figures in euros: it is not applied\.`

	text := k.say(t, "2", "suppose monthly -$8k", "suppose monthly -€8k", "forecast 1")

	inOrder(t, text, `Scenario 1 \(hypothetical\), Hire: not applied\.`, notApplied, `in euros, not in US dollars`,
		`Scenario 1 \(hypothetical\), Hire: not applied\.`, notApplied,
		`Scenario 2 \(hypothetical\), monthly -€8k: 13\.\d months`, `No scenario\. `+notApplied)
	if saved, err := file.Load(); err != nil || *saved.Slots[0] != *set.Slots[0] {
		t.Errorf("the scenario in the other currency is %+v, %v", saved.Slots[0], err)
	}
}
