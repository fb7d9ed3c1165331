package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tarmac/apiclient"
	"tarmac/client/assistant"
	"tarmac/internal/testsupport/faults"
	"tarmac/service/access"
)

// failed calls a tool that must fail, and returns why.
func failed(t *testing.T, session *mcp.ClientSession, tool string, with any) (f assistant.Failure) {
	t.Helper()
	result := call(t, session, tool, with)
	if !result.IsError || result.StructuredContent != nil {
		t.Fatalf("%s did not fail: %s", tool, textOf(result))
	}
	if err := json.Unmarshal([]byte(textOf(result)), &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFailuresOfTheServerAreResultsAndTheSessionGoesOn(t *testing.T) {
	c := generated(t)
	faulty := faults.New(c.service.Handler(), faults.Options{})
	for name, want := range map[string]struct {
		fault   faults.Fault
		says    string
		seconds int64
	}{
		"too many requests": {faults.TooManyRequests("17"), "Too many requests.", 17},
		"unauthorized":      {faults.Refusal(401), "The server does not accept the token.", 0},
		"forbidden":         {faults.Refusal(403), "The token may not do this.", 0},
		"unavailable":       {faults.RetryAfter(503, "4"), "The server cannot answer at present.", 4},
		"a login page":      {faults.Page(200), "The server's response could not be read.", 0},
	} {
		session := connect(t, options(c.client(t, faulty, access.Scopes[:]...)), nil)
		faulty.Script(faults.Rule{Fault: want.fault})
		for tool, with := range asked {
			f := failed(t, session, tool, with)
			if f.Error != want.says || f.RetryAfterSeconds != want.seconds || f.Details == nil {
				t.Errorf("%s: %s says %+v", name, tool, f)
			}
		}
		faulty.Clear()
		if want.seconds != 17 { // after that, the client waits as it was told
			ask[assistant.Transactions](t, session, "transactions", nil)
		}
	}
}

func TestAServerThatIsAwayIsAResult(t *testing.T) {
	away := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	session := connect(t, options(generated(t).client(t, away, access.Scopes[:]...)), nil)

	if f := failed(t, session, "cash", nil); f.Error != "The server cannot be reached." {
		t.Errorf("it says %+v", f)
	}
}

// A part that cannot be read is unknown, with its reason, and the other one is there.
func TestCashWithoutTheBalanceIsThePosition(t *testing.T) {
	c := generated(t)
	faulty := faults.New(c.service.Handler(), faults.Options{})
	session := connect(t, options(c.client(t, faulty, access.Scopes[:]...)), nil)
	faulty.Script(faults.Rule{Requests: "GET /account", Fault: faults.Refusal(503)})

	cash := ask[assistant.Cash](t, session, "cash", nil)

	a := cash.Account.Available
	if a.Cents != nil || a.Text != "—" || a.Reason != "The server cannot answer at present." {
		t.Errorf("the balance is %+v", a)
	}
	if cash.Position.CashOnHand.Cents == nil || cash.Position.RunwayMonths == nil {
		t.Errorf("the position is %+v", cash.Position)
	}
}

func TestATokenWithoutScopesIsToldSo(t *testing.T) {
	c := generated(t)
	session := connect(t, options(c.client(t, c.service.Handler(), "account:read")), nil)

	ask[assistant.Cash](t, session, "cash", nil)
	f := failed(t, session, "invoices", nil)

	if f.Error != "The token may not do this." || !strings.Contains(f.Details.Text, "invoices:read") {
		t.Errorf("it says %+v", f)
	}
}

// waiting is a source whose account waits for the end of its context.
type waiting struct {
	*apiclient.Client
	begun, ended chan struct{}
}

func (w *waiting) Account(ctx context.Context) (*apiclient.Account, error) {
	w.begun <- struct{}{}
	<-ctx.Done()
	w.ended <- struct{}{}
	return nil, ctx.Err()
}

func TestACancelledCallEndsItsRequest(t *testing.T) {
	source := &waiting{generated(t).honest(t), make(chan struct{}), make(chan struct{})}
	o := options(nil)
	o.Source = source
	session := connect(t, o, nil)
	for range 100 { // more than may be open at once
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "cash"})
			done <- err
		}()

		<-source.begun
		cancel()
		<-source.ended

		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Fatalf("the call ended with %v", err)
		}
	}
	ask[assistant.Transactions](t, session, "transactions", nil)
}

// broken is a source with a bug.
type broken struct{ *apiclient.Client }

func (broken) Account(context.Context) (*apiclient.Account, error) { panic("svc_org_secret") }

func TestABugIsAnErrorAndTheSessionGoesOn(t *testing.T) {
	o := options(nil)
	o.Source = broken{generated(t).honest(t)}
	session := connect(t, o, nil)

	for range 10 { // more than may be answered at once
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "cash"})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInternalError || strings.Contains(err.Error(), "secret") {
			t.Fatalf("the call ended with %v", err)
		}
	}

	ask[assistant.Transactions](t, session, "transactions", nil)
}

// wide is a source whose invoices have the longest texts.
type wide struct{ *apiclient.Client }

func (w wide) Invoices(ctx context.Context, f apiclient.InvoiceFilter) ([]apiclient.Invoice, error) {
	all, err := w.Client.Invoices(ctx, f)
	for i := range all {
		all[i].Description = strings.Repeat("𝔘", 5000)
		all[i].RecipientName, all[i].RecipientEmail = all[i].Description, all[i].Description
	}
	return all, err
}

func TestAnAnswerThatIsTooLargeIsRefusedWithAdvice(t *testing.T) {
	o := options(nil)
	o.Source = wide{generated(t).honest(t)}
	session := connect(t, o, nil)

	f := failed(t, session, "invoices", arguments{"limit": 100})
	few := ask[assistant.Invoices](t, session, "invoices", arguments{"limit": 5})

	if !strings.Contains(f.Error, "fewer rows") {
		t.Errorf("it says %+v", f)
	}
	if d := few.Invoices[0].Description; len([]rune(d.Text)) != assistant.MaxText || !d.Truncated {
		t.Errorf("a long text has %d characters, cut %t", len([]rune(d.Text)), d.Truncated)
	}
}

func TestSecretsInErrorsAreMasked(t *testing.T) {
	o := options(generated(t).honest(t))
	o.Redact = func(text string) string { return strings.ReplaceAll(text, "svc_org_x", "[secret]") }
	session := connect(t, o, nil)

	wrong := textOf(call(t, session, "cash", arguments{"svc_org_x": 1}))
	_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "svc_org_x"})

	if strings.Contains(wrong, "svc_org_x") || err == nil || strings.Contains(err.Error(), "svc_org_x") {
		t.Errorf("errors are %q and %v", wrong, err)
	}
}
