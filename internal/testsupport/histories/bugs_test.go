package histories_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"tarmac/internal/testsupport/histories"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/egress"
)

// checkWithin is how long the check of a history may take.
const checkWithin = 20 * time.Second

// Each planted defect shows in the histories of its kind, and only there. Without one there is no
// violation.
func TestEachPlantedBugIsFound(t *testing.T) {
	for _, bug := range append([]histories.Bug{{Name: "none"}}, histories.Bugs()...) {
		t.Run(bug.Name, func(t *testing.T) {
			if testing.Short() && bug.Kind != "" {
				t.Skip("a short run looks at the service without defects")
			}
			t.Parallel()
			l := newLoad(t, bug)

			l.Run(t.Context(), 150)

			problems := l.Finish(func(org string) []histories.Invoice { return l.invoices(org) })
			violations := l.History.Check(checkWithin)
			found := map[histories.Kind]int{}
			for _, v := range violations {
				found[v.Kind]++
				if v.Kind != bug.Kind {
					t.Errorf("%s", v)
				}
			}
			if bug.Kind != "" && found[bug.Kind] == 0 {
				t.Errorf("nothing was found in %+v", l.History.Counts())
			}
			if len(problems) > 0 && bug.Kind == "" {
				t.Errorf("%q", problems)
			}
			t.Logf("%v of %+v", found, l.History.Counts())
		})
	}
}

// load is a load on a service in this process, with a bug before it.
type load struct {
	*histories.Load
	t       *testing.T
	service *service.Service
}

func newLoad(t *testing.T, bug histories.Bug) *load {
	t.Helper()
	receiver := histories.NewReceiver(t)
	svc, err := service.Open(t.Context(), service.Config{
		Database: filepath.Join(t.TempDir(), "tarmac.db"), Ephemeral: true, Logger: slog.New(slog.DiscardHandler),
		Now: time.Now, Entropy: rand.Reader, Version: "test",
		Webhooks: egress.Config{Allow: []string{receiver.Address()}, RootCAs: receiver.RootCAs()},
	})
	if err != nil {
		t.Fatal(err)
	}
	l := &load{t: t, service: svc, Load: &histories.Load{
		Receiver: receiver, Clients: 6, Seed: 1, History: histories.NewHistory(), Operators: []histories.Operator{svc},
	}}
	l.serve(bug)
	for range 2 {
		l.Organizations = append(l.Organizations, l.organization())
	}
	return l
}

// serve serves the API and sends deliveries until the test ends.
func (l *load) serve(bug histories.Bug) {
	l.t.Helper()
	handler := l.service.Handler()
	if bug.Service != nil {
		handler = bug.Service(handler)
	}
	if bug.Operator != nil {
		l.Operators[0] = bug.Operator(l.service)
	}
	server := httptest.NewServer(handler)
	l.Services = []string{server.URL}
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.service.Run(ctx) }()
	l.t.Cleanup(func() {
		server.Close()
		end()
		if err := <-done; err != nil {
			l.t.Error(err)
		}
		if err := l.service.Close(); err != nil {
			l.t.Error(err)
		}
	})
}

func (l *load) organization() histories.Organization {
	l.t.Helper()
	ctx := l.t.Context()
	org, err := l.service.CreateOrganization(ctx, "Northlight Labs")
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.service.SetOwner(ctx, org.PublicID, "Ada", "ada@example.com"); err != nil {
		l.t.Fatal(err)
	}
	token, _, err := l.service.CreateToken(ctx, org.PublicID, access.Scopes[:], 0)
	if err != nil {
		l.t.Fatal(err)
	}
	return histories.Organization{ID: org.PublicID, Token: token}
}

func (l *load) invoices(org string) (all []histories.Invoice) {
	list, err := l.service.Invoices(l.t.Context(), org, "", 100_000)
	if err != nil {
		l.t.Error(err)
	}
	for _, i := range list {
		all = append(all, histories.Invoice{Recipient: i.RecipientName, Number: int(i.Sequence)})
	}
	return all
}
