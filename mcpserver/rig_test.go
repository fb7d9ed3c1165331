package mcpserver_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/testdns"
	"tarmac/mcpserver"
	"tarmac/service"
	"tarmac/service/access"
	"tarmac/service/demodata"
	"tarmac/service/egress"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// company is a service and one of its organizations.
type company struct {
	service *service.Service
	org     string
}

// directory holds the database that all tests share.
var directory string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if directory, err = os.MkdirTemp("", "mcpserver"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(directory)
		return m.Run()
	}())
}

// openService opens the service that all tests share, because a database takes seconds to make
// under the race detector. Tests create tokens and organizations in it and change nothing else.
var openService = sync.OnceValues(func() (*service.Service, error) {
	return service.Open(context.Background(), service.Config{
		Database: filepath.Join(directory, "tarmac.db"), Ephemeral: true, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return noon }, Entropy: rand.Reader,
		Webhooks: egress.Config{Resolver: testdns.EmptyResolver()},
	})
})

// generateCompany adds an organization with transactions, invoices and events to the service.
var generateCompany = sync.OnceValues(func() (*company, error) {
	ctx := context.Background()
	c, err := createCompany(ctx)
	if err != nil {
		return nil, err
	}
	_, key, err := c.service.Store().Organization(ctx, c.org)
	if err != nil {
		return nil, err
	}
	generated := demodata.Options{Seed: 5, Transactions: 1000, Today: noon}
	_, err = demodata.Generate(ctx, c.service.Store(), key, generated, nil)
	return c, err
})

func createCompany(ctx context.Context) (*company, error) {
	svc, err := openService()
	if err != nil {
		return nil, err
	}
	org, err := svc.CreateOrganization(ctx, "Northlight Labs")
	if err != nil {
		return nil, err
	}
	_, err = svc.SetOwner(ctx, org.PublicID, "Ada Palmer", "ada@northlight.example")
	return &company{svc, org.PublicID}, err
}

// generated returns an organization with data that no test changes.
func generated(t testing.TB) *company { return must[*company](t)(generateCompany()) }

// empty returns a new organization without data, for a test that proposes invoices.
func empty(t testing.TB) *company { return must[*company](t)(createCompany(t.Context())) }

// client returns a client of the API behind a handler, with a token that has the scopes.
func (c *company) client(t testing.TB, handler http.Handler, scopes ...access.Scope) *apiclient.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	secret, _, err := c.service.CreateToken(t.Context(), c.org, scopes, 0)
	if err != nil {
		t.Fatal(err)
	}
	client, err := apiclient.New(server.URL, apiclient.Token(secret), apiclient.WithRetry(apiclient.NoRetry))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// honest returns a client with all scopes, whose requests reach the service unchanged.
func (c *company) honest(t testing.TB) *apiclient.Client {
	return c.client(t, c.service.Handler(), access.Scopes[:]...)
}

func options(source *apiclient.Client) mcpserver.Options {
	return mcpserver.Options{
		Source: source, Now: func() time.Time { return noon }, Version: "test", Plans: aPlan,
		Redact: func(text string) string { return text },
	}
}

// pipes are the two ends of a server's standard input and output.
type pipes struct {
	in    io.WriteCloser
	out   io.ReadCloser
	ended chan error // receives the result of Serve
}

func serve(t testing.TB, o mcpserver.Options) pipes {
	return serveUntil(context.Background(), t, o)
}

// serveUntil starts a server that ends with ctx at the latest.
func serveUntil(ctx context.Context, t testing.TB, o mcpserver.Options) pipes {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := mcpserver.Serve(ctx, mcpserver.New(o), in, out)
		out.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		toServer.Close()
		fromServer.Close()
	})
	return pipes{toServer, fromServer, ended}
}

// connect starts a server and connects to it with the SDK's client.
func connect(t testing.TB, o mcpserver.Options, client *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	p := serve(t, o)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, client).Connect(
		t.Context(), &mcp.IOTransport{Reader: p.out, Writer: p.in}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return session
}

// call calls a tool. It fails the test if the call fails, or if the text of the result is not the
// same JSON as its structured content.
func call(t testing.TB, session *mcp.ClientSession, tool string, arguments any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result
}

// ask calls a tool that must succeed, and decodes its result into a value of type T.
func ask[T any](t testing.TB, session *mcp.ClientSession, tool string, arguments any) (out T) {
	t.Helper()
	result := call(t, session, tool, arguments)
	if result.IsError {
		t.Fatalf("%s: %s", tool, textOf(result))
	}
	if err := json.Unmarshal([]byte(textOf(result)), &out); err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return out
}

// textOf returns the text of a result.
func textOf(result *mcp.CallToolResult) string {
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}
