package plain_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/client/alerts"
	"tarmac/client/importing"
	"tarmac/client/settings"
	"tarmac/internal/testsupport/testdb/migrated"
	"tarmac/internal/testsupport/testdns"
	"tarmac/plain"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/demodata"
	"tarmac/service/egress"
)

// served is a service with a generated organization.
type served struct {
	client *apiclient.Client
	org    string
}

// serve starts the service on the loopback address.
func serve(t testing.TB) served {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	svc, err := service.Open(ctx, service.Config{
		Database: migrated.File(t), Ephemeral: true, Logger: slog.New(slog.DiscardHandler),
		Now: time.Now, Entropy: rand.Reader,
		Webhooks: egress.Config{Resolver: testdns.EmptyResolver()},
	})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- svc.Serve(ctx, listener, nil) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, svc.Close()); err != nil {
			t.Error(err)
		}
	})
	org, err := svc.CreateOrganization(ctx, "Northlight Labs")
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := svc.Organization(ctx, org.PublicID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := svc.SetOwner(ctx, org.PublicID, "Ada Palmer", "ada@northlight.example"); err != nil {
		t.Fatal(err)
	}
	if _, err := demodata.Generate(ctx, svc.Store(), key, demodata.Options{Seed: 5, Transactions: 2500, Today: time.Now()},
		nil); err != nil {
		t.Fatal(err)
	}
	secret, _, err := svc.CreateToken(ctx, org.PublicID, access.Scopes[:], 0)
	if err != nil {
		t.Fatal(err)
	}
	client, err := apiclient.New("http://"+listener.Addr().String(), apiclient.Token(secret),
		apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	return served{client, org.PublicID}
}

// talk configures a test session; zero fields get defaults.
type talk struct {
	plain.Options
	client    plain.Client
	books     importing.Books
	providers importing.Providers
	readOnly  bool
	planFile  string
	alerts    alerts.Overviewer
}

// say types the lines and returns the output until the end of the input.
func (k talk) say(t testing.TB, lines ...string) string {
	t.Helper()
	text, err := k.try(strings.NewReader(strings.Join(lines, "\n") + "\n"))
	if err != nil {
		t.Fatalf("the session ended with %v:\n%s", err, text)
	}
	return text
}

func (k talk) try(in io.Reader) (string, error) {
	o := k.Options
	var said syncBuffer
	if o.Out == nil {
		o.Out = &said
	}
	o.In, o.Echo = in, true
	o.Start = plain.Profile{Name: "work", Open: func(context.Context) (plain.Connection, error) {
		return plain.Connection{
			Client: k.client, Profile: "work", ReadOnly: k.readOnly, Books: k.books, Providers: k.providers,
			PlanFile: k.planFile, Alerts: k.alerts,
		}, nil
	}}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(time.Duration) <-chan time.Time { return nil } // never fires
	}
	o.Timeout, o.Entropy, o.Runway = 30*time.Second, rand.Reader, settings.Defaults().Runway
	err := plain.Run(context.Background(), o)
	return said.String(), err
}

// syncBuffer is a buffer that the session writes and a test reads concurrently.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// inOrder fails the test unless the text matches the patterns one after the other.
func inOrder(t testing.TB, text string, patterns ...string) {
	t.Helper()
	rest := text
	for _, p := range patterns {
		at := regexp.MustCompile(p).FindStringIndex(rest)
		if at == nil {
			t.Fatalf("%q is not said, or not after what comes before it:\n%s", p, text)
		}
		rest = rest[at[1]:]
	}
}

// readable fails the test if the text contains drawing characters.
func readable(t testing.TB, text string) {
	t.Helper()
	for _, r := range text {
		switch {
		case r < ' ' && r != '\n',
			r == 0x7f,
			r >= 0x2500 && r <= 0x259f,
			r >= 0x2800 && r <= 0x28ff,
			r == '•',
			r == '—',
			r == '–':
			t.Fatalf("%q is said:\n%s", r, text)
		}
	}
}

// stubClient is a client that answers some requests itself.
type stubClient struct {
	plain.Client
	account     func() (*apiclient.Account, error)
	transaction func() (*apiclient.TransactionPage, error)
	events      func() (*apiclient.EventPage, error)
	propose     func(ctx context.Context, p apiclient.InvoiceProposal) (*apiclient.Invoice, error)
}

func (e stubClient) Account(ctx context.Context) (*apiclient.Account, error) {
	if e.account == nil {
		return e.Client.Account(ctx)
	}
	return e.account()
}

func (e stubClient) TransactionPage(
	ctx context.Context,
	q apiclient.TransactionQuery,
) (*apiclient.TransactionPage, error) {
	if e.transaction == nil {
		return e.Client.TransactionPage(ctx, q)
	}
	return e.transaction()
}

func (e stubClient) EventPage(ctx context.Context, q apiclient.EventQuery) (*apiclient.EventPage, error) {
	if e.events == nil {
		return e.Client.EventPage(ctx, q)
	}
	return e.events()
}

func (e stubClient) ProposeInvoice(
	ctx context.Context,
	p apiclient.InvoiceProposal,
	opts ...apiclient.ProposeOption,
) (*apiclient.Invoice, error) {
	if e.propose == nil {
		return e.Client.ProposeInvoice(ctx, p, opts...)
	}
	return e.propose(ctx, p)
}
