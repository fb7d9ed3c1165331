// Package httpapi serves the HTTP API: the operations of the API under /api/ext/v1, the OpenAPI
// document itself, the revision of own books, and two probes for monitoring (docs/api.md,
// Operations, Check order, Errors).
//
// Every request passes the same checks in the same order: route (404, 405), token (401), rate limit
// (429), credential class and scope (403), size and type of the body (413, 415), parameters and
// body (400), existence of the record (404), meaning of the request (422), state of the record
// (409). HEAD requests are answered like GET requests, without the body.
//
// When too many requests are in progress, further ones wait for up to queueTimeout and are then
// refused with 429 and Retry-After. A refused request has changed nothing. The status is 429
// because the OpenAPI document allows it for every operation, but 503 for only three.
package httpapi

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"tarmac/service/access"
	"tarmac/service/admission"
	"tarmac/service/connections"
	"tarmac/service/ids"
	"tarmac/service/invoicepdf"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// Prefix starts the path of every operation. It contains the major version of the API.
const Prefix = "/api/ext/v1"

// requestTimeout is the longest time for one request, including the wait while too many others are
// in progress.
const requestTimeout = 15 * time.Second

// queueTimeout is the longest time for which a request waits while too many others are in progress.
const queueTimeout = 5 * time.Second

// Config configures the API. All fields are required, except Contract, RefreshBalances and
// the numbers.
type Config struct {
	Store    *store.Store
	Balances BalanceReader
	// RefreshBalances asks providers for the balances of an organization's live accounts, which
	// Balances then returns. An error that is a *providers.Failure is told to the caller. If
	// RefreshBalances is nil, no account is live.
	RefreshBalances   func(ctx context.Context, org store.OrgKey) error
	Cursors           ledger.Cursors
	Logger            *slog.Logger
	Now               func() time.Time
	RatePerMinute     int // requests a minute for each token; 0 means no limit
	FailuresPerMinute int // failed authentications a minute for each address; 0 means no limit
	// MaxConcurrent caps the requests in progress; 0 means no cap. Up to eight times as many may
	// wait. One organization gets at most a quarter of each.
	//
	// All open requests together are capped at sixteen times MaxConcurrent, with at most a quarter
	// of them of one organization or, before authentication, of one address. Those that wait or are
	// still sending their response count too.
	MaxConcurrent int
	// Proxies are believed which address they pass a request on for. Default: none.
	Proxies  connections.Proxies
	Contract []byte // OpenAPI document, served as /openapi.yaml
	// OnTokenUsed is called with the time of each request that has a valid token. It must not
	// block.
	OnTokenUsed func(store.TokenKey, time.Time)
	// OnResponse is called after each request with the operation's name, the status and the time
	// that the request took. The name is "" for requests that are not API operations, such as
	// probes. OnResponse must not block.
	OnResponse func(operation string, status int, elapsed time.Duration)
	// Owner is the actor of all changes, for own books: their owner. By default it is whoever the
	// credential of a request belongs to.
	Owner   string
	IDs     *ids.Source
	Entropy io.Reader // source of webhook secrets; safe for concurrent use
	// Seal encrypts the secret of a webhook endpoint for storage.
	Seal  func(ctx context.Context, secret, endpointID string) ([]byte, error)
	Guard URLGuard
	PDFs  *invoicepdf.Renderer
	// PageCacheBytes is the maximum memory of the page cache for all organizations together.
	// Default: 16 MiB.
	PageCacheBytes int
}

// API is the http.Handler of the service. It is safe for concurrent use.
type API struct {
	Config
	routes         []route
	tokenLimiter   *access.Limiter // limits requests of each token
	orgLimiter     *access.Limiter // limits requests of organizations with a limit of their own
	addressLimiter *access.Limiter // limits failed authentications of each address
	open           *admission.Gate // limits open requests
	working        *admission.Gate // limits authorized requests in progress
	known          knownTokens
	stopping       atomic.Bool
	pageCache      pageCache
}

// New returns an http.Handler that serves the API.
func New(config Config) *API {
	maximum := config.MaxConcurrent
	api := &API{
		Config:         config,
		tokenLimiter:   access.NewLimiter(config.RatePerMinute),
		orgLimiter:     access.NewLimiter(0),
		addressLimiter: access.NewLimiter(config.FailuresPerMinute),
		pageCache:      pageCache{maxBytes: cmp.Or(config.PageCacheBytes, defaultPageCache)},
		open:           admission.New(openLimits(maximum)),
		working:        admission.New(workLimits(maximum)),
	}
	for _, op := range operations {
		api.routes = append(api.routes, newRoute(op.ID, op.Method, op.Path, api.operation(op)))
	}
	api.routes = append(api.routes,
		newRoute(booksRevision.ID, booksRevision.Method, booksRevision.Path, api.operation(booksRevision)),
		newRoute(bills.ID, bills.Method, bills.Path, api.operation(bills)),
		newRoute("", http.MethodGet, "/openapi.yaml", api.contract),
		newRoute("", http.MethodGet, "/healthz", api.health),
		newRoute("", http.MethodGet, "/readyz", api.ready),
	)
	return api
}

// Stop makes /readyz answer 503 from now on, so that balancers send requests elsewhere, and asks
// clients to close their connection after each response. Requests are still answered.
func (api *API) Stop() { api.stopping.Store(true) }

// Operation is an operation of the API. Its Scope is access.None if any valid token may call it.
type Operation struct {
	ID     string
	Method string
	Path   string
	Scope  access.Scope
}

// Operations returns all operations of the API.
func Operations() []Operation {
	all := make([]Operation, len(operations))
	for i, op := range operations {
		all[i] = op.Operation
	}
	return all
}

// operation is an Operation with its handler. The handler returns a value that is sent as JSON with
// status 200, a customResponse, or an error.
type operation struct {
	Operation
	handle func(*call) (any, error)
}

func newOperation(id, method, path string, scope access.Scope, handle func(*call) (any, error)) operation {
	return operation{Operation{id, method, Prefix + path, scope}, handle}
}

var operations = [...]operation{
	newOperation("ping", http.MethodGet, "/ping", access.None, inReporting(ping)),
	newOperation("getAccount", http.MethodGet, "/account", access.AccountRead, inReporting(getAccount)),
	newOperation(
		"getCashPosition", http.MethodGet, "/insights/cash-position", access.AccountRead,
		withExtension(inReporting(getCashPosition)),
	),
	newOperation(
		"getReceivablesAging", http.MethodGet, "/receivables/aging", access.InvoicesRead, inReporting(getReceivablesAging),
	),
	newOperation("listInvoices", http.MethodGet, "/invoices", access.InvoicesRead, listInvoices),
	newOperation("proposeInvoice", http.MethodPost, "/invoices", access.InvoicesPropose, proposeInvoice),
	newOperation("getInvoice", http.MethodGet, "/invoices/{invoiceId}", access.InvoicesRead, getInvoice),
	newOperation("getInvoicePdf", http.MethodGet, "/invoices/{invoiceId}/pdf", access.InvoicesRead, getInvoicePDF),
	newOperation("listTransactions", http.MethodGet, "/transactions", access.PaymentsRead,
		withExtension(inReporting(listTransactions))),
	newOperation(
		"getTransaction", http.MethodGet, "/transactions/{transactionId}", access.PaymentsRead,
		withExtension(inReporting(getTransaction)),
	),
	newOperation("getPaymentIntent", http.MethodGet, "/payment-intents/{intentId}", access.PaymentsRead, getPaymentIntent),
	newOperation("listEvents", http.MethodGet, "/events", access.EventFeedRead, listEvents),
	newOperation("getEvent", http.MethodGet, "/events/{eventId}", access.EventFeedRead, getEvent),
	newOperation("listWebhooks", http.MethodGet, "/webhooks", access.WebhookEndpointsManage, listWebhooks),
	newOperation("createWebhook", http.MethodPost, "/webhooks", access.WebhookEndpointsManage, createWebhook),
	newOperation("getWebhook", http.MethodGet, "/webhooks/{webhookId}", access.WebhookEndpointsManage, getWebhook),
	newOperation("updateWebhook", http.MethodPatch, "/webhooks/{webhookId}", access.WebhookEndpointsManage, updateWebhook),
	newOperation(
		"deleteWebhook", http.MethodDelete, "/webhooks/{webhookId}", access.WebhookEndpointsManage, deleteWebhook,
	),
	newOperation(
		"listWebhookDeliveries", http.MethodGet, "/webhooks/{webhookId}/deliveries", access.WebhookEndpointsManage,
		listWebhookDeliveries,
	),
	newOperation(
		"rotateWebhookSecret", http.MethodPost, "/webhooks/{webhookId}/rotate-secret", access.WebhookEndpointsManage,
		rotateWebhookSecret,
	),
	newOperation(
		"verifyWebhook", http.MethodPost, "/webhooks/{webhookId}/verify", access.WebhookEndpointsManage, verifyWebhook,
	),
}
