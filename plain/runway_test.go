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
	"tarmac/client/state"
	"tarmac/internal/testsupport/unrated"
)

func TestSupposedLinesOutlastTheSession(t *testing.T) {
	k := talk{client: serve(t).client}
	k.Drafts = state.Directory(filepath.Join(t.TempDir(), "state"))

	k.say(t, "2", "suppose burn -10")
	text := k.say(t, "plan", "suppose overdue", "suppose hire engineer", "forget B", "forget B", "forecast A", "forget",
		"plan")

	inOrder(t, text, `current: `, `case A: `, `case B: `, `Expected a name in quotation marks`, `case A: `,
		`The plan has no case "B"`, `Hypothetical, with 1 line of a plan: `, `plan: `)
	if _, after, _ := strings.Cut(text, `no case "B"`); strings.Contains(after, "case A: ") {
		t.Errorf("a case is left:\n%s", text)
	}
}

// Without a file or a folder, what is supposed stays until the session ends.
func TestAPlanIsKeptWithoutAFile(t *testing.T) {
	k := talk{client: serve(t).client}

	inOrder(t, k.say(t, "2", "plan", "suppose overdue", "plan"), `There is no plan yet`, `Saved until you quit`,
		`case A: `, `case A: `)
}

func TestAPlanThatCannotBeReadIsLeftAlone(t *testing.T) {
	k := talk{client: serve(t).client, planFile: filepath.Join(t.TempDir(), "a.plan")}
	if err := os.WriteFile(k.planFile, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}

	text := k.say(t, "2", "suppose overdue")

	inOrder(t, text, `The plan: .*a\.plan: line 1, column 1: expected a first line`)
	if now, err := os.ReadFile(k.planFile); err != nil || string(now) != "{" {
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

func TestWhatIfsOfEarlierVersionsAreCases(t *testing.T) {
	k := inEuros(t)
	k.Drafts = state.Directory(filepath.Join(t.TempDir(), "state"))
	name := "what-if-" + draft.FileName(draft.OrgKey(k.client.Origin(), "org_unrated")) + ".json"
	const old = `{"version":2,"day":"2026-11-01","what_ifs":[{"fields":["Cut","-10","","","","","","",""]},` +
		`{"fields":["Hire","","-8,000.00","2026-11","","","","",""]}]}`
	if err := k.Drafts.Write(name, []byte(old)); err != nil {
		t.Fatal(err)
	}

	text := k.say(t, "2", "suppose monthly -$8k", "suppose monthly -€8k", "plan")

	inOrder(t, text, `in euros, not in US dollars`, `case Cut: `,
		`case A: .*runway 13\.\d months`)
	if now, err := k.Drafts.Read(name, 1000); err != nil || string(now) != old {
		t.Errorf("the file is %q, %v", now, err)
	}
}
